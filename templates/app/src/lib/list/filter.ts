import type { Viewer } from '../access.ts';
import type { Path } from '../path.ts';
import { column, type Source } from '../sql/conditions.ts';
import { someRelated } from '../sql/related.ts';
import { joined, sql, type Sql } from '../sql/sql.ts';
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

export function filterSql(rows: Source, filter: Filter, viewer: Viewer | null): Sql {
  const each = (parts: readonly Filter[]) => parts.map((part) => filterSql(rows, part, viewer));
  if ('any' in filter) return sql`(${joined(each(filter.any), ' or ')})`;
  if ('all' in filter) return sql`(${joined(each(filter.all), ' and ')})`;
  if (!asksForNothing(filter)) return comparisonSql(rows, filter, viewer);
  const isSomething = comparisonSql(rows, { ...filter, values: [false] }, viewer);
  return sql`not coalesce(${isSomething}, 1 = 0)`;
}

/** Whether it holds when no value is found beyond a relation, be it that nobody is there. */
function asksForNothing({ operator, path, values }: Comparison): boolean {
  return operator === 'isnull' && path.steps.length > 0 && values[0] === true;
}

/** Over a relation to many, a comparison holds when it holds for some of them. */
function comparisonSql(rows: Source, comparison: Comparison, viewer: Viewer | null): Sql {
  const { path, operator, values, negated } = comparison;
  const [step, ...steps] = path.steps;
  if (step === undefined) {
    const holds = operators[operator].sql(column(rows, path.name), values, path.field);
    return negated === true ? sql`not (${holds})` : holds;
  }
  const beyond = { ...comparison, path: { ...path, steps } };
  return someRelated({ rows, relation: step.relation, viewer }, (there) =>
    comparisonSql(there, beyond, viewer),
  );
}
