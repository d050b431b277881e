import { type Expression, sql, type SqlBool } from 'kysely';
import {
  among,
  contains,
  encode,
  encodeList,
  endsWith,
  fold,
  startsWith,
} from '../../database/dialect.ts';
import { type Slot, slot } from '../../database/slot.ts';
import { type TypeName, wireTypes } from '../../database/values.ts';
import type { ViewerInSql } from '../access.ts';
import { isEmbedded, type Path } from '../resource.ts';
import { type Complain, unknownName } from '../problem.ts';
import { column, someRelated, type Source, type Sql } from '../sql.ts';

export type Filter =
  Comparison | { readonly any: readonly Filter[] } | { readonly all: readonly Filter[] };

export interface Comparison {
  readonly path: Path;
  readonly operator: Operator;
  /** One, but for lists and pairs. */
  readonly values: readonly unknown[];
  readonly negated?: boolean;
}

/** Slots for the operands of a list, in the order of `operandsOf`. */
export type NextOperand = () => Slot<unknown>;

export function operandSlots(): NextOperand {
  let count = 0;
  return () => {
    const at = count++;
    return slot(({ operands = [] }) => operands[at]);
  };
}

/** What is bound for the filters, in the order in which `filterSql` names it. */
export function operandsOf(filter: Filter): readonly unknown[] {
  if ('any' in filter) return filter.any.flatMap(operandsOf);
  if ('all' in filter) return filter.all.flatMap(operandsOf);
  const { operator, values, path } = filter;
  const { takes, folds = false } = operators[operator];
  switch (takes) {
    case 'truth':
      return [];
    case 'list':
      return [encodeList(values, path.field)];
    case 'part':
      return values.map((part) => (folds ? String(part).toLowerCase() : String(part)));
    default:
      return values.map((value) => encode(value, path.field));
  }
}

/** What decides the SQL of a filter: all but its operands. */
export function shapeOf(filter: Filter): unknown {
  if ('any' in filter) return ['|', ...filter.any.map(shapeOf)];
  if ('all' in filter) return ['&', ...filter.all.map(shapeOf)];
  const { path, operator, values, negated = false } = filter;
  return [path.text, operator, negated, operator === 'isnull' && values[0]];
}

interface Writing {
  readonly viewer: ViewerInSql | null;
  readonly next: NextOperand;
}

export function filterSql(rows: Source, filter: Filter, writing: Writing): Sql {
  const each = (parts: readonly Filter[]) => parts.map((part) => filterSql(rows, part, writing));
  if ('any' in filter) return sql`(${sql.join(each(filter.any), sql` or `)})`;
  if ('all' in filter) return sql`(${sql.join(each(filter.all), sql` and `)})`;
  if (!asksForNothing(filter)) return comparisonSql(rows, filter, writing);
  const isSomething = comparisonSql(rows, { ...filter, values: [false] }, writing);
  return sql`not coalesce(${isSomething}, 1 = 0)`;
}

/** Whether it holds of a row whose relation leads to no value, or to no row. */
function asksForNothing({ operator, path, values }: Comparison): boolean {
  return operator === 'isnull' && path.steps.length > 0 && values[0] === true;
}

/** Over a relation to many, a comparison holds when it holds for some of them. */
function comparisonSql(rows: Source, comparison: Comparison, writing: Writing): Sql {
  const { path, operator, values, negated } = comparison;
  const [relation, ...steps] = path.steps;
  if (relation !== undefined) {
    const beyond = { ...comparison, path: { ...path, steps } };
    const isShown = steps.length === 0 && isEmbedded(relation, path.name);
    const crossing = { rows, relation, viewer: writing.viewer, isEmbedded: isShown };
    return someRelated(crossing, (there) => comparisonSql(there, beyond, writing));
  }
  const field = column(rows, path.name);
  if (operator === 'isnull')
    return sql`${field} is ${values[0] === true ? sql`null` : sql`not null`}`;
  const slots = operandsOf(comparison).map(writing.next);
  const holds = operators[operator].sql(field, ...slots);
  return negated === true ? sql`not (${holds})` : holds;
}

export type Operator = (typeof textual)[number];

interface OperatorFacts {
  /** What stands on its right: one value of the field's type, several, part of a text, true or false. */
  readonly takes: 'value' | 'list' | 'pair' | 'part' | 'truth';
  /** Whether upper and lower case are the same to it. */
  readonly folds?: true;
  readonly sql: (field: Sql, ...operands: readonly Sql[]) => Expression<SqlBool>;
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
  eq: { takes: 'value', sql: (field, value) => sql`${field} = ${value}` },
  ne: { takes: 'value', sql: (field, value) => sql`${field} <> ${value}` },
  lt: { takes: 'value', sql: (field, value) => sql`${field} < ${value}` },
  lte: { takes: 'value', sql: (field, value) => sql`${field} <= ${value}` },
  gt: { takes: 'value', sql: (field, value) => sql`${field} > ${value}` },
  gte: { takes: 'value', sql: (field, value) => sql`${field} >= ${value}` },
  between: { takes: 'pair', sql: (field, low, high) => sql`${field} between ${low} and ${high}` },
  in: { takes: 'list', sql: among },
  nin: { takes: 'list', sql: (field, list) => sql`not ${among(field, list)}` },
  contains: { takes: 'part', sql: contains },
  icontains: { takes: 'part', folds: true, sql: (field, part) => contains(fold(field), part) },
  startswith: { takes: 'part', sql: startsWith },
  istartswith: { takes: 'part', folds: true, sql: (field, part) => startsWith(fold(field), part) },
  endswith: { takes: 'part', sql: endsWith },
  iendswith: { takes: 'part', folds: true, sql: (field, part) => endsWith(fold(field), part) },
  isnull: { takes: 'truth', sql: (field) => sql`${field} is null` },
};

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
