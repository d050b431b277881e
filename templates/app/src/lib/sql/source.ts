import { type Expression, sql, type SqlBool } from 'kysely';
import { type Condition, type ViewerInSql } from '../access.ts';
import { fieldOf, type Resource } from '../resource.ts';

export type Sql = Expression<unknown>;

/** A table in a statement, under its own name wherever it can have that: rules speak of it by that name. */
export interface Source {
  readonly resource: Resource;
  readonly alias: string;
}

export function source(resource: Resource): Source {
  return { resource, alias: resource.table };
}

/** The table inside of a statement about `around`, which may be about the same one. */
export function sourceInside(around: Source, resource: Resource): Source {
  const alias = around.alias === resource.table ? `${resource.table}_inside` : resource.table;
  return { resource, alias };
}

/** `"posts"`, or `"posts" as "posts_inside"` */
export function from({ resource, alias }: Source): Sql {
  const table = sql.table(resource.table);
  return alias === resource.table ? table : sql`${table} as ${sql.ref(alias)}`;
}

export function column({ resource, alias }: Source, name: string): Sql {
  const field = fieldOf(resource, name);
  return field.computed?.(alias) ?? sql.ref(`${alias}.${field.column ?? name}`);
}

/** What holds of the rows that a viewer may read: alive, and admitted by the policy. */
export function readable(rows: Source, viewer: ViewerInSql | null): readonly Sql[] {
  return [...alive(rows), ...admitted(rows, rows.resource.policy.read(viewer))];
}

export function alive(rows: Source): readonly Sql[] {
  return rows.resource.softDelete ? [sql`${column(rows, 'deleted_at')} is null`] : [];
}

/** A rule is about the table by its own name; under another one it is asked about the row of the same id. */
export function admitted(rows: Source, condition: Condition): readonly Sql[] {
  if (condition === true) return [];
  if (condition === false) return [sql`1 = 0`];
  if (rows.alias === rows.resource.table) return [condition];
  const named = source(rows.resource);
  const sameRow = sql`${column(named, 'id')} = ${column(rows, 'id')}`;
  return [sql`exists (select 1 from ${from(named)}${where([sameRow, condition])})`];
}

/** ` where a and b`, or nothing. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql` where ${all(conditions)}`;
}

export function all(conditions: readonly Sql[]): Expression<SqlBool> {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
