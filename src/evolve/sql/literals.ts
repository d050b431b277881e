import type { Json } from '../../model/app.ts';
import type { Dialect } from '../dialect.ts';
import { textSql } from './sql-text.ts';

const text = (value: Json) => textSql(String(value));
const number = (value: Json) => String(value);
const json = (value: Json) => textSql(JSON.stringify(value));

/** Values in their wire form as both engines read them; each lays its own over these. */
export const literals: Dialect['literals'] = {
  string: text,
  text,
  email: text,
  url: text,
  int: number,
  bigint: number,
  float: number,
  decimal: number,
  bool: String,
  date: text,
  time: text,
  datetime: text,
  uuid: text,
  json,
  bytes: text,
  enum: text,
  id: number,
};
