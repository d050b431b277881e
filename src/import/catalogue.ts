import type { Engine } from '../types/field-type.ts';

/**
 * The content of a database: names as they are, expressions as the engine prints them. For a Prisma schema, names are
 * those of models and fields, and `stored` is the name in the database.
 */
export interface Catalogue {
  readonly engine: Engine;
  readonly tables: readonly FoundTable[];
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** The types of enums that have another name in the database than in Prisma. */
  readonly enumTypes?: ReadonlyMap<string, string>;
  /** Things that do not become models: a `view`, a `trigger`, a table of full-text search. */
  readonly others: readonly {
    readonly kind: string;
    readonly name: string;
    readonly place?: string;
  }[];
}

/** The place and the wording in the source: `schema.prisma:14`, `Post.rating Decimal`. */
export type ItemInSource = readonly [place: string, what: string];

export interface FoundTable {
  readonly name: string;
  readonly stored?: string | undefined;
  readonly written?: ItemInSource | undefined;
  /** Whether it is a join table of Prisma. For a database, its columns tell. */
  readonly isJoin?: boolean | undefined;
  readonly comment?: string | undefined;
  readonly columns: readonly FoundColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly FoundKey[];
  readonly indexes: readonly FoundIndex[];
  readonly checks: readonly string[];
  /** Whether SQLite enforces the types of its columns. */
  readonly isStrict?: boolean | undefined;
}

export interface FoundColumn {
  readonly name: string;
  readonly stored?: string | undefined;
  readonly written?: ItemInSource | undefined;
  readonly comment?: string | undefined;
  /** The type in the engine's words, or the name of an enum. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default?: string | undefined;
  /** Whether the database generates it. */
  readonly isCounted?: boolean | undefined;
  readonly isGenerated?: boolean | undefined;
  /** Only for texts on PostgreSQL. `default` is the collation of the database. */
  readonly collation?: string | undefined;
  /** Whether `a` equals `A`. */
  readonly isCaseless?: boolean | undefined;
  /** The comment after the column in the SQL of the table. */
  readonly note?: string | undefined;
  /** For times that Prisma sets. */
  readonly role?: 'created' | 'updated' | undefined;
  /** The kind of an id that Prisma makes. */
  readonly made?: string | undefined;
  /** A feature of Prisma that the schema cannot express. */
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
  /** The names of the relation and of its inverse in Prisma. */
  readonly relation?: string | undefined;
  readonly inverse?: { readonly name: string; readonly written: ItemInSource } | undefined;
}

export interface FoundIndex {
  readonly name: string;
  readonly written?: ItemInSource | undefined;
  /** Whether Prisma declares it at the field, so that both are one element. */
  readonly isOfColumn?: boolean | undefined;
  readonly isUnique: boolean;
  /** Null for an expression. */
  readonly keys: readonly { readonly column: string | null; readonly isDescending: boolean }[];
  readonly where?: string | undefined;
  /** `btree` or another method. */
  readonly method: string;
}

/** The name in the database. */
export const storedName = ({ name, stored = name }: FoundTable | FoundColumn) => stored;

export const placeOf = ({ name, written = [name, name] }: FoundTable): ItemInSource => written;

export const columnPlace = (
  table: FoundTable,
  { name, type, written }: FoundColumn,
): ItemInSource => written ?? [table.name, `${table.name}.${name} ${type}`];
