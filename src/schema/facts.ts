import { type ModelNames, spellModel } from '../naming/name.ts';
import { findFacts, fieldTypes } from '../types/all.ts';
import type { TypeFacts } from '../types/field-type.ts';
import { nothingBesides } from './key.ts';
import type { ModelSchema } from './keys/model.ts';
import type { Schema } from './keys/top.ts';
import type { Located, Naming } from './language.ts';
import type { ReportProblem } from './scope.ts';
import {
  type Time,
  type Property,
  timesOf,
  builtIn,
  declaredFields,
  relation,
  inverses,
} from './property-facts.ts';

/** A rule of the language: it reports whatever breaks it. */
export type SchemaRule = (facts: Facts, report: ReportProblem) => void;

/** A rule about each model. */
export const ofModels =
  (check: (model: ModelFacts, report: ReportProblem, facts: Facts) => void): SchemaRule =>
  (facts, report) => {
    for (const model of facts.models) check(model, report, facts);
  };

/** The field, or the relation, of that name. */
export const findNamed = <Thing extends { readonly name: Located<string> }>(
  name: string | undefined,
  things: readonly Thing[],
) => things.find((it) => it.name.value === name);

export const toOnes = ({ relations }: Pick<ModelSchema, 'relations'>) =>
  relations.filter(({ many }) => !many);

export const toOneNames = ({ schema }: ModelFacts): readonly string[] =>
  toOnes(schema).map(({ name }) => name.value);

/** The model to which a to-one relation leads. */
export function findModelFacts(
  { schema }: ModelFacts,
  name: string,
  { byName }: Facts,
): ModelFacts | undefined {
  return byName.get(findNamed(name, toOnes(schema))?.to.value ?? '');
}

/** The relation from `User` to the model. */
export const findKeyOfUser = (model: string, byName: Facts['byName']) =>
  toOnes(byName.get('User')?.schema ?? plainUser).find(({ to }) => to.value === model)?.name.value;

export interface Facts {
  readonly schema: Schema;
  /** `User` first, whether or not the file speaks of it; without accounts, there is none. */
  readonly models: readonly ModelFacts[];
  readonly byName: ReadonlyMap<string, ModelFacts>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly hasAccounts: boolean;
  /** Includes `user` and `admin`; empty without accounts. */
  readonly roles: readonly string[];
}

/** Undefined for what is neither a type nor an enum. */
export function findTypeFacts(
  type: string,
  { enums }: Pick<Facts, 'enums'>,
): TypeFacts | undefined {
  return findFacts(type) ?? (enums.has(type) ? fieldTypes.enum : undefined);
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
  readonly properties: readonly Property[];
}

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

export const declaredRoles = ({ auth }: Schema) => (auth === 'none' ? [] : (auth?.roles ?? []));

export function gatherFacts(schema: Schema): Facts {
  const hasAccounts = schema.auth !== 'none';
  const models = hasAccounts ? withUser(schema.models) : schema.models.map(openToAll);
  const facts = models.map((model) => modelFacts(model, schema));
  return {
    schema,
    models: facts,
    byName: new Map(facts.map((model) => [model.name, model])),
    enums: new Map(
      schema.enums.map(({ name, values }) => [name.value, values.map(({ value }) => value.value)]),
    ),
    hasAccounts,
    roles: hasAccounts ? ['user', 'admin', ...declaredRoles(schema).map(({ value }) => value)] : [],
  };
}

const withUser = (models: readonly ModelSchema[]) =>
  models.some(({ name }) => name.value === 'User') ? models : [plainUser, ...models];

/** Where the server cannot distinguish clients, everything without a rule is open to all. */
const openToAll = (model: ModelSchema): ModelSchema => ({
  ...model,
  access: { all: [{ value: 'public', at: model.name.at }], ...model.access },
});

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
    properties: [
      ...builtIn(model, times, naming),
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
