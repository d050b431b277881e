import { idsField, keyName, type ModelNames, spellModel, spellName } from '../../naming/name.ts';
import { factsOf, fieldTypes } from '../../types/all.ts';
import type { FieldType, TypeFacts } from '../../types/field-type.ts';
import { nothingBesides } from '../key.ts';
import { tokenVersion } from '../internal-tables.ts';
import { present } from '../present.ts';
import type { Position } from '../problem.ts';
import type { ModelSchema } from '../keys/model.ts';
import type { RelationSchema } from '../keys/relation.ts';
import type { Schema } from '../keys/top.ts';
import type { Located, Naming } from '../language.ts';
import type { Report } from '../shape.ts';

/** A rule of the language: it reports whatever breaks it. */
export type Rule = (facts: Facts, report: Report) => void;

/** A rule about each model. */
export const ofModels =
  (check: (model: ModelFacts, report: Report, facts: Facts) => void): Rule =>
  (facts, report) => {
    for (const model of facts.models) check(model, report, facts);
  };

/** The names of the to-one relations of a model, and the model to which one of them leads. */
export const toOneNames = ({ schema }: ModelFacts): readonly string[] =>
  schema.relations.filter(({ many }) => !many).map(({ name }) => name.value);

export function modelThere(
  { schema }: ModelFacts,
  name: string,
  { byName }: Facts,
): ModelFacts | undefined {
  const found = schema.relations.find((it) => !it.many && it.name.value === name);
  return found && byName.get(found.to.value);
}

/** What most rules look up. */
export interface Facts {
  readonly schema: Schema;
  /** `User` first, whether or not the file speaks of it. */
  readonly models: readonly ModelFacts[];
  readonly byName: ReadonlyMap<string, ModelFacts>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** With `user` and `admin`. */
  readonly roles: readonly string[];
}

/** Undefined for what is neither a type nor an enum. */
export function factsOfType(type: string, { enums }: Pick<Facts, 'enums'>): TypeFacts | undefined {
  return factsOf(type) ?? (enums.has(type) ? fieldTypes.enum : undefined);
}

export interface ModelFacts {
  readonly schema: ModelSchema;
  readonly name: string;
  readonly names: ModelNames;
  readonly isUser: boolean;
  readonly table: string;
  readonly path: string;
  readonly naming: Naming;
  readonly times: readonly Time[];
  readonly members: readonly Member[];
}

/** A time that the server keeps of each row. */
export interface Time {
  readonly role: 'created_at' | 'updated_at' | 'deleted_at';
  readonly name: string;
  /** Where the schema gives the name. */
  readonly at?: Position;
}

/** Whatever a model has under a name: what it declares, what its relations bring, what the server adds. */
export interface Member {
  readonly name: string;
  readonly kind: 'field' | 'relation' | 'key' | 'links' | 'ids' | 'inverse' | 'built-in';
  /** Most built-in ones are written nowhere. */
  readonly at?: Position;
  /** Of a key: the relation that it belongs to. */
  readonly relation?: string;
  /** Of what is built in, but for ids. */
  readonly type?: FieldType;
  /** How a message speaks of it. */
  readonly title: string;
  readonly column?: string;
  readonly columnAt?: Position;
}

const userFields: readonly (readonly [name: string, type?: FieldType])[] = [
  ['name', { kind: 'string' }],
  ['email', { kind: 'email' }],
  ['password'],
  ['role', { kind: 'enum', enum: 'Role' }],
];

/** `User` is always there, also when the file says nothing of it. */
const plainUser: ModelSchema = {
  name: { value: 'User', at: { line: 1, column: 1, length: 1 } },
  fields: [],
  relations: [],
  unique: [],
  indexes: [],
  checks: [],
  access: {},
  members: [],
  ...nothingBesides,
};

export const declaredRoles = ({ auth }: Schema) => auth?.roles ?? [];

export function gatherFacts(schema: Schema): Facts {
  const declared = schema.models.some(({ name }) => name.value === 'User');
  const models = declared ? schema.models : [plainUser, ...schema.models];
  const facts = models.map((model) => modelFacts(model, schema));
  return {
    schema,
    models: facts,
    byName: new Map(facts.map((model) => [model.name, model])),
    enums: new Map(
      schema.enums.map(({ name, values }) => [name.value, values.map(({ value }) => value.value)]),
    ),
    roles: ['user', 'admin', ...declaredRoles(schema).map(({ value }) => value)],
  };
}

function modelFacts(model: ModelSchema, schema: Schema): ModelFacts {
  const name = model.name.value;
  const names = spellModel(name, model.plural?.value);
  const naming = namingOf(schema);
  const times = timesOf(model, naming);
  return {
    schema: model,
    name,
    names,
    isUser: name === 'User',
    table: model.table?.value ?? names.snakePlural,
    path: (model.path?.value ?? names.snakePlural).replaceAll(/^\/+|\/+$/g, ''),
    naming,
    times,
    members: [
      ...builtIn(name === 'User', times, naming),
      ...declaredFields(model, naming),
      ...model.relations.flatMap((it) => relation(it, naming)),
      ...inverses(name, schema),
    ],
  };
}

function namingOf({ naming }: Schema): Naming {
  const api = naming?.api?.value ?? 'snake';
  return { api, columns: naming?.columns?.value ?? api };
}

/** The column of a field that says nothing else. */
export const columnName = (field: string, { api, columns }: Naming) =>
  api === columns ? field : spellName(field, columns);

/** Signing in and out relies on those of `User`. */
function timesOf(
  { name, timestamps = { created: true, updated: true }, softDelete }: ModelSchema,
  { api }: Naming,
): readonly Time[] {
  const { created, updated } = name.value === 'User' ? { ...always, ...timestamps } : timestamps;
  const time = (role: Time['role'], said: Located<string> | boolean = false): readonly Time[] => {
    if (typeof said !== 'boolean') return [{ role, name: said.value, at: said.at }];
    return said ? [{ role, name: spellName(role, api) }] : [];
  };
  return [
    ...time('created_at', created),
    ...time('updated_at', updated),
    ...time('deleted_at', softDelete),
  ];
}

const always = { created: true, updated: true } as const;

function builtIn(isUser: boolean, times: readonly Time[], naming: Naming): Member[] {
  const all: readonly (Pick<Member, 'name' | 'at' | 'type'> & { readonly column?: string })[] = [
    { name: 'id' },
    ...(isUser ? userFields.map(([name, type]) => ({ name, ...present({ type }) })) : []),
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

function declaredFields(model: ModelSchema, naming: Naming): Member[] {
  return model.fields.map(({ name, column }) => ({
    name: name.value,
    kind: 'field',
    at: name.at,
    title: `the field \`${name.value}\``,
    column: column?.value ?? columnName(name.value, naming),
    columnAt: column?.at ?? name.at,
  }));
}

function relation({ name, many, column }: RelationSchema, naming: Naming): Member[] {
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

function inverses(target: string, schema: Schema): Member[] {
  return schema.models.flatMap((model) =>
    model.relations.flatMap(({ to, name, inverse }): Member[] => {
      if (to.value !== target || inverse === undefined) return [];
      const title = `\`${inverse.value}\` (the other side of ${model.name.value}.${name.value})`;
      return [{ name: inverse.value, kind: 'inverse', at: inverse.at, title }];
    }),
  );
}
