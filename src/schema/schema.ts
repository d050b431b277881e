import type { Engine, Json } from '../types/field-type.ts';
import type { Position } from './problem.ts';

/**
 * A schema file after reading: short forms expanded, everything the user wrote and nothing they did not.
 * An absent key is an absent property; `model/build.ts` fills the defaults. Every name and value keeps its place.
 */
export interface Schema {
  readonly app: { readonly name: Located<string>; readonly description?: string };
  readonly database?: Located<Engine>;
  readonly api?: { readonly prefix?: Located<string> };
  readonly roles: readonly Located<string>[];
  readonly enums: readonly EnumSchema[];
  readonly models: readonly ModelSchema[];
  readonly extensions: Extensions;
}

export interface Located<T> {
  readonly value: T;
  readonly at: Position;
}

export type { Json };

type Extensions = Readonly<Record<string, Json>>;

export interface EnumSchema {
  readonly name: Located<string>;
  readonly values: readonly EnumValueSchema[];
}

export interface EnumValueSchema {
  readonly value: Located<string>;
  readonly description?: string;
  readonly was?: Located<string>;
}

export interface ModelSchema {
  readonly name: Located<string>;
  readonly description?: string;
  readonly table?: Located<string>;
  readonly path?: Located<string>;
  readonly plural?: Located<string>;
  readonly id?: Located<'int' | 'uuid'>;
  readonly timestamps?: boolean;
  readonly softDelete?: boolean;
  readonly owner?: OwnerSchema;
  /** `none` is the empty list. */
  readonly endpoints?: readonly Located<EndpointName>[];
  readonly fields: readonly FieldSchema[];
  readonly relations: readonly RelationSchema[];
  readonly unique: readonly (readonly Located<string>[])[];
  /** A leading `-` means descending. */
  readonly indexes: readonly (readonly OrderKeySchema[])[];
  readonly orderBy?: readonly OrderKeySchema[];
  readonly access: Readonly<Partial<Record<EndpointName, RuleSchema>>>;
  /** What is shown of a row to those who may see one that leads to it; `[]` is nothing. */
  readonly embed?: readonly Located<string>[];
  readonly was?: Located<string>;
  readonly keysAt?: Places;
  readonly extensions: Extensions;
}

/** Whom it admits: `public`, `authenticated`, `owner`, `self`, or a role. */
export type RuleSchema = readonly Located<string>[];

export interface OwnerSchema {
  readonly relation: Located<string>;
  /** Roles that may name another user as the owner of a new row. */
  readonly assign?: readonly Located<string>[];
}

export const endpointNames = ['list', 'create', 'read', 'update', 'delete'] as const;

export type EndpointName = (typeof endpointNames)[number];

/** In the order of reports: who sees the rows, and then who changes them. */
export const operations: readonly EndpointName[] = ['list', 'read', 'create', 'update', 'delete'];

export function byEndpoint<Thing>(
  make: (name: EndpointName) => Thing,
): Record<EndpointName, Thing> {
  return {
    list: make('list'),
    create: make('create'),
    read: make('read'),
    update: make('update'),
    delete: make('delete'),
  };
}

export interface OrderKeySchema {
  readonly field: Located<string>;
  readonly descending: boolean;
}

export interface FieldSchema {
  readonly name: Located<string>;
  /** A scalar type's name or an enum's name, without range or flags; `decimal` carries its two numbers. */
  readonly type: Located<string>;
  readonly precision?: number;
  readonly scale?: number;
  readonly optional: boolean;
  /** As written: `now` and `uuid` are still words here. A `bigint` or `decimal` is a text already, as on the wire. */
  readonly default?: Located<Json>;
  /** Kept as text, so that bounds of `bigint` and `decimal` lose nothing. */
  readonly min?: Located<string>;
  readonly max?: Located<string>;
  readonly pattern?: Located<string>;
  readonly unique?: boolean;
  readonly index?: boolean;
  readonly readonly?: boolean;
  readonly immutable?: boolean;
  readonly hidden?: boolean;
  readonly read?: RuleSchema;
  readonly write?: RuleSchema;
  readonly keysAt?: Places;
  readonly description?: string;
  readonly example?: Located<Json>;
  readonly column?: Located<string>;
  readonly was?: Located<string>;
  readonly backfill?: Located<Json>;
  readonly extensions: Extensions;
}

export interface RelationSchema {
  readonly name: Located<string>;
  readonly to: Located<string>;
  readonly optional: boolean;
  readonly many: boolean;
  readonly unique?: boolean;
  readonly index?: boolean;
  readonly inverse?: Located<string>;
  readonly through?: Located<string>;
  readonly onDelete?: Located<'restrict' | 'cascade' | 'set_null'>;
  readonly column?: Located<string>;
  readonly was?: Located<string>;
  /** An id of the target; digits are a text already. */
  readonly backfill?: Located<Json>;
  readonly read?: RuleSchema;
  readonly write?: RuleSchema;
  readonly keysAt?: Places;
  readonly description?: string;
  readonly extensions: Extensions;
}

/** Where a key stands that has no located value, for messages. */
export type Places = Readonly<Record<string, Position>>;

/** `User` is always there, also when the file says nothing of it. */
export const plainUser: ModelSchema = {
  name: { value: 'User', at: { line: 1, column: 1, length: 1 } },
  fields: [],
  relations: [],
  unique: [],
  indexes: [],
  access: {},
  extensions: {},
};

type Words = Readonly<Record<EndpointName, readonly string[]>>;

/** Who may do what: the words of the file, and where it has none, few. */
export function accessWords(model: ModelSchema, operation: EndpointName): readonly string[] {
  const { list, read } = model.access;
  const written = operation === 'list' ? (list ?? read) : model.access[operation];
  return written?.map(({ value }) => value) ?? defaultAccess(model)[operation];
}

function defaultAccess({ name, owner }: ModelSchema): Words {
  if (name.value === 'User') return ofUsers;
  return owner === undefined ? ofAdmins : ofOwners;
}

const ofUsers: Words = {
  list: ['admin'],
  create: ['admin'],
  read: ['self'],
  update: ['self'],
  delete: ['admin'],
};

const ofOwners: Words = {
  list: ['authenticated'],
  create: ['authenticated'],
  read: ['authenticated'],
  update: ['owner'],
  delete: ['owner'],
};

const ofAdmins: Words = {
  list: ['authenticated'],
  create: ['admin'],
  read: ['authenticated'],
  update: ['admin'],
  delete: ['admin'],
};
