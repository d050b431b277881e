import { titleOf, keyName, idsField, linkColumn, spellName } from '../naming/name.ts';
import { latestLayout } from '../schema/internal-tables.ts';
import { present } from '../schema/present.ts';
import { agreementOf } from '../schema/rules/among.ts';
import { columnName, type Facts, gatherFacts, type ModelFacts } from '../schema/rules/facts.ts';
import type { EnumSchema } from '../schema/keys/enum.ts';
import type { RelationSchema } from '../schema/keys/relation.ts';
import type { Schema } from '../schema/keys/top.ts';
import { endpointNames } from '../schema/language.ts';
import { buildAccess, buildEmbed, buildLink, entries } from './access.ts';
import {
  type App,
  type Enum,
  isPassword,
  type Model,
  type Field,
  type JoinTable,
  type Links,
  type Relation,
  type ToOne,
} from './app.ts';
import { type ByName, buildFields, idTypeOf, roleEnum } from './fields.ts';
import { buildChecks, buildIndexes, buildOrder, buildUnique } from './groups.ts';
import { distinctIndexNames, identifier } from './identifier.ts';
import { buildMembers } from './members.ts';

/** What a schema means. Total: the rules of the schema have refused what could not be built. */
export function buildApp(schema: Schema): App {
  const facts = gatherFacts(schema);
  const { models, roles } = facts;
  const userFirst = models.toSorted((left, right) => Number(right.isUser) - Number(left.isUser));
  const byName = new Map(userFirst.map((model) => [model.name, model]));
  const joinTables = buildJoinTables(byName);
  const pairs = userFirst.map((model) => {
    const itself = buildModel(model, facts);
    return [model, model.isUser ? asUser(itself, schema) : itself] as const;
  });
  const plain = pairs.map(([, model]) => model);
  const built = pairs.map(([model, itself]) => ({
    ...itself,
    ...present({ members: buildMembers(model, plain, facts) }),
  }));
  return {
    name: schema.app.name.value,
    title: titleOf(schema.app.name.value),
    description: schema.app.description ?? '',
    database: schema.database?.value ?? 'sqlite',
    apiPrefix: buildPrefix(schema.api?.prefix?.value ?? '/api'),
    roles,
    enums: [roleEnum(roles), ...schema.enums.map(buildEnum)],
    models: distinctIndexNames(built, joinTables),
    joinTables,
    extensions: schema.extensions,
    layout: latestLayout,
  };
}

function buildModel(model: ModelFacts, facts: Facts): Model {
  const { byName } = facts;
  const { schema, names, table, path } = model;
  const fields = buildFields(model, byName);
  const unique = buildUnique(model, fields);
  const endpoints = schema.endpoints?.map((endpoint) => endpoint.value) ?? endpointNames;
  return {
    id: `model:${schema.name.value}`,
    names,
    table,
    path,
    idType: idTypeOf(schema),
    timestamps: fields.some((field) => field.role === 'updated_at'),
    softDelete: fields.some((field) => field.role === 'deleted_at'),
    endpoints: endpointNames.filter((endpoint) => endpoints.includes(endpoint)),
    fields,
    relations: buildRelations(model, facts),
    unique,
    indexes: buildIndexes(model, fields, unique),
    checks: buildChecks(model, fields),
    orderBy: buildOrder(model, schema.orderBy ?? []),
    access: buildAccess(schema),
    embed: buildEmbed(schema),
    extensions: schema.extensions,
    ...present({
      description: schema.description,
      was: schema.was?.value,
      owner: schema.owner?.relation.value,
      assign: schema.owner?.assign?.map(({ value }) => value),
      link: buildLink(schema),
    }),
  };
}

/** What `auth` says of the fields that every user has. */
function asUser(model: Model, { auth }: Schema): Model {
  const isNamed = auth?.name?.value !== 'optional';
  const fields = model.fields
    .filter((field) => auth?.password !== false || !isPassword(field))
    .map((field) => (isUserName(field) && !isNamed ? { ...field, nullable: true } : field));
  return { ...model, fields };
}

const isUserName = ({ role, name }: Field) => role === 'base' && name === 'name';

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
  const path = written.replace(/^\/+|\/+$/g, '');
  return path === '' ? '' : `/${path}`;
}

/** A model's own relations in file order, then those that others declare towards it. */
function buildRelations(model: ModelFacts, facts: Facts): readonly Relation[] {
  const { byName } = facts;
  const own = model.schema.relations.map((relation) =>
    relation.many ? links(model, relation, byName) : toOne(model, relation, facts),
  );
  return [...own, ...inverses(model, byName)];
}

