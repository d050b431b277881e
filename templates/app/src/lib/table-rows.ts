import type { SelectQueryBuilder } from 'kysely';
import type { Database } from '../database/client.ts';
import type { Tables } from '../database/tables.ts';

/** A Kysely query over the rows of a table and those joined to them. */
export type TableRows<Joined extends keyof Tables> = SelectQueryBuilder<Tables, Joined, object>;

/** Your own function that filters rows, joins others or sets an order. */
export type OwnRows<Table extends keyof Tables, Joined extends keyof Tables, Scope> = (
  rows: TableRows<Table>,
  scope: Scope,
) => TableRows<Joined>;

// Overloads take the place of casts, since the types of Kysely cannot express what holds here.

/** The rows as they are, or as an owner's own function narrows them down. */
export function narrowed<Table extends keyof Tables, Joined extends keyof Tables, Scope>(
  rows: TableRows<Table>,
  own: OwnRows<Table, Joined, Scope> | undefined,
  scope: Scope,
): TableRows<Joined>;
export function narrowed<Scope>(
  rows: TableRows<keyof Tables>,
  own: OwnRows<keyof Tables, keyof Tables, Scope> | undefined,
  scope: Scope,
) {
  return own === undefined ? rows : own(rows, scope);
}

export function rowsOf<Table extends keyof Tables>(
  database: Database,
  table: Table,
): TableRows<Table>;
export function rowsOf(database: Database, table: keyof Tables) {
  return database.selectFrom(table);
}

export function selectAllOf<Joined extends keyof Tables>(
  rows: TableRows<Joined>,
  table: keyof Tables,
): TableRows<Joined>;
export function selectAllOf(rows: TableRows<keyof Tables>, table: keyof Tables) {
  return rows.selectAll(table);
}
