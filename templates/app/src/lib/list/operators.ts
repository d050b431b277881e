import { among, contains, encode, endsWith, fold, startsWith } from '../dialect.ts';
import type { Field, FieldType } from '../resource.ts';
import { bound, raw, sql, type Sql } from '../sql/sql.ts';

export type Operator = (typeof textual)[number];

export interface OperatorFacts {
  /** What stands on its right: one value of the field's type, several, part of a text, true or false. */
  readonly takes: 'value' | 'list' | 'pair' | 'part' | 'truth';
  readonly sql: (column: Sql, values: readonly unknown[], field: Field) => Sql;
}

const presence = ['isnull'] as const;
const equality = ['eq', 'ne', 'in', 'nin', ...presence] as const;
const ordered = ['lt', 'lte', 'gt', 'gte', 'between', ...equality] as const;
const textual = [
  'contains',
  'icontains',
  'startswith',
  'istartswith',
  'endswith',
  'iendswith',
  ...ordered,
] as const;

/** The operators that are legal for a type. */
export const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  string: textual,
  text: textual,
  email: textual,
  url: textual,
  int: ordered,
  bigint: ordered,
  float: ordered,
  decimal: ordered,
  bool: equality,
  date: ordered,
  time: ordered,
  datetime: ordered,
  uuid: equality,
  json: presence,
  bytes: presence,
  enum: equality,
  id: ordered,
};

export const operators: Readonly<Record<Operator, OperatorFacts>> = {
  eq: compares('='),
  ne: compares('<>'),
  lt: compares('<'),
  lte: compares('<='),
  gt: compares('>'),
  gte: compares('>='),
  in: { takes: 'list', sql: among },
  nin: { takes: 'list', sql: (...list) => sql`not ${among(...list)}` },
  between: {
    takes: 'pair',
    sql: (column, [low, high], field) =>
      sql`${column} between ${bound(encode(low, field))} and ${bound(encode(high, field))}`,
  },
  contains: searches(contains),
  icontains: searchesFolded(contains),
  startswith: searches(startsWith),
  istartswith: searchesFolded(startsWith),
  endswith: searches(endsWith),
  iendswith: searchesFolded(endsWith),
  isnull: {
    takes: 'truth',
    sql: (column, [truth]) => sql`${column} is ${raw(truth === true ? 'null' : 'not null')}`,
  },
};

type Search = (text: Sql, part: string) => Sql;

function compares(operator: string): OperatorFacts {
  return {
    takes: 'value',
    sql: (column, [value], field) => sql`${column} ${raw(operator)} ${bound(encode(value, field))}`,
  };
}

function searches(search: Search): OperatorFacts {
  return { takes: 'part', sql: (column, [part]) => search(column, String(part)) };
}

function searchesFolded(search: Search): OperatorFacts {
  return {
    takes: 'part',
    sql: (column, [part]) => search(fold(column), String(part).toLowerCase()),
  };
}
