import type { Engine } from '../types/field-type.ts';

/**
 * The content of a database, in the words of its engine: names as they are, expressions as the engine prints them. For
 * a Prisma schema, names are those of models and fields, and `stored` is the name in the database.
 */
export interface Catalogue {
  readonly engine: Engine;
  readonly tables: readonly FoundTable[];
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** The types of enums, where Prisma has other names for them than the database. */
  readonly enumTypes?: ReadonlyMap<string, string>;
  /** Things that do not become models: `view`, `trigger`, a table of full-text search. */
  readonly others: readonly {
    readonly kind: string;
    readonly name: string;
    readonly place?: string;
  }[];
}

/** The place in a file and the wording there: `schema.prisma:14`, `Post.rating Decimal`. */
export type ItemInSource = readonly [place: string, what: string];

export interface FoundTable {
  readonly name: string;
  readonly stored?: string | undefined;
  readonly written?: ItemInSource | undefined;
  /** Whether Prisma keeps pairs in it; in a database, its columns show that. */
  readonly isJoin?: boolean | undefined;
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
  readonly stored?: string | undefined;
  readonly written?: ItemInSource | undefined;
  readonly comment?: string | undefined;
  /** The type in the engine's words; for an enum, its name. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default?: string | undefined;
  /** The database counts it up. */
  readonly isCounted?: boolean | undefined;
  readonly isGenerated?: boolean | undefined;
  /** Only texts on PostgreSQL have one; `default` is that of the database. */
  readonly collation?: string | undefined;
  /** `a` is `A`. */
  readonly isCaseless?: boolean | undefined;
  /** The comment after it in the SQL of the table. */
  readonly note?: string | undefined;
  /** Marks the times that Prisma keeps. */
  readonly role?: 'created' | 'updated' | undefined;
  /** The kind of an id that Prisma makes. */
  readonly made?: string | undefined;
  /** A feature of Prisma that is lost here. */
  readonly lost?: string | undefined;
}

export interface FoundKey {
  readonly columns: readonly string[];
  readonly table: string;
  readonly targets: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
  readonly written?: ItemInSource | undefined;
  readonly comment?: string | undefined;
  /** The names of the relation and of its other side in Prisma. */
  readonly relation?: string | undefined;
  readonly inverse?: { readonly name: string; readonly written: ItemInSource } | undefined;
}

export interface FoundIndex {
  readonly name: string;
  readonly written?: ItemInSource | undefined;
  /** Prisma declares it with the column, as one element. */
  readonly isOfColumn?: boolean | undefined;
  readonly isUnique: boolean;
  /** An expression has no column. */
  readonly keys: readonly { readonly column: string | null; readonly isDescending: boolean }[];
  readonly where?: string | undefined;
  /** `btree`, unless it is of another kind. */
  readonly method: string;
}

/** The name in the database. */
export const storedName = ({ name, stored = name }: FoundTable | FoundColumn) => stored;

export const placeOf = ({ name, written = [name, name] }: FoundTable): ItemInSource => written;

export const columnPlace = (
  table: FoundTable,
  { name, type, written }: FoundColumn,
): ItemInSource => written ?? [table.name, `${table.name}.${name} ${type}`];
