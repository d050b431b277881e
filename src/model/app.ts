import type { Json } from '../types/field-type.ts';
import type { AppShape } from './app-shape.ts';

type ReadOnly<Value> = [Json] extends [Value]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadOnly<Value[Key]> }
    : Value;

export type App = ReadOnly<AppShape>;
export type Enum = App['enums'][number];
export type EnumValue = Enum['values'][number];
export type Model = App['models'][number];
export type Field = Model['fields'][number];
export type Default = NonNullable<Field['default']>;
export type Relation = Model['relations'][number];
export type ToOneRelation = Extract<Relation, { kind: 'one' }>;
/** What a relation says about the rows that it may name. */
export type Among = NonNullable<ToOneRelation['among']>;
export type LinksRelation = Extract<Relation, { kind: 'links' }>;
export type JoinTable = App['joinTables'][number];
export type UniqueConstraint = Model['unique'][number];
export type Index = Model['indexes'][number];
export type Check = Model['checks'][number];
export type OrderKey = Index['keys'][number];
export type Access = Model['access'];
export type MemberKind = NonNullable<Model['members']>[number];

/** All that most functions read of an app. */
export type Models = Pick<App, 'models'>;

/** Whether the field is a user's password. */
export const isPassword = ({ role, hidden }: Pick<Field, 'role' | 'hidden'>) =>
  role === 'base' && hidden;

export const isUser = ({ name }: Pick<Model, 'name'>) => name === 'User';

/** The enum of the roles that users have. */
export const isRole = ({ name }: Pick<Enum, 'name'>) => name === 'Role';

/** Whether the server keeps a time in the field. A model has at most one field of each such role. */
export const isServerTime = (role: Field['role']) => serverTimes.has(role);

const serverTimes: ReadonlySet<Field['role']> = new Set(['created_at', 'updated_at', 'deleted_at']);

/** A many-to-many relation whose ids the model has in a field of its API. */
export type LinksWithIds = LinksRelation & { readonly idsField: string };

export const showsIds = (relation: Relation): relation is LinksWithIds =>
  relation.kind === 'links' && relation.idsField !== undefined;
