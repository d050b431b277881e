import { type Expression, expressionBuilder, type SelectType, sql, type SqlBool } from 'kysely';
import { encode } from '../database/dialect.ts';
import { isSlot, type Slot } from '../database/slot.ts';
import { columnTypes, type Tables } from '../database/tables.ts';
import type { User } from '../users/schema.ts';
import { among, type Condition, type Rule, type ViewerInSql } from './access.ts';
import type { Resource } from './resource.ts';
import { alive, source, where } from './sql.ts';

type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';
type Columns<Table extends keyof Tables> = keyof Tables[Table] & string;

/** What a viewer has, as a statement knows it; a query where it is not in their own row. */
type OfViewer = (viewer: ViewerInSql) => Expression<unknown>;

/**
 * Rows by what a column of theirs holds: `when('status', '=', 'draft')`, `when('published_at', '<=', now)`. As in SQL, a
 * comparison with null does not hold, `!=` neither: `when('closed_at', 'is', null)`.
 */
export function when<Table extends keyof Tables, Column extends Columns<Table>>(
  column: Column,
  ...[operator, value]:
    | readonly [Operator, NonNullable<SelectType<Tables[Table][Column]>> | Slot<string> | OfViewer]
    | readonly ['in', readonly SelectType<Tables[Table][Column]>[]]
    | readonly ['is' | 'is not', null]
): Rule<Table> {
  return (viewer, _rows, table) => {
    const type = columnTypes[table]?.[column];
    const bound = (each: unknown) => {
      if (type === undefined) return each;
      return isSlot(each) ? each.encoded((it) => encode(it, type)) : encode(each, type);
    };
    const left = sql.ref(`${table}.${column}`);
    const compared = sql.raw(operator);
    if (Array.isArray(value)) return sql<SqlBool>`${left} in (${sql.join(value.map(bound))})`;
    if (value === null) return sql<SqlBool>`${left} ${compared} null`;
    if (!isOfViewer(value)) return sql<SqlBool>`${left} ${compared} ${bound(value)}`;
    return viewer !== null && sql<SqlBool>`${left} ${compared} ${bound(value(viewer))}`;
  };
}

const isOfViewer = (value: unknown): value is OfViewer => typeof value === 'function';

/** What a field of the viewer's own row holds: `when('organisation_id', '=', me('organisation_id'))`. */
export function me(name: keyof User): OfViewer {
  return (viewer) => viewer.value(name);
}

/**
 * What a column holds of the row to which a key of the viewer's leads: `mine(me('team_id'), 'teams', 'plan')`. `to` is given
 * where that may be deleted, and is nothing then.
 */
export function mine<Table extends keyof Tables>(
  key: OfViewer,
  table: Table,
  column: Columns<Table>,
  to?: () => Resource,
): OfViewer {
  const ref = (name: string) => sql.ref(`${table}.${name}`);
  return (viewer) => {
    const found = where([sql`${ref('id')} = ${key(viewer)}`, ...living(to)]);
    return sql`(select ${ref(column)} from ${sql.table(table)}${found})`;
  };
}

/** Rows of which a rule does not hold. */
export function not<Table extends keyof Tables>(rule: Rule<Table>): Rule<Table> {
  return (...asked) => {
    const condition = rule(...asked);
    return typeof condition === 'boolean' ? !condition : sql<SqlBool>`(${condition}) is not true`;
  };
}

/**
 * Rows whose key leads to one of another table that a rule admits to, whoever may read that: without one, none. `to` is given
 * where that may be deleted.
 */
export function over<There extends keyof Tables>(
  key: string,
  there: There,
  rule: Rule<There>,
  to?: () => Resource,
) {
  const rows = expressionBuilder<Tables, There>();
  return <Here extends keyof Tables>(
    viewer: ViewerInSql | null,
    _rows: unknown,
    here: Here,
  ): Condition => {
    const condition = rule(viewer, rows, there);
    if (condition === false) return false;
    const found = where([...living(to), ...(condition === true ? [] : [condition])]);
    const ids = sql`select ${sql.ref(`${there}.id`)} from ${sql.table(there)}${found}`;
    return among(sql.ref(`${here}.${key}`), ids);
  };
}

const living = (to?: () => Resource) => (to === undefined ? [] : alive(source(to())));
