import type { Engine } from '../../types/field-type.ts';

/** What a database holds, in the words of its engine: names as they are, expressions as the engine prints them. */
export interface Catalogue {
  readonly engine: Engine;
  readonly tables: readonly FoundTable[];
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** What no model is made of: `view`, `trigger`, a table of full text search. */
  readonly others: readonly { readonly kind: string; readonly name: string }[];
}

export interface FoundTable {
  readonly name: string;
  readonly comment?: string | undefined;
  readonly columns: readonly FoundColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly FoundKey[];
  readonly indexes: readonly FoundIndex[];
  readonly checks: readonly string[];
  /** SQLite keeps to the types of its columns in some tables only. */
  readonly isStrict?: boolean | undefined;
}

export interface FoundColumn {
  readonly name: string;
  /** Of an enum, its name. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default?: string | undefined;
  /** The database counts it up. */
  readonly isCounted?: boolean | undefined;
  readonly isGenerated?: boolean | undefined;
  /** Of texts on PostgreSQL: `default` for that of the database. */
  readonly collation?: string | undefined;
  /** `a` is `A`. */
  readonly isCaseless?: boolean | undefined;
  /** What stands behind it in the text of the table. */
  readonly note?: string | undefined;
}

export interface FoundKey {
  readonly columns: readonly string[];
  readonly table: string;
  readonly targets: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface FoundIndex {
  readonly name: string;
  readonly isUnique: boolean;
  /** An expression has no column. */
  readonly keys: readonly { readonly column: string | null; readonly isDescending: boolean }[];
  readonly where?: string | undefined;
  /** `btree`, unless it is of another kind. */
  readonly method: string;
}

/** Asks the database one question. */
export type Ask = (sql: string) => Promise<readonly Answer[]>;

export interface Answer {
  readonly [column: string]: unknown;
}

export const textIn = (row: Answer, name: string): string => String(row[name] ?? '');

export function textOrNone(row: Answer, name: string): string | undefined {
  const value = row[name];
  return value === null || value === undefined ? undefined : String(value);
}

export const isSet = (row: Answer, name: string) => row[name] === true || Number(row[name]) > 0;
