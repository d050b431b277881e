import { spellModel } from '../naming/name.ts';
import { declaredRoles, type Facts, type ModelFacts } from './facts.ts';
import { nothingBesides } from './key.ts';
import type { ModelSchema } from './keys/model.ts';
import type { Schema } from './keys/top.ts';
import type { Naming } from './language.ts';
import { chooseMemberRows } from './members.ts';
import {
  listBuiltIn,
  listDeclaredFields,
  listInverses,
  listRelationProperties,
  listTimes,
} from './property-facts.ts';
import { isUserName } from './user.ts';

/** The model `User` if the file does not declare it. */
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

export function gatherFacts(schema: Schema): Facts {
  const hasAccounts = schema.auth !== 'none';
  const hasUser = schema.models.some(({ name }) => isUserName(name));
  const people = hasUser ? schema.models : [plainUser, ...schema.models];
  const models = hasAccounts ? people : schema.models.map(openToAll);
  const facts = models.map((model) => modelFacts(model, schema));
  const byName = new Map(facts.map((model) => [model.name, model]));
  const enums = new Map(
    schema.enums.map(({ name, values }) => [name.value, values.map(({ value }) => value.value)]),
  );
  return {
    schema,
    models: facts,
    byName,
    enums,
    hasAccounts,
    roles: hasAccounts ? ['user', 'admin', ...declaredRoles(schema).map(({ value }) => value)] : [],
    memberRows: new Map(
      facts.flatMap(({ name, schema: { members } }) =>
        members.map((kind) => [kind, chooseMemberRows(kind, name, { byName, enums })]),
      ),
    ),
  };
}

/** Without accounts, an operation without a rule is open to all. */
const openToAll = (model: ModelSchema): ModelSchema => ({
  ...model,
  access: { all: [{ value: 'public', at: model.name.at }], ...model.access },
});

function modelFacts(model: ModelSchema, schema: Schema): ModelFacts {
  const name = model.name.value;
  const names = spellModel(name, model.plural?.value);
  const api = schema.naming?.api?.value ?? 'snake';
  const naming: Naming = { api, columns: schema.naming?.columns?.value ?? api };
  const times = listTimes(model, naming);
  return {
    schema: model,
    name,
    names,
    isUser: isUserName(model.name),
    table: model.table?.value ?? names.snakePlural,
    path: (model.path?.value ?? names.snakePlural).replaceAll(/^\/+|\/+$/g, ''),
    naming,
    times,
    properties: [
      ...listBuiltIn(model, times, naming),
      ...listDeclaredFields(model, naming),
      ...model.relations.flatMap((it) => listRelationProperties(it, naming)),
      ...listInverses(name, schema),
    ],
  };
}
