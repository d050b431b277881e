import { keyName } from '../naming/name.ts';
import { present } from '../schema/present.ts';
import type { Facts, ModelFacts } from '../schema/rules/facts.ts';
import { columnName, type Time } from '../schema/rules/member-facts.ts';
import type { FieldSchema } from '../schema/keys/field.ts';
import { typeOf } from '../schema/keys/field-type.ts';
import type { ModelSchema } from '../schema/keys/model.ts';
import type { RelationSchema } from '../schema/keys/relation.ts';
import type { Located } from '../schema/language.ts';
import { canonicalValue, factsOf, fieldTypes } from '../types/all.ts';
import { email } from '../types/email.ts';
import { isMadeKey, type KeyKind, longestKey } from '../types/keys.ts';
import { entries } from './access.ts';
import type { App, Default, Entry, Enum, Field, FieldType, Json } from './app.ts';

/** The models of a schema by their names in it, `User` first. */
export type ByName = Facts['byName'];

/** Every column of a model, in wire order. */
export function buildFields(facts: ModelFacts, byName: ByName): readonly Field[] {
  const { schema, isUser } = facts;
  const keys = schema.relations.filter((relation) => !relation.many);
  return [
    idField(schema),
    ...(isUser ? userFields : []),
    ...schema.fields.map((field) => declaredField(facts, field)),
    ...keys.map((relation) => keyField(facts, relation, byName)),
    ...facts.times.map((time) => timeField(facts, time)),
  ];
}

export const idTypeOf = ({ id }: ModelSchema) => id?.type.value ?? 'int';

function idField(schema: ModelSchema): Field {
  const idType = idTypeOf(schema);
  const shape = {
    ...plainField(schema.name.value, 'id'),
    type: keyType(idType),
    source: 'server',
    role: 'id',
  } as const;
  if (idType === 'uuid') return { ...shape, default: { kind: 'uuid' } };
  if (idType === 'text') {
    const max = schema.id?.max?.value ?? longestKey;
    return { ...shape, source: 'client', immutable: true, min: 1, max };
  }
  if (!isMadeKey(idType)) return shape;
  const prefix = schema.id?.prefix?.value;
  return { ...shape, default: { kind: 'key', maker: idType, ...present({ prefix }) } };
}

function declaredField({ schema: model, naming }: ModelFacts, field: FieldSchema): Field {
  const name = field.name.value;
  // A decimal that does not say its digits was refused.
  const type: FieldType = typeOf(field) ?? { kind: 'decimal', precision: 18, scale: 2 };
  return {
    ...plainField(model.name.value, name),
    column: field.column?.value ?? columnName(name, naming),
    type,
    nullable: field.optional,
    source: field.readonly ? 'server' : 'client',
    role: 'declared',
    unique: field.unique ?? false,
    index: field.index ?? false,
    immutable: field.immutable ?? false,
    hidden: field.hidden ?? false,
    extensions: field.extensions,
    ...present({
      default: buildDefault(type, field.default),
      min: bound(type, field.min),
      max: bound(type, field.max) ?? impliedMax(model, field),
      pattern: field.pattern?.value,
      description: field.description,
      example: canonical(type, field.example),
      backfill: canonical(type, field.backfill),
      was: field.was?.value,
      read: entries(field.read, model),
      write: entries(field.write, model),
    }),
  };
}

function keyField(
  { schema: model, naming }: ModelFacts,
  relation: RelationSchema,
  byName: ByName,
): Field {
  const name = keyName(relation.name.value, naming.api);
  const target = byName.get(relation.to.value);
  const type = keyType(target === undefined ? 'int' : idTypeOf(target.schema));
  return {
    ...plainField(model.name.value, name),
    column: relation.column?.value ?? columnName(name, naming),
    type,
    nullable: relation.optional,
    source: model.owner?.relation.value === relation.name.value ? 'server' : 'client',
    role: 'key',
    relation: relation.name.value,
    unique: relation.unique ?? false,
    index: relation.index ?? true,
    ...present({
      description: relation.description,
      backfill: canonical(type, relation.backfill),
      read: entries(relation.read, model),
      write: ownerIsAssigned(model, relation) ?? entries(relation.write, model),
    }),
  };
}

/** The owner is the user who makes the row, or whom those name who may. */
function ownerIsAssigned(model: ModelSchema, { name }: RelationSchema) {
  const { relation, assign } = model.owner ?? {};
  if (relation?.value !== name.value || assign === undefined) return undefined;
  const roles = assign.map(({ value }): Entry => ({ kind: 'role', role: value }));
  return [{ kind: 'owner' } as const, ...roles];
}

