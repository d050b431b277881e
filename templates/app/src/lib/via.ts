import { sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { among, type Condition, idsOf, type Operation, type ViewerInSql } from './access.ts';
import type { AnyColumn, ColumnOf, TablesWith } from './columns.ts';
import type { Resource } from './resource.ts';
import { admitted, alive, column, from, source, where } from './sql.ts';

/**
 * Rows whose key leads to one on which the viewer may perform the operation: `via('team_id', () => teams, 'update')`.
 * Deleted rows admit nobody.
 */
export function via<Name extends AnyColumn, Table extends keyof Tables = TablesWith<Name>>(
  key: ColumnOf<Table, Name>,
  to: () => Resource,
  operation: Operation,
) {
  return (viewer: ViewerInSql | null, _rows: unknown, table: Table): Condition => {
    const there = source(to());
    const condition = there.resource.policy[operation](viewer);
    if (condition === false) return false;
    const found = [...alive(there), ...admitted(there, condition)];
    const ids = found.length === 1 ? idsOf(condition) : undefined;
    const all = sql`select ${column(there, 'id')} from ${from(there)}${where(found)}`;
    return among(sql.ref(`${table}.${key}`), ids ?? all);
  };
}
