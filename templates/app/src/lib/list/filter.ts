import { sql } from 'kysely';
import { type Slot, slot } from '../../database/slot.ts';
import type { ViewerInSql } from '../access.ts';
import { isEmbedded, type Path } from '../path.ts';
import { column, someRelated, type Source, type Sql } from '../sql/source.ts';
import { type Operator, operators } from './operators.ts';

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
  return operators[operator].operands(values, path.field);
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

/** Whether it holds when no value is found beyond a relation, be it that nobody is there. */
function asksForNothing({ operator, path, values }: Comparison): boolean {
  return operator === 'isnull' && path.steps.length > 0 && values[0] === true;
}

/** Over a relation to many, a comparison holds when it holds for some of them. */
function comparisonSql(rows: Source, comparison: Comparison, writing: Writing): Sql {
  const { path, operator, values, negated } = comparison;
  const [step, ...steps] = path.steps;
  if (step !== undefined) {
    const { relation } = step;
    const beyond = { ...comparison, path: { ...path, steps } };
    const isShown = steps.length === 0 && isEmbedded(relation, path.name);
    const crossing = { rows, relation, viewer: writing.viewer, isEmbedded: isShown };
    return someRelated(crossing, (there) => comparisonSql(there, beyond, writing));
  }
  const field = column(rows, path.name);
  if (operator === 'isnull')
    return sql`${field} is ${values[0] === true ? sql`null` : sql`not null`}`;
  const slots = operators[operator].operands(values, path.field).map(writing.next);
  const holds = operators[operator].sql(field, ...slots);
  return negated === true ? sql`not (${holds})` : holds;
}