function timeField({ schema, naming }: ModelFacts, { name, role }: Time): Field {
  return {
    ...plainField(schema.name.value, name),
    column: columnName(name, naming),
    type: { kind: 'datetime' },
    source: 'server',
    role,
    ...(role === 'deleted_at' ? { nullable: true } : { default: { kind: 'now' } }),
  };
}

function buildDefault(type: FieldType, written: Located<Json> | undefined): Default | undefined {
  if (written === undefined) return undefined;
  const { made } = fieldTypes[type.kind];
  if (made !== undefined && written.value === made.word) return { kind: made.word };
  return { kind: 'literal', value: canonicalValue(type, written.value) };
}

function bound(type: FieldType, written: Located<string> | undefined): number | string | undefined {
  if (written === undefined) return undefined;
  return fieldTypes[type.kind].exact
    ? String(canonicalValue(type, written.value))
    : Number(written.value);
}

function canonical(type: FieldType, written: Located<Json> | undefined): Json | undefined {
  return written === undefined ? undefined : canonicalValue(type, written.value);
}

/** An entry of a PostgreSQL index holds 2,704 bytes, and a character takes up to four of them. */
const longestEntry = 640;

/** The bound of a text whose schema gives none: that of its type, or what fits the indexes it stands in. */
function impliedMax(model: ModelSchema, field: FieldSchema): number | undefined {
  const ofType = factsOf(field.type.value)?.lengths;
  if (ofType !== undefined) return ofType.most;
  if (!isUnbounded(field)) return undefined;
  const most = Math.max(
    0,
    ...entriesOf(model, field).map((fields) => fields.filter(isUnbounded).length),
  );
  return most === 0 ? undefined : Math.floor(longestEntry / most);
}

/** The fields that share an index with this one, once for each index. */
function entriesOf(model: ModelSchema, field: FieldSchema): readonly (readonly FieldSchema[])[] {
  const listed = [
    ...model.unique.map(({ keys }) => keys.map((name) => name.value)),
    ...model.indexes.map(({ keys }) => keys.map((key) => key.field.value)),
  ].filter((names) => names.includes(field.name.value));
  const fieldsOf = (names: readonly string[]) =>
    model.fields.filter(({ name }) => names.includes(name.value));
  return [...(field.unique || field.index ? [[field]] : []), ...listed.map(fieldsOf)];
}

function isUnbounded({ type, max }: FieldSchema): boolean {
  const facts = factsOf(type.value);
  return max === undefined && facts?.range === 'characters' && facts.lengths === undefined;
}

/** What every field has, before its own facts are laid over it. */
export function plainField(model: string, name: string) {
  return {
    id: `field:${model}.${name}`,
    name,
    column: name,
    nullable: false,
    source: 'client',
    unique: false,
    index: false,
    immutable: false,
    hidden: false,
    extensions: {},
  } as const;
}

/** How the server makes the keys that are texts. */
export function textKeysOf({ models }: Pick<App, 'models'>): ReadonlySet<KeyKind> {
  return new Set(models.map(({ idType }) => idType).filter(isMadeKey));
}

export function keyType(idType: KeyKind): FieldType {
  if (idType === 'int') return { kind: 'id' };
  return { kind: idType === 'uuid' ? 'uuid' : 'text' };
}

/** The account that authentication relies on; the password's column holds its hash. */
const userFields: readonly Field[] = [
  { ...plainField('User', 'name'), role: 'base', type: { kind: 'string' }, min: 1, max: 200 },
  {
    ...plainField('User', 'email'),
    role: 'base',
    type: { kind: 'email' },
    ...(email.lengths && { max: email.lengths.most }),
    unique: true,
  },
  {
    ...plainField('User', 'password'),
    role: 'base',
    type: { kind: 'string' },
    source: 'server',
    hidden: true,
  },
  {
    ...plainField('User', 'role'),
    role: 'base',
    type: { kind: 'enum', enum: 'Role' },
    source: 'server',
    default: { kind: 'literal', value: 'user' },
  },
];

/** Roles are an enum like any other; the schema cannot declare one of that name. */
export function roleEnum(roles: readonly string[]): Enum {
  return {
    id: 'enum:Role',
    name: 'Role',
    values: roles.map((value) => ({ id: `value:Role.${value}`, value })),
  };
}
