import { parseJson } from '../../json.ts';
import { textSql } from '../../types/sql.ts';
import type { PrismaValue } from './parser.ts';
import type { PrismaEnum, PrismaField } from './schema.ts';
import { findAttribute, calledBy, isKind, findItems, storedValue, unquote } from './values.ts';

/** The default in PostgreSQL's words. A function that only Prisma has stays as it is. */
export function defaultSql(field: PrismaField, column: ColumnType): string | undefined {
  const value = findAttribute(field, 'default')?.values[0];
  // Prisma reads null as an empty list.
  if (value === undefined) return field.isList ? textSql('[]') : undefined;
  const call = calledBy(value);
  if (call === 'uuid' && column.type === 'uuid') return 'gen_random_uuid()';
  if (call !== undefined) return expressionIn(value) ?? `${call}()`;
  const items = findItems(value);
  if (items === undefined) return literalSql(textIn(value, column), column.type);
  return textSql(JSON.stringify(items.map((item) => itemIn(item, column))));
}

interface ColumnType {
  readonly type: string;
  readonly values: PrismaEnum['values'] | undefined;
}

function textIn(value: PrismaValue, { values }: ColumnType): string {
  const text = unquote(value) ?? String(value);
  const known = values?.find(({ name }) => name === text);
  return known ? storedValue(known) : text;
}

/** Numbers and booleans stand without quotes. */
function itemIn(value: PrismaValue, column: ColumnType): unknown {
  const text = textIn(value, column);
  const isQuoted = typeof value === 'string' && value.startsWith('"');
  const isJson = column.type === 'jsonb[]' || (!isQuoted && column.values === undefined);
  return isJson ? (parseJson(text) ?? text) : text;
}

/** `dbgenerated("gen_random_uuid()")` */
function expressionIn(value: PrismaValue): string | undefined {
  if (!isKind(value, 'function') || value.name !== 'dbgenerated') return undefined;
  return unquote(value.params?.[0]);
}

/** Prisma writes a date and a time even if the column has only one of them. */
function literalSql(text: string, type: string): string {
  if (type === 'bytea') return `X'${Buffer.from(text, 'base64').toString('hex')}'`;
  if (type === 'date') return textSql(text.slice(0, '2026-01-01'.length));
  if (type === 'time') return textSql(/T([\d:.]+)/.exec(text)?.[1] ?? text);
  return textSql(text);
}
