import { type Expression, sql, type SqlBool } from 'kysely';
import {
  among,
  contains,
  containsAll,
  containsAny,
  encode,
  encodeList,
  endsWith,
  fold,
  startsWith,
} from '../../database/dialect.ts';
import type { Slot } from '../../database/slot.ts';
import {
  expectedOf,
  itemTypes,
  type TypeName,
  type ValueType,
  wireTypes,
} from '../../database/values.ts';
import type { ViewerInSql } from '../access.ts';
import type { Path } from '../resource.ts';
import type { Complain } from '../problem.ts';
import { column, crossingTo, operandSlot, someRelated, type Source, type Sql } from '../sql.ts';
import { unknownName } from '../unknown-name.ts';

export type Filter = Comparison | Group;

/** Filters that must all hold, or of which one must. */
interface Group {
  readonly joined: 'and' | 'or';
  readonly parts: readonly Filter[];
}

export interface Comparison {
  readonly path: Path;
  readonly operator: Operator;
  readonly negated: boolean;
  /** The values to compare with, as they are stored in columns. */
  readonly operands: readonly unknown[];
}

/** Slots for the operands of a list, in the order of `operandsOf`. */
export type NextOperand = () => Slot<unknown>;

export function nextOperands(): NextOperand {
  let count = 0;
  return () => operandSlot(count++);
}

/** The values that are bound for a filter, in the order in which `filterSql` uses them. */
export function operandsOf(filter: Filter): readonly unknown[] {
  return 'parts' in filter ? filter.parts.flatMap(operandsOf) : filter.operands;
}

/** What the SQL of a filter depends on: everything but its operands. */
export function shapeOf(filter: Filter): unknown {
  if ('parts' in filter) return [filter.joined, ...filter.parts.map(shapeOf)];
  const { path, operator, negated } = filter;
  return [path.text, operator, negated];
}

/** What a list statement is written for. */
export interface FilterScope {
  readonly viewer: ViewerInSql | null;
  readonly next: NextOperand;
}

export function filterSql(rows: Source, filter: Filter, writing: FilterScope): Sql {
  if ('parts' in filter) {
    const parts = filter.parts.map((part) => filterSql(rows, part, writing));
    return sql`(${sql.join(parts, sql.raw(` ${filter.joined} `))})`;
  }
  const { operator, path, negated } = filter;
  const acceptsNoRow = operator === 'isnull' && !negated && path.steps.length > 0;
  if (!acceptsNoRow) return comparisonSql(rows, filter, writing);
  // Where there is no related row, its field counts as null.
  return sql`not coalesce(${comparisonSql(rows, { ...filter, negated: true }, writing)}, 1 = 0)`;
}

/** Over a to-many relation, a comparison holds if it holds for at least one row. */
function comparisonSql(rows: Source, comparison: Comparison, writing: FilterScope): Sql {
  const { path, operator, negated, operands } = comparison;
  const crossing = crossingTo(rows, path, writing.viewer);
  if (crossing !== undefined) {
    const beyond = { ...comparison, path: { ...path, steps: path.steps.slice(1) } };
    return someRelated(crossing, (there) => comparisonSql(there, beyond, writing));
  }
  const field = column(rows, path.name);
  if (operator === 'isnull') return sql`${field} is ${sql.raw(negated ? 'not null' : 'null')}`;
  const holds = operators[operator].sql(field, ...operands.map(writing.next));
  return negated ? sql`not (${holds})` : holds;
}

export type Operator = (typeof textual)[number] | (typeof collected)[number];

interface OperatorFacts {
  /** The right side of a comparison. */
  readonly takes: keyof typeof forms;
  readonly sql: (field: Sql, ...operands: readonly Sql[]) => Expression<SqlBool>;
}

