import { idsField, keyName, type ModelNames, spellModel } from '../../naming/name.ts';
import { factsOf, fieldTypes } from '../../types/all.ts';
import type { TypeFacts } from '../../types/field-type.ts';
import { tokenVersion } from '../internal-tables.ts';
import type { Position } from '../problem.ts';
import { type ModelSchema, plainUser, type RelationSchema, type Schema } from '../schema.ts';
import type { Report } from '../shape.ts';

/** A rule of the language: it reports whatever breaks it. */
export type Rule = (facts: Facts, report: Report) => void;

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
  readonly members: readonly Member[];
}

/** Whatever a model has under a name: what it declares, what its relations bring, what the server adds. */
export interface Member {
  readonly name: string;
  readonly kind: 'field' | 'relation' | 'key' | 'links' | 'ids' | 'inverse' | 'built-in';
  /** Built-in ones are written nowhere. */
  readonly at?: Position;
  /** How a message speaks of it. */
  readonly title: string;
  readonly column?: string;
  readonly columnAt?: Position;
}

const userFields = ['name', 'email', 'password', 'role'] as const;

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
    roles: ['user', 'admin', ...schema.roles.map(({ value }) => value)],
  };
}

function modelFacts(model: ModelSchema, schema: Schema): ModelFacts {
  const name = model.name.value;
  const names = spellModel(name, model.plural?.value);
  return {
    schema: model,
    name,
    names,
    isUser: name === 'User',
    table: model.table?.value ?? names.snakePlural,
    path: (model.path?.value ?? names.snakePlural).replaceAll(/^\/+|\/+$/g, ''),
    members: [
      ...builtIn(model),
      ...declaredFields(model),
      ...model.relations.flatMap(relation),
      ...inverses(name, schema),
    ],
  };
}

function builtIn(model: ModelSchema): Member[] {
  const isUser = model.name.value === 'User';
  const names = [
    'id',
    ...(isUser ? userFields : []),
    ...(isUser || model.timestamps !== false ? ['created_at', 'updated_at'] : []),
    ...(model.softDelete === true ? ['deleted_at'] : []),
    ...(isUser ? [tokenVersion] : []),
  ];
  return names.map((name) => ({
    name,
    kind: 'built-in',
    title: `the built-in \`${name}\``,
    column: name,
  }));
}

function declaredFields(model: ModelSchema): Member[] {
  return model.fields.map(({ name, column }) => ({
    name: name.value,
    kind: 'field',
    at: name.at,
    title: `the field \`${name.value}\``,
    column: column?.value ?? name.value,
    columnAt: column?.at ?? name.at,
  }));
}

function relation({ name, many, column }: RelationSchema): Member[] {
  const own = { name: name.value, at: name.at, title: `the relation \`${name.value}\`` };
  if (many) {
    const ids = idsField(name.value);
    const title = `\`${ids}\` (the list of ids of the relation \`${name.value}\`)`;
    return [
      { ...own, kind: 'links' },
      { name: ids, kind: 'ids', at: name.at, title },
    ];
  }
  const key = keyName(name.value);
  return [
    { ...own, kind: 'relation' },
    {
      name: key,
      kind: 'key',
      at: name.at,
      title: `\`${key}\` (the key of the relation \`${name.value}\`)`,
      column: column?.value ?? key,
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

/** PostgreSQL's tables end at 1,600 columns, SQLite's at 2,000; long before that, a schema is a mistake. */
const mostModels = 2000;
const mostMembers = 300;

/** Whether the other rules, some of which compare everything with everything, are worth their time. */
export function hasSize({ models }: Schema, report: Report): boolean {
  const beyond = models[mostModels];
  if (beyond !== undefined) {
    report({
      code: 'SCF121',
      at: beyond.name.at,
      message: `the file has ${models.length} models, more than ${mostModels}`,
      help: 'split it into several servers',
    });
  }
  const crowded = models.filter(
    ({ fields, relations }) => fields.length + relations.length > mostMembers,
  );
  for (const { name, fields, relations } of crowded) {
    report({
      code: 'SCF121',
      at: name.at,
      message: `${name.value} has ${fields.length + relations.length} fields and relations, more than ${mostMembers}`,
      help: 'split it into several models, or keep the rest in a `json` field',
    });
  }
  return beyond === undefined && crowded.length === 0;
}
