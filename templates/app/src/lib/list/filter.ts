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
  if ('any' in filter) return group(filter.any, ' or ');
  if ('all' in filter) return group(filter.all, ' and ');
  if (
    filter.operator !== 'isnull' ||
    filter.path.steps.length === 0 ||
    filter.values[0] === false
  ) {
    return comparisonSql(rows, filter, viewer);
  }
  // Nothing on the other side that holds a value: nobody there is as good as a row without one.
  return sql`(${comparisonSql(rows, { ...filter, values: [false] }, viewer)}) is not true`;

  function group(parts: readonly Filter[], separator: string): Sql {
    return sql`(${joined(
      parts.map((part) => filterSql(rows, part, viewer)),
      separator,
    )})`;
  }
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
