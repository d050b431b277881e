import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import {
  among,
  contains,
  encode,
  encodeList,
  endsWith,
  fold,
  startsWith,
} from '../../database/dialect.ts';
import { type TypeName, type ValueType, wireTypes } from '../../database/values.ts';
import { unknownName } from '../nearest.ts';
import type { Path } from '../path.ts';
import type { Complain } from '../problem.ts';
import type { Sql } from '../sql/source.ts';
import type { Comparison } from './filter.ts';

export type Operator = (typeof textual)[number];

export interface OperatorFacts {
  /** What stands on its right: one value of the field's type, several, part of a text, true or false. */
  readonly takes: 'value' | 'list' | 'pair' | 'part' | 'truth';
  /** What is bound for the values, in the order in which `sql` names it. */
  readonly operands: (values: readonly unknown[], type: ValueType) => readonly unknown[];
  readonly sql: (column: Sql, ...operands: readonly Sql[]) => Expression<SqlBool>;
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
export const operatorsOf: Readonly<Record<TypeName, readonly Operator[]>> = {
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
  in: lists((column, list) => among(column, list)),
  nin: lists((column, list) => sql`not ${among(column, list)}`),
  between: {
    takes: 'pair',
    operands: (values, type) => values.map((value) => encode(value, type)),
    sql: (column, low, high) => sql`${column} between ${low} and ${high}`,
  },
  contains: searches(contains),
  icontains: searchesFolded(contains),
  startswith: searches(startsWith),
  istartswith: searchesFolded(startsWith),
  endswith: searches(endsWith),
  iendswith: searchesFolded(endsWith),
  isnull: {
    takes: 'truth',
    operands: () => [],
    sql: (column) => sql`${column} is null`,
  },
};

type Search = (text: Sql, part: Sql) => RawBuilder<SqlBool>;

function compares(operator: string): OperatorFacts {
  return {
    takes: 'value',
    operands: ([value], type) => [encode(value, type)],
    sql: (column, value) => sql`${column} ${sql.raw(operator)} ${value}`,
  };
}

function lists(test: Search): OperatorFacts {
  return {
    takes: 'list',
    operands: (values, type) => [encodeList(values, type)],
    sql: (column, list) => test(column, list),
  };
}

function searches(search: Search): OperatorFacts {
  return {
    takes: 'part',
    operands: ([part]) => [String(part)],
    sql: (column, part) => search(column, part),
  };
}

function searchesFolded(search: Search): OperatorFacts {
  return {
    takes: 'part',
    operands: ([part]) => [String(part).toLowerCase()],
    sql: (column, part) => search(fold(column), part),
  };
}

export function legalOperator(path: Path, word: string, complain: Complain): Operator | undefined {
  const legal = operatorsOf[path.field.type];
  const operator = legal.find((it) => it === word);
  if (operator === undefined) {
    complain('unknown_operator', `operator of \`${path.text}\`: ${unknownName(word, legal)}`);
  }
  return operator;
}

/** The comparison when its values are such as the field can hold. */
export function checked(comparison: Comparison, complain: Complain): Comparison | undefined {
  const wrong = whatIsWrong(comparison);
  if (wrong === undefined) return comparison;
  complain('invalid_value', `\`${comparison.path.text}\` ${wrong}`);
  return undefined;
}

const longestList = 1000;

/** How many values an operator compares with. */
const counts = {
  value: [1, 1],
  part: [1, 1],
  truth: [1, 1],
  pair: [2, 2],
  list: [1, longestList],
} as const;

function whatIsWrong({ path: { field }, operator, values }: Comparison): string | undefined {
  const { takes } = operators[operator];
  const [least, most] = counts[takes];
  if (values.length < least || values.length > most) {
    return most === 1
      ? 'takes one value'
      : `takes ${[...new Set([least, most])].join(' to ')} values`;
  }
  const type = operandTypes[takes] ?? field.type;
  const { expected, check } = wireTypes[type];
  if (values.every((value) => check(value, field))) return undefined;
  return type === 'enum' ? `must be one of ${field.values?.join(', ')}` : `must be ${expected}`;
}

/** Where an operator does not compare with values of the field's own type. */
const operandTypes: Readonly<Partial<Record<keyof typeof counts, TypeName>>> = {
  truth: 'bool',
  part: 'text',
};
