import type { Field } from '../../model/app.ts';
import type { Order } from '../../schema/check.ts';
import type { Comparison } from '../../schema/entry.ts';

/** A table in one engine's words: types, defaults and expressions are SQL text, names are still unquoted. */
export interface Table {
  /** The id of the model or the join table: the same before and after a rename. */
  readonly id: string;
  readonly name: string;
  readonly comment?: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly checks: readonly TableCheck[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly TableIndex[];
  /** Triggers keep the number of its rows, and of those in which `deletedAt` is set. */
  readonly counted?: { readonly deletedAt: string | undefined };
}

export interface Column {
  /** The field in the column; its id is the column's own. */
  readonly field: Field;
  readonly name: string;
  /** Includes the collation. */
  readonly type: string;
  /** The values of its type, where that is an enum's. */
  readonly values?: readonly string[];
  readonly nullable: boolean;
  /** An id that the database counts up. */
  readonly generated?: true;
  readonly default?: string;
  /** A remark for readers who would not guess it from the type. */
  readonly note?: string;
}

export interface TableCheck {
  /** One, or the two that the operator compares. */
  readonly columns: readonly string[];
  readonly operator?: Order;
  readonly name: string;
  readonly expression: string;
}

/** The check of a column alone. */
export function findCheckOn({ checks }: Table, column: string): TableCheck | undefined {
  return checks.find(({ columns, operator }) => operator === undefined && columns.includes(column));
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly table: string;
  /** Id of that table. */
  readonly target: string;
  /** The column of its ids. */
  readonly to: string;
  readonly onDelete: 'restrict' | 'cascade' | 'set_null';
  readonly onUpdate?: 'cascade';
  /** Checked when the transaction ends: see `deferKeys`. */
  readonly deferred?: boolean;
}

/** The column of the ids; the tables of links have none. */
export function findIdColumn({ columns }: Pick<Table, 'columns'>): Column | undefined {
  return columns.find(({ field }) => field.role === 'id');
}

export function findKeyOn({ foreignKeys }: Table, column: string): ForeignKey | undefined {
  return foreignKeys.find((key) => key.column === column);
}

export interface TableIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly keys: readonly { readonly column: string; readonly descending: boolean }[];
  /** A partial index: the conditions of its rows, all of which hold. */
  readonly where?: readonly IndexCondition[];
}

/** `status` `=` `'active'` */
export interface IndexCondition {
  readonly column: string;
  readonly operator: Comparison['operator'];
  /** SQL literals. */
  readonly literals: readonly string[];
}

/** Triggers that keep the number of a table's rows. */
export interface Counting {
  /** Made with the table of totals, and dropped after it. */
  readonly begin: readonly string[];
  readonly end: readonly string[];
  readonly start: (table: Table) => readonly string[];
  readonly stop: (table: Table) => readonly string[];
  /** Puts the number of the rows that are there in the place of what was counted. */
  readonly count: (table: Table) => string;
  /** Whether the triggers go on when the table gets another name. */
  readonly followsNames: boolean;
}
