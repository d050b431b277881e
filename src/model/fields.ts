import { present } from '../present.ts';
import { fieldDefaults, fieldsOfUsers } from './base-fields.ts';
import { findImpliedMax } from './implied-max.ts';
import { keyName } from '../naming/name.ts';
import { ruleEntries } from '../schema/access-words.ts';
import { type Facts, type ModelFacts, toOneRelations } from '../schema/facts.ts';
import { columnName, type Time } from '../schema/property-facts.ts';
import type { FieldSchema } from '../schema/keys/field.ts';
import { readType } from '../schema/keys/field-type.ts';
import type { ModelSchema } from '../schema/keys/model.ts';
import type { Schema } from '../schema/keys/top.ts';
import type { RelationSchema } from '../schema/keys/relation.ts';
import { defaults, type Located } from '../schema/language.ts';
import { canonicalValue, fieldTypes } from '../types/all.ts';
import { isMadeKey, type KeyKind, type KeyMaker, longestKey } from '../types/keys.ts';
import type { Default, Field, Models } from './app.ts';
import { findFieldByRole, findModel } from './lookups.ts';
import type { Entry } from '../schema/entry.ts';
import type { FieldType, Json } from '../types/field-type.ts';

/** Models by their names in the schema, `User` first. */
export type ModelsByName = Facts['byName'];

/** The columns of a model, in the order of the API. */
export function buildFields(
  facts: ModelFacts,
  byName: ModelsByName,
  storage: StorageSchema,
): readonly Field[] {
  const { schema, isUser } = facts;
  const keys = toOneRelations(schema);
  const fields = [
    idField(schema),
    ...(isUser ? fieldsOfUsers : []),
    ...schema.fields.map((field) => declaredField(facts, field, storage)),
    ...keys.map((relation) => keyField(facts, relation, byName)),
    ...facts.times.map((time) => timeField(facts, time)),
  ];
  return fields.map((field) => ({ ...field, ...foundColumnType(field.type, storage) }));
}

/** The type of an existing column that the schema's `storage` describes. */
function foundColumnType({ kind }: FieldType, storage: StorageSchema): Pick<Field, 'stored'> {
  const times = storage?.times?.value ?? 'timestamptz';
  if (kind === 'datetime' && times !== 'timestamptz') return { stored: times };
  if (kind === 'id' && storage?.keys?.value === 'int') return { stored: 'int' };
  const isFound = textKinds.has(kind) && storage?.texts?.value === 'default';
  return isFound ? { stored: 'default' } : {};
}

type StorageSchema = Schema['storage'];

/** Includes lists, since existing columns may hold items that are null. */
const textKinds = new Set(['string', 'text', 'email', 'url', 'enum', 'string[]', 'int[]']);

const idTypeOf = ({ id }: ModelSchema) => id?.type?.value ?? defaults.idType;

function idField(schema: ModelSchema): Field {
  const idType = idTypeOf(schema);
  const shape = {
    ...fieldDefaults(schema.name.value, 'id'),
    column: schema.id?.column?.value ?? 'id',
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

function declaredField(
  { schema: model, naming }: ModelFacts,
  field: FieldSchema,
  storage: StorageSchema,
): Field {
  const name = field.name.value;
  // The rules of the schema refuse a decimal without its digits.
  const type: FieldType = readType(field) ?? { kind: 'decimal', precision: 18, scale: 2 };
  return {
    ...fieldDefaults(model.name.value, name),
    column: field.column?.value ?? columnName(name, naming),
    type,
    nullable: field.optional,
    source: field.readonly ? 'server' : 'client',
    role: 'declared',
    unique: field.unique ?? false,
    immutable: field.immutable ?? false,
    hidden: field.hidden ?? false,
    extensions: field.extensions,
    ...present({
      default: buildDefault(type, field.default),
      min: readBound(type, field.min),
      max: readBound(type, field.max) ?? findImpliedMax(model, field, storage),
      pattern: field.pattern?.value,
      description: field.description,
      example: readCanonical(type, field.example),
      backfill: readCanonical(type, field.backfill),
      was: field.was?.value,
      read: field.read && ruleEntries(field.read, model),
      write: field.write && ruleEntries(field.write, model),
    }),
  };
}

function keyField(
  { schema: model, naming }: ModelFacts,
  relation: RelationSchema,
  byName: ModelsByName,
): Field {
  const name = keyName(relation.name.value, naming.api);
  const target = byName.get(relation.to.value);
  const type = keyType(target === undefined ? 'int' : idTypeOf(target.schema));
  return {
    ...fieldDefaults(model.name.value, name),
    column: relation.column?.value ?? columnName(name, naming),
    type,
    nullable: relation.optional,
    source: model.owner?.relation.value === relation.name.value ? 'server' : 'client',
    role: 'key',
    relation: relation.name.value,
    unique: relation.unique ?? false,
    ...present({
      description: relation.description,
      backfill: readCanonical(type, relation.backfill),
      read: relation.read && ruleEntries(relation.read, model),
      write:
        findOwnerRule(model, relation) ?? (relation.write && ruleEntries(relation.write, model)),
    }),
  };
}

/** Whether some role may name another owner than the user who creates the row. */
function findOwnerRule(model: ModelSchema, { name }: RelationSchema) {
  const { relation, assign } = model.owner ?? {};
  if (relation?.value !== name.value || assign === undefined) return undefined;
  const roles = assign.map(({ value }): Entry => ({ kind: 'role', role: value }));
  return [{ kind: 'owner' } as const, ...roles];
}

function timeField({ schema, naming }: ModelFacts, { name, role, optional }: Time): Field {
  return {
    ...fieldDefaults(schema.name.value, name),
    column: columnName(name, naming),
    type: { kind: 'datetime' },
    source: 'server',
    role,
    ...(role === 'deleted_at'
      ? { nullable: true }
      : { nullable: optional ?? false, default: { kind: 'now' } }),
  };
}

function buildDefault(type: FieldType, written: Located<Json> | undefined): Default | undefined {
  if (written === undefined) return undefined;
  const { made } = fieldTypes[type.kind];
  if (made !== undefined && written.value === made.word) return { kind: made.word };
  return { kind: 'literal', value: canonicalValue(type, written.value) };
}

function readBound(
  type: FieldType,
  written: Located<string> | undefined,
): number | string | undefined {
  if (written === undefined) return undefined;
  return fieldTypes[type.kind].exact
    ? String(canonicalValue(type, written.value))
    : Number(written.value);
}

function readCanonical(type: FieldType, written: Located<Json> | undefined): Json | undefined {
  return written === undefined ? undefined : canonicalValue(type, written.value);
}

/** How the server makes text keys. */
export const listKeyMakers = ({ models }: Models): readonly KeyMaker[] =>
  models.flatMap(({ fields }) =>
    fields.flatMap(({ default: made }) => (made?.kind === 'key' ? [made.maker] : [])),
  );

/** The type of keys to a model, which is that of its ids. */
export function typeOfKey(name: string, app: Models): Pick<Field, 'type' | 'stored'> {
  const model = findModel(name, app);
  const id = model && findFieldByRole(model, 'id');
  return { type: id?.type ?? keyType('int'), ...present({ stored: id?.stored }) };
}

function keyType(idType: KeyKind): FieldType {
  if (idType === 'int') return { kind: 'id' };
  return { kind: idType === 'uuid' ? 'uuid' : 'text' };
}
