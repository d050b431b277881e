import { InternalError } from '../errors.ts';
import type { EndpointName } from '../schema/language.ts';
import { fieldTypes } from '../types/all.ts';
import type { Json } from '../types/field-type.ts';
import type { AppShape } from './app-shape.ts';
import { momentIn } from '../types/found-columns.ts';

type ReadOnly<Value> = [Json] extends [Value]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadOnly<Value[Key]> }
    : Value;

export type App = ReadOnly<AppShape>;
export type Enum = App['enums'][number];
export type EnumValue = Enum['values'][number];
export type Model = App['models'][number];
export type Endpoint = EndpointName;
export type Field = Model['fields'][number];
export type Default = NonNullable<Field['default']>;
export type Relation = Model['relations'][number];
export type ToOne = Extract<Relation, { kind: 'one' }>;
export type Links = Extract<Relation, { kind: 'links' }>;
export type JoinTable = App['joinTables'][number];
export type UniqueConstraint = Model['unique'][number];
export type Index = Model['indexes'][number];
export type Check = Model['checks'][number];
export type OrderKey = Index['keys'][number];
export type Access = Model['access'];
export type Members = NonNullable<Model['members']>[number];

type Models = Pick<App, 'models'>;

export const findModel = (type: string, { models }: Models): Model | undefined =>
  models.find(({ names }) => names.type === type);

/** A user's password: set by the server, from what is sent. */
export const isPassword = ({ role, hidden }: Pick<Field, 'role' | 'hidden'>) =>
  role === 'base' && hidden;

/** Whether there are users at all: without them, the server cannot distinguish clients. */
export const hasAccounts = ({ models }: Models) => models.some(isUser);

const someField = ({ models }: Models, test: (field: Field) => boolean) =>
  models.some(({ fields }) => fields.some(test));

/** Whether users sign in here with passwords; otherwise they sign in elsewhere. */
export const hasPasswords = (app: Models) => someField(app, isPassword);

export const hasZonelessTimes = (app: Models) =>
  someField(app, ({ stored }) => momentIn(stored)?.hasZone === false);

export const hasMicroseconds = (app: Models) =>
  someField(app, ({ stored }) => momentIn(stored)?.digits === 6);

/** Whether ids are counted in columns of 32 bits. */
export const hasSmallIds = (app: Models) => someField(app, ({ stored }) => stored === 'int');

/** Whether some field has 64 bits, and is text in the API. */
export const hasBigints = (app: Models) => someField(app, ({ type }) => type.kind === 'bigint');

export const hasChecks = ({ models }: Models) => models.some(({ checks }) => checks.length > 0);

type Agreeing = ToOne & Required<Pick<ToOne, 'among'>>;

/** Relations whose keys have to agree with others. */
export const agreeingOf = ({ relations }: Pick<Model, 'relations'>): readonly Agreeing[] =>
  relations.filter((it): it is Agreeing => it.kind === 'one' && it.among !== undefined);

export const hasAgreement = ({ models }: Models) =>
  models.some((model) => agreeingOf(model).length > 0);

export const allMembers = ({ models }: Models): readonly Members[] =>
  models.flatMap(({ members = [] }) => members);

export const hasMembers = (app: Models) => allMembers(app).length > 0;

/** Those whom rules call by the word. */
export const findMembersCalled = (word: string | undefined, { members }: Pick<Model, 'members'>) =>
  members?.find((kind) => kind.word === word);

export const hasSecretLink = ({ models }: Models) => models.some(({ link }) => link !== undefined);

export const isUser = ({ names }: Pick<Model, 'names'>) => names.type === 'User';

/** Times that the server keeps, each at most once per model, under any name. */
export const isTime = (role: Field['role']) => times.has(role);

const times: ReadonlySet<Field['role']> = new Set(['created_at', 'updated_at', 'deleted_at']);

/** The field of that role, of which a model has one at most. */
export const findFieldFor = ({ fields }: Pick<Model, 'fields'>, role: Field['role']) =>
  fields.find((field) => field.role === role);

export const idColumn = (model: Pick<Model, 'fields'>) => findFieldFor(model, 'id')?.column ?? 'id';

/** The relation that a model holds the key of. */
export function findToOne(model: Model, name: string | undefined): ToOne | undefined {
  return model.relations.find((it): it is ToOne => it.kind === 'one' && it.name === name);
}

/** The relation that a field is the key of. */
export function findRelationOfKey(model: Model, key: string): ToOne | undefined {
  return model.relations.find((it): it is ToOne => it.kind === 'one' && it.key === key);
}

/** Throws for an unknown type: the rules of the schema have refused those. */
export function getModel(type: string, app: Models): Model {
  const model = findModel(type, app);
  if (model === undefined) throw new InternalError(`There is no model ${type}.`);
  return model;
}

/** By the name that the schema has for it. */
export function getModelCalled(name: string, { models }: Models): Model {
  const model = models.find((it) => it.name === name);
  if (model === undefined) throw new InternalError(`No model is called ${name}.`);
  return model;
}

export const findField = ({ fields }: Pick<Model, 'fields'>, name: string | undefined) =>
  fields.find((field) => field.name === name);

/** A field, or the key of a relation. */
export function getField(model: Model, name: string): Field {
  const field = findField(model, findToOne(model, name)?.key ?? name);
  if (field === undefined) throw new InternalError(`${model.names.type} has no field ${name}.`);
  return field;
}

/** The target of a to-one relation, and the field that is its key. */
export function targetOfRelation(model: Model, name: string, app: Models) {
  const relation = findToOne(model, name);
  if (!relation) throw new InternalError(`${model.names.type} has no relation ${name}.`);
  return { relation, there: getModel(relation.target, app), key: getField(model, name) };
}

/** A many-to-many relation whose ids the model shows. */
export type ShownLinks = Links & { readonly idsField: string };

export const isIdList = (relation: Relation): relation is ShownLinks =>
  relation.kind === 'links' && relation.idsField !== undefined;

/** Undefined for a field without an enum. */
export function findEnum({ type }: Pick<Field, 'type'>, { enums }: App): Enum | undefined {
  return enums.find(({ name }) => type.kind === 'enum' && type.enum === name);
}

export const valuesOf = (field: Pick<Field, 'type'>, app: App): readonly EnumValue[] =>
  findEnum(field, app)?.values ?? [];

/** A legal value of the field as it travels: the schema's own example where it gives one. */
export function sampleValue(field: Field, app: App): Json {
  if (field.example !== undefined) return field.example;
  return valuesOf(field, app)[0]?.value ?? fieldTypes[field.type.kind].sample(field);
}
