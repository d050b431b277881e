import { idsField, keyName, linkColumn } from '../naming/name.ts';
import { present } from '../schema/present.ts';
import type { RelationSchema } from '../schema/schema.ts';
import { entries } from './access.ts';
import type { JoinTable, Links, Relation, ToOne } from './app.ts';
import { identifier } from './identifier.ts';
import type { Outline, Outlines } from './outline.ts';

/** A model's own relations in file order, then those that others declare towards it. */
export function buildRelations(outline: Outline, outlines: Outlines): readonly Relation[] {
  const own = outline.schema.relations.map((relation) =>
    relation.many ? links(outline, relation, outlines) : toOne(outline, relation, outlines),
  );
  return [...own, ...inverses(outline, outlines)];
}

/** Tables for the many-to-many relations that no model stands for. */
export function buildJoinTables(outlines: Outlines): readonly JoinTable[] {
  return [...outlines.values()].flatMap((outline) =>
    outline.schema.relations
      .filter((relation) => relation.many && relation.through === undefined)
      .map((relation) => joinTable(outline, relation, outlines)),
  );
}

function toOne({ schema }: Outline, relation: RelationSchema, outlines: Outlines): ToOne {
  const name = relation.name.value;
  return {
    kind: 'one',
    id: `relation:${schema.name.value}.${name}`,
    name,
    target: typeName(relation.to.value, outlines),
    key: keyName(name),
    optional: relation.optional,
    unique: relation.unique ?? false,
    onDelete: relation.onDelete?.value ?? 'restrict',
    ...present({
      inverse: relation.inverse?.value,
      was: relation.was?.value,
      description: relation.description,
    }),
  };
}

function links(outline: Outline, relation: RelationSchema, outlines: Outlines): Links {
  const name = relation.name.value;
  return {
    kind: 'links',
    id: `relation:${outline.schema.name.value}.${name}`,
    name,
    target: typeName(relation.to.value, outlines),
    ...joint(outline, relation, outlines),
    idsField: idsField(name),
    ...present({
      through: relation.through && typeName(relation.through.value, outlines),
      inverse: relation.inverse?.value,
      was: relation.was?.value,
      description: relation.description,
      read: entries(relation.read),
      write: entries(relation.write),
    }),
  };
}

function inverses(target: Outline, outlines: Outlines): readonly Relation[] {
  return [...outlines.values()].flatMap((source) =>
    source.schema.relations
      .filter((relation) => relation.to.value === target.schema.name.value)
      .flatMap((relation) => inverse(source, relation, outlines)),
  );
}

function inverse(
  source: Outline,
  relation: RelationSchema,
  outlines: Outlines,
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
  const { table, column, targetColumn } = joint(source, relation, outlines);
  const through = relation.through && typeName(relation.through.value, outlines);
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
function joint(source: Outline, relation: RelationSchema, outlines: Outlines): Joint {
  const through = relation.through && outlines.get(relation.through.value);
  if (through !== undefined) return throughModel(source, relation, through);
  const { table, left, right } = joinTable(source, relation, outlines);
  return { table, column: left.column, targetColumn: right.column };
}

/** The first key to this side, and the first other one to the target: a `Follow` has two to `User`. */
function throughModel(source: Outline, relation: RelationSchema, through: Outline): Joint {
  const keys = through.schema.relations.filter((candidate) => !candidate.many);
  const here = keys.find((key) => key.to.value === source.schema.name.value);
  const there = keys.find((key) => key !== here && key.to.value === relation.to.value);
  return {
    table: through.table,
    column: columnOf(here) ?? `${source.names.snake}_id`,
    targetColumn: columnOf(there) ?? linkColumn(relation.name.value),
  };
}

function joinTable(source: Outline, relation: RelationSchema, outlines: Outlines): JoinTable {
  const name = relation.name.value;
  const table = identifier([source.table, name]);
  const left = `${source.names.snake}_id`;
  const right = linkColumn(name) === left ? `target_${left}` : linkColumn(name);
  return {
    id: `join:${source.schema.name.value}.${name}`,
    table,
    left: { column: left, model: source.names.type },
    right: { column: right, model: typeName(relation.to.value, outlines) },
    index: identifier([table, right], 'index'),
  };
}

function columnOf(key: RelationSchema | undefined): string | undefined {
  return key?.column?.value ?? (key && keyName(key.name.value));
}

function typeName(model: string, outlines: Outlines): string {
  return outlines.get(model)?.names.type ?? model;
}
