import { present } from '../present.ts';
import { idsField, keyName, spellName } from '../naming/name.ts';
import type { FieldType } from '../types/field-type.ts';
import { tokenVersion } from './internal-tables.ts';
import type { Position } from './problem.ts';
import type { ModelSchema } from './keys/model.ts';
import type { RelationSchema } from './keys/relation.ts';
import type { Schema } from './keys/top.ts';
import type { Located, Naming } from './language.ts';
import { isUserName, userFields } from './user.ts';

/** A time that the server keeps for each row. */
export interface Time {
  readonly role: 'created_at' | 'updated_at' | 'deleted_at';
  readonly name: string;
  readonly optional?: boolean;
  /** Absent if the file does not name it. */
  readonly at?: Position;
}

type OptionalTime = Located<string> & Pick<Time, 'optional'>;

/** Anything in a model that has a name: declared, made by a relation, or built in. */
export interface Property {
  readonly name: string;
  readonly kind: 'field' | 'relation' | 'key' | 'links' | 'ids' | 'inverse' | 'built-in';
  /** Absent for built-in properties that the file does not mention. */
  readonly at?: Position;
  /** The relation of a key. */
  readonly relation?: string;
  /** The type of a built-in field, except of the id. */
  readonly type?: FieldType;
  /** Its name in messages. */
  readonly title: string;
  readonly column?: string;
  readonly columnAt?: Position;
}

/** Whether a row has one value of this name. Keys are known by their relations. */
export const isSingle = ({ kind }: Property) =>
  kind === 'field' || kind === 'relation' || kind === 'built-in';

/** The column of a field that declares none. */
export const columnName = (field: string, { api, columns }: Naming) =>
  api === columns ? field : spellName(field, columns);

/** `User` always has both times, because authentication needs them. */
export function listTimes(
  { name, timestamps = { created: true, updated: true }, softDelete }: ModelSchema,
  { api }: Naming,
): readonly Time[] {
  const { created, updated } = isUserName(name) ? { ...always, ...timestamps } : timestamps;
  const time = (role: Time['role'], given: OptionalTime | boolean = false): readonly Time[] => {
    if (typeof given !== 'boolean') {
      const { value, at, optional } = given;
      return [{ role, name: value, at, ...present({ optional }) }];
    }
    return given ? [{ role, name: spellName(role, api) }] : [];
  };
  return [
    ...time('created_at', created),
    ...time('updated_at', updated),
    ...time('deleted_at', softDelete),
  ];
}

const always = { created: true, updated: true } as const;

export function listBuiltIn(
  { name: modelName, id }: ModelSchema,
  times: readonly Time[],
  naming: Naming,
): Property[] {
  const isUser = isUserName(modelName);
  const all: readonly Pick<Property, 'name' | 'at' | 'type' | 'column' | 'columnAt'>[] = [
    { name: 'id', ...present({ column: id?.column?.value, columnAt: id?.column?.at }) },
    // No rule may compare a hidden field, so it has no type here.
    ...(isUser ? userFields : []).map((field) =>
      'hidden' in field ? { name: field.name } : { name: field.name, type: field.type },
    ),
    ...times.map(({ name, at }) => ({
      name,
      column: columnName(name, naming),
      type: { kind: 'datetime' } as const,
      ...present({ at }),
    })),
    ...(isUser ? [{ name: tokenVersion }] : []),
  ];
  return all.map(({ name, column = name, ...rest }) => ({
    ...rest,
    name,
    kind: 'built-in',
    title: `the built-in \`${name}\``,
    column,
    ...(rest.at && { columnAt: rest.at }),
  }));
}

export function listDeclaredFields(model: ModelSchema, naming: Naming): Property[] {
  return model.fields.map(({ name, column }) => ({
    name: name.value,
    kind: 'field',
    at: name.at,
    title: `the field \`${name.value}\``,
    column: column?.value ?? columnName(name.value, naming),
    columnAt: column?.at ?? name.at,
  }));
}

export function listRelationProperties(
  { name, many, column }: RelationSchema,
  naming: Naming,
): Property[] {
  const own = { name: name.value, at: name.at, title: `the relation \`${name.value}\`` };
  if (many) {
    const ids = idsField(name.value, naming.api);
    const title = `\`${ids}\` (the list of ids of the relation \`${name.value}\`)`;
    return [
      { ...own, kind: 'links' },
      { name: ids, kind: 'ids', at: name.at, title },
    ];
  }
  const key = keyName(name.value, naming.api);
  return [
    { ...own, kind: 'relation' },
    {
      name: key,
      kind: 'key',
      relation: name.value,
      at: name.at,
      title: `\`${key}\` (the key of the relation \`${name.value}\`)`,
      column: column?.value ?? columnName(key, naming),
      columnAt: column?.at ?? name.at,
    },
  ];
}

export function listInverses(target: string, schema: Schema): Property[] {
  return schema.models.flatMap((model) =>
    model.relations.flatMap(({ to, name, inverse }): Property[] => {
      if (to.value !== target || inverse === undefined) return [];
      const title = `\`${inverse.value}\` (the other side of ${model.name.value}.${name.value})`;
      return [{ name: inverse.value, kind: 'inverse', at: inverse.at, title }];
    }),
  );
}
