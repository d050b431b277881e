import { present } from '../present.ts';
import { findTypeOfEnum } from '../schema/enum-type.ts';
import { latestTablesVersion } from '../schema/internal-tables.ts';
import type { Facts, ModelFacts } from '../schema/facts.ts';
import { gatherFacts } from '../schema/gather-facts.ts';
import type { EnumSchema } from '../schema/keys/enum.ts';
import type { Schema } from '../schema/keys/top.ts';
import { defaults, endpointNames } from '../schema/language.ts';
import { buildAccess, buildEmbed, buildLink } from './access.ts';
import { type App, type Enum, isPassword, type Model } from './app.ts';
import { roleEnum } from './base-fields.ts';
import { buildFields } from './fields.ts';
import { buildChecks, buildIndexes, buildOrder, buildUnique } from './groups.ts';
import { distinctIndexNames } from './index-names.ts';
import { buildMembers } from './members.ts';
import { buildJoinTables, buildRelations } from './relations.ts';

/** Builds the app of a schema that has no problems. Never throws for such a schema. */
export function buildApp(schema: Schema): App {
  const facts = gatherFacts(schema);
  const { models, roles, hasAccounts } = facts;
  const userFirst = models.toSorted((left, right) => Number(right.isUser) - Number(left.isUser));
  const byName = new Map(userFirst.map((model) => [model.name, model]));
  const joinTables = buildJoinTables(byName);
  const pairs = userFirst.map((model) => {
    const itself = buildModel(model, facts);
    return [model, model.isUser ? asUser(itself, schema) : itself] as const;
  });
  const withoutMembers = pairs.map(([, model]) => model);
  const built = pairs.map(([model, itself]) => ({
    ...itself,
    ...present({ members: buildMembers(model, withoutMembers, facts) }),
  }));
  return {
    name: schema.app.name.value,
    description: schema.app.description ?? '',
    database: schema.database?.value ?? defaults.database,
    apiPrefix: buildPrefix(schema.api?.prefix?.value ?? defaults.apiPrefix),
    enums: [
      ...(hasAccounts ? [roleEnum(roles)] : []),
      ...schema.enums.map((it) => buildEnum(it, schema)),
    ],
    models: distinctIndexNames(built, joinTables),
    joinTables,
    extensions: schema.extensions,
    layout: latestTablesVersion,
  };
}

function buildModel(model: ModelFacts, facts: Facts): Model {
  const { schema, names, table, path } = model;
  const { database, storage: found } = facts.schema;
  const storage = database?.value === 'postgres' ? found : undefined;
  const fields = buildFields(model, facts.byName, storage);
  const unique = buildUnique(model, fields);
  const endpoints = schema.endpoints?.map((endpoint) => endpoint.value) ?? endpointNames;
  return {
    id: `model:${schema.name.value}`,
    name: schema.name.value,
    names,
    table,
    path,
    endpoints: endpointNames.filter((endpoint) => endpoints.includes(endpoint)),
    fields,
    relations: buildRelations(model, facts),
    unique,
    indexes: buildIndexes(model, fields, unique, storage),
    checks: buildChecks(model, fields),
    orderBy: buildOrder(model, schema.orderBy ?? []),
    access: buildAccess(schema),
    embed: buildEmbed(schema),
    extensions: schema.extensions,
    ...present({
      description: schema.description,
      was: schema.was?.value,
      owner: schema.owner?.relation.value,
      link: buildLink(schema),
    }),
  };
}

/** `auth` can make the name optional and leave out the password. */
function asUser(model: Model, { auth }: Schema): Model {
  if (auth === 'none') return model;
  const isNameless = auth?.name?.value === 'optional';
  const fields = model.fields
    .filter((field) => auth?.password !== false || !isPassword(field))
    .map((field) => (field.name === 'name' ? { ...field, nullable: isNameless } : field));
  return { ...model, fields };
}

function buildEnum(declared: EnumSchema, schema: Schema): Enum {
  const name = declared.name.value;
  return {
    id: `enum:${name}`,
    name,
    ...present({ type: findTypeOfEnum(name, schema) }),
    values: declared.values.map(({ value, description, was }) => ({
      id: `value:${name}.${value.value}`,
      value: value.value,
      ...present({ description, was: was?.value }),
    })),
  };
}

function buildPrefix(written: string): string {
  const path = written.replace(/^\/+|\/+$/g, '');
  return path === '' ? '' : `/${path}`;
}
