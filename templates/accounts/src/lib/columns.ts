import type { Tables } from '../database/tables.ts';

export type Columns<Table extends keyof Tables> = keyof Tables[Table] & string;

export type AnyColumn = { [Table in keyof Tables]: Columns<Table> }[keyof Tables];

export type TablesWith<Name extends AnyColumn> = {
  [Table in keyof Tables]: Name extends Columns<Table> ? Table : never;
}[keyof Tables];

/** A column that the table has; otherwise, the columns that it has. */
export type ColumnOf<Table extends keyof Tables, Name extends AnyColumn> = [Name] extends [
  Columns<Table>,
]
  ? Name
  : Columns<Table>;
