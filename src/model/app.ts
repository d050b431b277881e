import type { ModelNames } from '../naming/name.ts';
import type { EndpointName, Extensions } from '../schema/schema.ts';
import { fieldTypes } from '../types/all.ts';
import type { Engine, FieldType, Json } from '../types/field-type.ts';

export type { Engine, FieldType, Json };

/**
 * What a schema file means, with every default filled in and every name spelled out.
 * Built by `build.ts`, read by `render`, `evolve` and the tests; nothing here refers to the file's text.
 */

export interface App {
  /** As written in `app.name`: a legal npm package name. */
  readonly name: string;
  /** For headings: `blog-api` → `Blog api`. */
  readonly title: string;
  readonly description: string;
  readonly database: Engine;
  /** Where the rows were before the project came to its engine: a schema does not say that. */
  readonly formerDatabase?: Engine;
  /** Leading slash, no trailing slash; empty for the root. */
  readonly apiPrefix: string;
  /** `user` and `admin` first, then the declared ones in file order. */
  readonly roles: readonly string[];
  readonly enums: readonly Enum[];
  /** `User` first, then file order. */
  readonly models: readonly Model[];
  /** Join tables of the many-to-many relations without `through`, in file order. */
  readonly joinTables: readonly JoinTable[];
  readonly extensions: Extensions;
  /** Version of the tables that authentication and mail keep for themselves. */
  readonly layout: number;
}

export interface Enum {
  readonly id: string;
  readonly name: string;
  readonly values: readonly EnumValue[];
}

export interface EnumValue {
  readonly id: string;
  readonly value: string;
  readonly description?: string;
  readonly was?: string;
}

export interface Model {
  /** Stable identity, kept over renames: written to `.scaffold/schema.json`. */
  readonly id: string;
  readonly names: ModelNames;
  readonly table: string;
  /** URL segment below the API prefix, without slashes. */
  readonly path: string;
  readonly description?: string;
  readonly was?: string;
  readonly idType: 'int' | 'uuid';
  readonly timestamps: boolean;
  readonly softDelete: boolean;
  /** Name of the to-one relation to `User` that owns a row. */
  readonly owner?: string;
  /** Roles that may name another user as the owner of a new row, as admins may then; absent when nobody may. */
  readonly assign?: readonly string[];
  readonly endpoints: readonly Endpoint[];
  /**
   * Every column in wire order: `id`, the declared fields, the key columns of the to-one relations, `created_at`,
   * `updated_at`, `deleted_at`. On `User`, the base fields come before the declared ones.
   */
  readonly fields: readonly Field[];
  readonly relations: readonly Relation[];
  readonly unique: readonly UniqueConstraint[];
  readonly indexes: readonly Index[];
  /** Default order; the primary key is appended by the server, not here. */
  readonly orderBy: readonly OrderKey[];
  readonly access: Access;
  /** Fields that are shown of a row to those who may see one that leads to it. */
  readonly embed: readonly string[];
  readonly extensions: Extensions;
}

export type Endpoint = EndpointName;

export interface Field {
  readonly id: string;
  readonly name: string;
  readonly column: string;
  readonly type: FieldType;
  readonly nullable: boolean;
  /** How the value comes to be: written by clients, or set by the server alone. */
  readonly source: 'client' | 'server';
  /** Why a field is there, for views that treat the built-in ones apart. */
  readonly role: 'id' | 'declared' | 'base' | 'key' | 'created_at' | 'updated_at' | 'deleted_at';
  /** For `role: 'key'`: the name of its relation. */
  readonly relation?: string;
  readonly default?: Default;
  /** Length for text, value for numbers; bounds of `bigint` and `decimal` are decimal strings. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  readonly unique: boolean;
  readonly index: boolean;
  /** Accepted on create, refused on update. */
  readonly immutable: boolean;
  /** Secret: never in a response, filter, order, field selection, log, document or client. */
  readonly hidden: boolean;
  /** Who else sees, or writes, the value; all who see, or write, the row where this is absent. */
  readonly read?: readonly Entry[];
  readonly write?: readonly Entry[];
  readonly description?: string;
  readonly example?: Json;
  readonly backfill?: Json;
  readonly was?: string;
  readonly extensions: Extensions;
}

export type Default =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'now' }
  | { readonly kind: 'uuid' };

export type Relation = ToOne | ToMany | Links;

/** The key is a column of this model. */
export interface ToOne {
  readonly kind: 'one';
  readonly id: string;
  readonly name: string;
  readonly target: string;
  /** Field (and, unless overridden, column) that holds the key: `author_id`. */
  readonly key: string;
  readonly optional: boolean;
  /** One-to-one. */
  readonly unique: boolean;
  readonly onDelete: 'restrict' | 'cascade' | 'set_null';
  readonly inverse?: string;
  readonly was?: string;
  readonly description?: string;
}

/** The other side of a `ToOne`, present when `inverse` names it. `single` for one-to-one. */
interface ToMany {
  readonly kind: 'inverse';
  readonly id: string;
  readonly name: string;
  readonly target: string;
  /** Name of the `ToOne` on `target`. */
  readonly of: string;
  readonly single: boolean;
}

/** Many-to-many, through a join table or a model of its own. */
export interface Links {
  readonly kind: 'links';
  readonly id: string;
  readonly name: string;
  readonly target: string;
  /** Table that joins, its column to this model and its column to the target. */
  readonly table: string;
  readonly column: string;
  readonly targetColumn: string;
  /** Model named by `through`; its rows are written by its own endpoints, so `idsField` is read-only then. */
  readonly through?: string;
  /** `tag_ids` on the wire; absent on the inverse side, which is read through filters and embedding only. */
  readonly idsField?: string;
  readonly read?: readonly Entry[];
  readonly write?: readonly Entry[];
  readonly inverse?: string;
  readonly was?: string;
  readonly description?: string;
}

export interface JoinTable {
  readonly id: string;
  readonly table: string;
  /** Both form the primary key; both cascade. */
  readonly left: { readonly column: string; readonly model: string };
  readonly right: { readonly column: string; readonly model: string };
  /** Name of the index on the right column. */
  readonly index: string;
}

export interface UniqueConstraint {
  /** `posts_author_id_slug_unique`, at most 63 bytes. */
  readonly name: string;
  readonly fields: readonly string[];
}

export interface Index {
  /** `posts_status_published_at_index`, at most 63 bytes. */
  readonly name: string;
  /** The id comes last, as it does in every order of a list. */
  readonly keys: readonly OrderKey[];
}

export interface OrderKey {
  readonly field: string;
  readonly descending: boolean;
}

/** Any entry admits; `admin` always passes. */
export type Access = Readonly<Record<Endpoint, readonly Entry[]>>;

/** Whom a rule admits. */
export type Entry =
  | { readonly kind: 'public' | 'authenticated' | 'owner' | 'self' }
  | { readonly kind: 'role'; readonly role: string };

/** Undefined for a field that holds none. */
export function enumOf({ type }: Pick<Field, 'type'>, { enums }: App): Enum | undefined {
  return enums.find(({ name }) => type.kind === 'enum' && type.enum === name);
}

export function valuesOf(field: Pick<Field, 'type'>, app: App): readonly EnumValue[] {
  return enumOf(field, app)?.values ?? [];
}

/** A legal value of the field as it travels: the schema's own example where it gives one. */
export function sampleValue(field: Field, app: App): Json {
  if (field.example !== undefined) return field.example;
  return valuesOf(field, app)[0]?.value ?? fieldTypes[field.type.kind].sample(field);
}
