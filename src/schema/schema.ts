import type { Engine, Json } from '../types/field-type.ts';
import type { NameCase } from '../naming/name.ts';
import type { KeyKind } from '../types/keys.ts';
import type { Position } from './problem.ts';

/**
 * A schema file after reading: short forms expanded, everything the user wrote and nothing they did not.
 * An absent key is an absent property; `model/build.ts` fills the defaults. Every name and value keeps its place.
 */
export interface Schema {
  readonly app: { readonly name: Located<string>; readonly description?: string };
  readonly database?: Located<Engine>;
  readonly api?: { readonly prefix?: Located<string> };
  readonly naming?: Partial<Naming>;
  readonly roles: readonly Located<string>[];
  /** Whether each user has a name. */
  readonly userName?: Located<(typeof presences)[number]>;
  /** `false` where users sign in elsewhere. */
  readonly password?: boolean;
  readonly enums: readonly EnumSchema[];
  readonly models: readonly ModelSchema[];
  readonly extensions: Extensions;
}

export const presences = ['required', 'optional'] as const;

/** The case of names that the schema does not give: in the API, and, where that differs, of every column. */
export interface Naming {
  readonly api: NameCase;
  readonly columns: NameCase;
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
  readonly id?: IdSchema;
  readonly timestamps?: TimestampsSchema;
  /** The name of the time, where it is given. */
  readonly softDelete?: Located<string> | boolean;
  readonly owner?: OwnerSchema;
  /** `none` is the empty list. */
  readonly endpoints?: readonly Located<EndpointName>[];
  readonly fields: readonly FieldSchema[];
  readonly relations: readonly RelationSchema[];
  readonly unique: readonly Group<Located<string>>[];
  /** A leading `-` means descending. */
  readonly indexes: readonly Group<OrderKeySchema>[];
  /** `ends_on >= starts_on` */
  readonly checks: readonly Located<string>[];
  readonly orderBy?: readonly OrderKeySchema[];
  readonly access: Readonly<Partial<Record<Operation | 'all', RuleSchema>>>;
  readonly members: readonly MembersSchema[];
  readonly link?: LinkSchema;
  /** What is shown of a row to those who may see one that leads to it; `[]` is nothing. */
  readonly embed?: readonly Located<string>[];
  readonly was?: Located<string>;
  readonly keysAt?: Places;
  readonly extensions: Extensions;
}

/** Fields that are unique together, or share an index. */
export interface Group<Key> {
  readonly keys: readonly Key[];
  /** Of which rows; of all where nothing is said. */
  readonly where?: Located<string>;
}

/** Which times are kept, and what they are called where that is given. */
export interface TimestampsSchema {
  readonly created?: Located<string> | true;
  readonly updated?: Located<string> | true;
}

export interface IdSchema {
  readonly type: Located<KeyKind>;
  /** Of keys that the server makes as texts. */
  readonly prefix?: Located<string>;
  /** Of keys that clients give: in characters. */
  readonly max?: Located<number>;
}

/** Whom it admits: each an entry of `entry.ts`. */
export type RuleSchema = readonly Located<string>[];

/** People around a row, whom rows of another model name; rules speak of them by the word. */
export interface MembersSchema {
  readonly word: Located<string>;
  /** `Membership`, or `Membership.person` where that leads to several users. */
  readonly by: Located<string>;
  /** Which rows count. */
  readonly if?: Located<string>;
  /** The role of whoever makes a row; `true` where members have no roles. */
  readonly first?: Located<string | true>;
}

/** Whoever knows the secret of a row is admitted as `link`. */
export interface LinkSchema {
  /** The field under which the secret is answered to whoever makes a row, and its hash is kept. */
  readonly secret: Located<string>;
  /** Which links count. */
  readonly if?: Located<string>;
}

export const memberWords = ({ members }: Pick<ModelSchema, 'members'>): readonly string[] =>
  members.map(({ word }) => word.value);

export interface OwnerSchema {
  readonly relation: Located<string>;
  /** Roles that may name another user as the owner of a new row. */
  readonly assign?: readonly Located<string>[];
}

export const endpointNames = ['list', 'create', 'read', 'update', 'delete'] as const;

export type EndpointName = (typeof endpointNames)[number];

/**
 * What rules are about, in the order of reports: who sees the rows, who changes them, who brings back what was deleted,
 * who puts a key to one into a row of their own.
 */
export const operations = [
  'list',
  'read',
  'create',
  'update',
  'delete',
  'restore',
  'refer',
] as const;

export type Operation = (typeof operations)[number];

export function byOperation<Thing>(make: (name: Operation) => Thing): Record<Operation, Thing> {
  return {
    list: make('list'),
    read: make('read'),
    create: make('create'),
    update: make('update'),
    delete: make('delete'),
    restore: make('restore'),
    refer: make('refer'),
  };
}

/** What is asked of the other row where nothing is said: to see it, or to change it. */
export function operationVia(operation: Operation): Operation {
  if (operation === 'list') return 'list';
  return operation === 'read' || operation === 'refer' ? 'read' : 'update';
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
  /** `project.member`: members to whom the target belongs, or a row to which it leads as well. */
  readonly among?: Located<string>;
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
  checks: [],
  access: {},
  members: [],
  extensions: {},
};

type Words = Readonly<Record<Operation, readonly string[]>>;

/** Who may do what: the entries of the file, and where it has none, few. What holds of `all` besides comes last. */
export function accessWords(model: ModelSchema, operation: Operation): readonly string[] {
  const { access } = model;
  const isSeeing = operation === 'list' || operation === 'refer';
  const [own, all] = [access[operation] ?? (isSeeing ? access.read : undefined), access.all].map(
    (rule) => rule?.map(({ value }) => value.trim()) ?? [],
  );
  const admitting = [own, all].map((words = []) => words.filter((word) => !isOnly(word)));
  const open = admitting.find((words) => words.length > 0) ?? defaultAccess(model)[operation];
  return [...new Set([...open, ...[own, all].flatMap((words = []) => words.filter(isOnly))])];
}

const isOnly = (word: string) => /^only\b/.test(word);

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
  restore: ['admin'],
  refer: ['authenticated'],
};

const ofOwners: Words = {
  list: ['authenticated'],
  create: ['authenticated'],
  read: ['authenticated'],
  update: ['owner'],
  delete: ['owner'],
  restore: ['admin'],
  refer: ['authenticated'],
};

const ofAdmins: Words = {
  list: ['authenticated'],
  create: ['admin'],
  read: ['authenticated'],
  update: ['admin'],
  delete: ['admin'],
  restore: ['admin'],
  refer: ['authenticated'],
};
