import { titleOf } from '../naming/name.ts';
import { present } from '../schema/present.ts';
import type { EnumSchema, Schema } from '../schema/schema.ts';
import { buildAccess, buildEmbed, endpointNames } from './access.ts';
import { latestLayout } from '../schema/internal-tables.ts';
import type { App, Enum, Model } from './app.ts';
import { buildIndexes, buildOrder, buildUnique } from './constraints.ts';
import { buildFields, roleEnum } from './fields.ts';
import { distinctIndexNames } from './identifier.ts';
import { type Outline, outlineModels, type Outlines } from './outline.ts';
import { buildJoinTables, buildRelations } from './relations.ts';

/** What a schema means. Total: the rules of the schema have refused what could not be built. */
export function buildApp(schema: Schema): App {
  const outlines = outlineModels(schema);
  const declared = schema.roles.map((role) => role.value);
  const roles = [...new Set(['user', 'admin', ...declared])];
  const joinTables = buildJoinTables(outlines);
  const models = [...outlines.values()].map((outline) => buildModel(outline, outlines));
  return {
    name: schema.app.name.value,
    title: titleOf(schema.app.name.value),
    description: schema.app.description ?? '',
    database: schema.database?.value ?? 'sqlite',
    apiPrefix: buildPrefix(schema.api?.prefix?.value ?? '/api'),
    roles,
    enums: [roleEnum(roles), ...schema.enums.map(buildEnum)],
    models: distinctIndexNames(models, joinTables),
    joinTables,
    extensions: schema.extensions,
    layout: latestLayout,
  };
}

function buildModel(outline: Outline, outlines: Outlines): Model {
  const { schema, names, table, idType } = outline;
  const fields = buildFields(outline, outlines);
  const unique = buildUnique(outline, fields);
  const endpoints = schema.endpoints?.map((endpoint) => endpoint.value) ?? endpointNames;
  return {
    id: `model:${schema.name.value}`,
    names,
    table,
    path: trimSlashes(schema.path?.value ?? names.snakePlural),
    idType,
    timestamps: fields.some((field) => field.role === 'created_at'),
    softDelete: schema.softDelete ?? false,
    endpoints: endpointNames.filter((endpoint) => endpoints.includes(endpoint)),
    fields,
    relations: buildRelations(outline, outlines),
    unique,
    indexes: buildIndexes(outline, fields, unique),
    orderBy: buildOrder(outline, schema.orderBy ?? []),
    access: buildAccess(schema),
    embed: buildEmbed(schema),
    extensions: schema.extensions,
    ...present({
      description: schema.description,
      was: schema.was?.value,
      owner: schema.owner?.relation.value,
      assign: schema.owner?.assign?.map(({ value }) => value),
    }),
  };
}

function buildEnum(schema: EnumSchema): Enum {
  const name = schema.name.value;
  return {
    id: `enum:${name}`,
    name,
    values: schema.values.map(({ value, description, was }) => ({
      id: `value:${name}.${value.value}`,
      value: value.value,
      ...present({ description, was: was?.value }),
    })),
  };
}

function buildPrefix(written: string): string {
  const path = trimSlashes(written);
  return path === '' ? '' : `/${path}`;
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
