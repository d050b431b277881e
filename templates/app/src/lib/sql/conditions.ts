import type { Condition, Viewer } from '../access.ts';
import { encode } from '../dialect.ts';
import { fieldOf, type Resource } from '../resource.ts';
import { bound, joined, name, raw, sql, type Sql } from './sql.ts';

/** A table in a statement, under the name that it has there. */
export interface Source {
  readonly resource: Resource;
  readonly alias: Sql;
  /** How many tables surround it. */
  readonly depth: number;
}

/** `t0` for the outermost, `t1` for one inside it. */
export function source(resource: Resource, depth = 0): Source {
  return { resource, alias: raw(`t${depth}`), depth };
}

/** `"posts" as t0` */
export function from({ resource, alias }: Source): Sql {
  return sql`${name(resource.table)} as ${alias}`;
}

export function column({ resource, alias }: Source, field: string): Sql {
  return sql`${alias}.${name(fieldOf(resource, field).column ?? field)}`;
}

/** What holds of the rows that a viewer may read: alive, and admitted by the policy. */
export function readable(rows: Source, viewer: Viewer | null): readonly Sql[] {
  return [...alive(rows), ...admitted(rows, rows.resource.policy.read(viewer))];
}

export function alive(rows: Source): readonly Sql[] {
  return rows.resource.softDelete ? [sql`${column(rows, 'deleted_at')} is null`] : [];
}

export function admitted(rows: Source, condition: Condition): readonly Sql[] {
  return condition === true ? [] : [conditionSql(rows, condition)];
}

function conditionSql(rows: Source, condition: Condition): Sql {
  // Not by their names: in SQLite these would be the columns `true` and `false` where there are such.
  if (typeof condition === 'boolean') return raw(condition ? '1 = 1' : '1 = 0');
  if ('any' in condition) return group(rows, condition.any, ' or ');
  if ('all' in condition) return group(rows, condition.all, ' and ');
  const { field, equals } = condition;
  if (equals === null) return sql`${column(rows, field)} is null`;
  return sql`${column(rows, field)} = ${bound(encode(equals, fieldOf(rows.resource, field)))}`;
}

function group(rows: Source, conditions: readonly Condition[], separator: string): Sql {
  const parts = conditions.map((condition) => conditionSql(rows, condition));
  return sql`(${joined(parts, separator)})`;
}