const presence = ['isnull'] as const;
const equality = ['eq', 'ne', 'in', 'nin', ...presence] as const;
const ordered = ['lt', 'lte', 'gt', 'gte', 'between', ...equality] as const;
const collected = ['has', 'has_any', 'has_all', ...presence] as const;
const textual = [
  'contains',
  'icontains',
  'startswith',
  'istartswith',
  'endswith',
  'iendswith',
  ...ordered,
] as const;

/** The operators that each type has. */
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
  'string[]': collected,
  'int[]': collected,
  enum: equality,
  id: ordered,
};

const comparing = (sign: string): OperatorFacts => ({
  takes: 'value',
  sql: (field, value) => sql`${field} ${sql.raw(sign)} ${value}`,
});

type TextTest = typeof contains;
const inText = (test: TextTest): OperatorFacts => ({ takes: 'part', sql: test });
const inFolded = (test: TextTest): OperatorFacts => ({
  takes: 'folded',
  sql: (field, part) => test(fold(field), part),
});

const operators: Readonly<Record<Operator, OperatorFacts>> = {
  eq: comparing('='),
  ne: comparing('<>'),
  lt: comparing('<'),
  lte: comparing('<='),
  gt: comparing('>'),
  gte: comparing('>='),
  between: { takes: 'pair', sql: (field, low, high) => sql`${field} between ${low} and ${high}` },
  in: { takes: 'list', sql: among },
  nin: { takes: 'list', sql: (field, list) => sql`not ${among(field, list)}` },
  contains: inText(contains),
  icontains: inFolded(contains),
  startswith: inText(startsWith),
  istartswith: inFolded(startsWith),
  endswith: inText(endsWith),
  iendswith: inFolded(endsWith),
  has: { takes: 'value', sql: (field, item) => among(item, field) },
  has_any: { takes: 'list', sql: containsAny },
  has_all: { takes: 'list', sql: containsAll },
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

/** How many values an operator takes, and their type if it is not that of the field. */
const forms = {
  value: { least: 1, most: 1, type: undefined },
  pair: { least: 2, most: 2, type: undefined },
  list: { least: 1, most: 1000, type: undefined },
  part: { least: 1, most: 1, type: 'text' },
  folded: { least: 1, most: 1, type: 'text' },
  truth: { least: 1, most: 1, type: 'bool' },
} as const;

export function formOf({ field }: Path, operator: Operator) {
  const { least, most, type } = forms[operators[operator].takes];
  return { least, most, type: type ?? comparedType(field) };
}

/** Lists are compared with single items. */
const comparedType = ({ type }: ValueType): TypeName => itemTypes[type] ?? type;

type Compared = Pick<Comparison, 'path' | 'operator'> & { readonly negated?: boolean };

/** The comparison, if the field can have such values. */
export function comparisonOf(
  { path, operator, negated = false }: Compared,
  values: readonly unknown[],
  complain: Complain,
): Comparison | undefined {
  const wrong = faultIn(path, operator, values);
  if (wrong !== undefined) return void complain('invalid_value', `\`${path.text}\` ${wrong}`);
  // `isnull=false` is the opposite of `isnull=true`.
  if (operator === 'isnull') return { path, operator, negated: values[0] === false, operands: [] };
  return { path, operator, negated, operands: operandsFor(path, operator, values) };
}

function operandsFor({ field }: Path, operator: Operator, values: readonly unknown[]) {
  const { takes } = operators[operator];
  const compared = { ...field, type: comparedType(field) };
  if (takes === 'list') return [encodeList(values, compared)];
  if (takes === 'folded') return values.map((part) => String(part).toLowerCase());
  return takes === 'part' ? values : values.map((value) => encode(value, compared));
}

function faultIn(path: Path, operator: Operator, values: readonly unknown[]) {
  const { field } = path;
  const { least, most, type } = formOf(path, operator);
  if (values.length < least || values.length > most) {
    if (most === 1) return 'takes one value';
    return `takes ${[...new Set([least, most])].join(' to ')} values`;
  }
  if (values.every((value) => wireTypes[type].check(value, field))) return undefined;
  return `must be ${expectedOf({ ...field, type })}`;
}