/** Tables for the many-to-many relations that no model stands for. */
function buildJoinTables(byName: ByName): readonly JoinTable[] {
  return [...byName.values()].flatMap((model) =>
    model.schema.relations
      .filter((relation) => relation.many && relation.through === undefined)
      .map((relation) => joinTable(model, relation, byName)),
  );
}

function toOne(model: ModelFacts, relation: RelationSchema, facts: Facts): ToOne {
  const { schema, naming } = model;
  const name = relation.name.value;
  return {
    kind: 'one',
    id: `relation:${schema.name.value}.${name}`,
    name,
    target: typeName(relation.to.value, facts.byName),
    key: keyName(name, naming.api),
    optional: relation.optional,
    unique: relation.unique ?? false,
    onDelete: relation.onDelete?.value ?? 'restrict',
    ...present({
      inverse: relation.inverse?.value,
      was: relation.was?.value,
      description: relation.description,
      among: agreementOf(relation, model, facts),
    }),
  };
}

function links(model: ModelFacts, relation: RelationSchema, byName: ByName): Links {
  const name = relation.name.value;
  return {
    kind: 'links',
    id: `relation:${model.schema.name.value}.${name}`,
    name,
    target: typeName(relation.to.value, byName),
    ...joint(model, relation, byName),
    idsField: idsField(name, model.naming.api),
    ...present({
      through: relation.through && typeName(relation.through.value, byName),
      inverse: relation.inverse?.value,
      was: relation.was?.value,
      description: relation.description,
      read: entries(relation.read, model.schema),
      write: entries(relation.write, model.schema),
    }),
  };
}

function inverses(target: ModelFacts, byName: ByName): readonly Relation[] {
  return [...byName.values()].flatMap((source) =>
    source.schema.relations
      .filter((relation) => relation.to.value === target.schema.name.value)
      .flatMap((relation) => inverse(source, relation, byName)),
  );
}

function inverse(
  source: ModelFacts,
  relation: RelationSchema,
  byName: ByName,
): readonly Relation[] {
  if (relation.inverse === undefined) return [];
  const shared = {
    id: `inverse:${source.schema.name.value}.${relation.name.value}`,
    name: relation.inverse.value,
    target: source.names.type,
  };
  if (!relation.many) {
    const of = relation.name.value;
    return [{ ...shared, kind: 'inverse', of, single: relation.unique ?? false }];
  }
  const { table, column, targetColumn } = joint(source, relation, byName);
  const through = relation.through && typeName(relation.through.value, byName);
  return [
    {
      ...shared,
      kind: 'links',
      table,
      column: targetColumn,
      targetColumn: column,
      inverse: relation.name.value,
      ...present({ through, description: relation.description }),
    },
  ];
}

type Joint = Pick<Links, 'table' | 'column' | 'targetColumn'>;

/** Where the pairs of a many-to-many are kept. */
function joint(source: ModelFacts, relation: RelationSchema, byName: ByName): Joint {
  const through = relation.through && byName.get(relation.through.value);
  if (through !== undefined) return throughModel(source, relation, through);
  const { table, left, right } = joinTable(source, relation, byName);
  return { table, column: left.column, targetColumn: right.column };
}

/** The first key to this side, and the first other one to the target: a `Follow` has two to `User`. */
function throughModel(source: ModelFacts, relation: RelationSchema, through: ModelFacts): Joint {
  const keys = through.schema.relations.filter((candidate) => !candidate.many);
  const here = keys.find((key) => key.to.value === source.schema.name.value);
  const there = keys.find((key) => key !== here && key.to.value === relation.to.value);
  const joined = joinColumns(source, relation);
  return {
    table: through.table,
    column: columnOf(here, through) ?? joined.left,
    targetColumn: columnOf(there, through) ?? joined.right,
  };
}

function joinTable(source: ModelFacts, relation: RelationSchema, byName: ByName): JoinTable {
  const name = relation.name.value;
  const table = identifier([source.table, name]);
  const { left, right } = joinColumns(source, relation);
  return {
    id: `join:${source.schema.name.value}.${name}`,
    table,
    left: { column: left, model: source.names.type },
    right: { column: right, model: typeName(relation.to.value, byName) },
    index: identifier([table, right], 'index'),
  };
}

function joinColumns({ names, naming }: ModelFacts, { name }: RelationSchema) {
  const left = spellName(keyName(names.snake, 'snake'), naming.columns);
  const right = linkColumn(name.value, naming.columns);
  const other = right === left ? spellName(`target_${left}`, naming.columns) : right;
  return { left, right: other };
}

function columnOf(key: RelationSchema | undefined, { naming }: ModelFacts): string | undefined {
  return key?.column?.value ?? (key && columnName(keyName(key.name.value, naming.api), naming));
}

function typeName(model: string, byName: ByName): string {
  return byName.get(model)?.names.type ?? model;
}
