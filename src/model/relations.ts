import { present } from '../present.ts';
import { keyName, idsField, linkColumn, spellName } from '../naming/name.ts';
import { ruleEntries } from '../schema/access-words.ts';
import { findAgreement } from '../schema/key-agreement.ts';
import { type Facts, type ModelFacts, toOneRelations } from '../schema/facts.ts';
import { columnName } from '../schema/property-facts.ts';
import type { RelationSchema } from '../schema/keys/relation.ts';
import type { JoinTable, LinksRelation, Relation, ToOneRelation } from './app.ts';
import type { ModelsByName } from './fields.ts';
import { databaseName } from '../naming/database-name.ts';

/** The relations that a model declares, in the order of the file, then the inverses that other models declare. */
export function buildRelations(model: ModelFacts, facts: Facts): readonly Relation[] {
  const { byName } = facts;
  const own = model.schema.relations.map((relation) =>
    relation.many ? links(model, relation, byName) : toOne(model, relation, facts),
  );
  return [...own, ...inverses(model, byName)];
}

/** Join tables of many-to-many relations without `through`. */
export function buildJoinTables(byName: ModelsByName): readonly JoinTable[] {
  return [...byName.values()].flatMap((model) =>
    model.schema.relations
      .filter((relation) => relation.many && relation.through === undefined)
      .map((relation) => joinTable(model, relation)),
  );
}

/** What every declared relation says. */
function declaredParts({ schema }: ModelFacts, relation: RelationSchema) {
  const { name, to, inverse: back, was, description } = relation;
  return {
    id: `relation:${schema.name.value}.${name.value}`,
    name: name.value,
    target: to.value,
    ...present({ inverse: back?.value, was: was?.value, description }),
  };
}

function toOne(model: ModelFacts, relation: RelationSchema, facts: Facts): ToOneRelation {
  const onUpdate = relation.onUpdate ?? facts.schema.storage?.onUpdate;
  return {
    ...declaredParts(model, relation),
    kind: 'one',
    key: keyName(relation.name.value, model.naming.api),
    onDelete: relation.onDelete?.value ?? 'restrict',
    ...present({
      among: findAgreement(relation, model, facts),
      onUpdate: onUpdate?.value === 'cascade' ? 'cascade' : undefined,
    }),
  };
}

function links(model: ModelFacts, relation: RelationSchema, byName: ModelsByName): LinksRelation {
  const { name, read, write } = relation;
  return {
    ...declaredParts(model, relation),
    kind: 'links',
    ...linkTable(model, relation, byName),
    idsField: idsField(name.value, model.naming.api),
    ...present({
      read: read && ruleEntries(read, model.schema),
      write: write && ruleEntries(write, model.schema),
    }),
  };
}

function inverses(target: ModelFacts, byName: ModelsByName): readonly Relation[] {
  return [...byName.values()].flatMap((source) =>
    source.schema.relations
      .filter((relation) => relation.to.value === target.schema.name.value)
      .flatMap((relation) => inverse(source, relation, byName)),
  );
}

function inverse(
  source: ModelFacts,
  relation: RelationSchema,
  byName: ModelsByName,
): readonly Relation[] {
  if (relation.inverse === undefined) return [];
  const shared = {
    id: `inverse:${source.schema.name.value}.${relation.name.value}`,
    name: relation.inverse.value,
    target: source.name,
  };
  if (!relation.many) {
    return [{ ...shared, kind: 'inverse', of: relation.name.value }];
  }
  const { column, targetColumn, ...own } = linkTable(source, relation, byName);
  return [
    {
      ...shared,
      kind: 'links',
      ...own,
      column: targetColumn,
      targetColumn: column,
      inverse: relation.name.value,
      ...present({ description: relation.description }),
    },
  ];
}

type LinkTable = Pick<LinksRelation, 'table' | 'column' | 'targetColumn' | 'through'>;

/** The table of a many-to-many relation, its columns, and the model of its rows if there is one. */
function linkTable(source: ModelFacts, relation: RelationSchema, byName: ModelsByName): LinkTable {
  const through = relation.through && byName.get(relation.through.value);
  if (through !== undefined) return throughModel(source, relation, through);
  const { table, left, right } = joinTable(source, relation);
  return { table, column: left.column, targetColumn: right.column };
}

/** Uses the first key to this model, and the first other key to the target. A `Follow` has two keys to `User`. */
function throughModel(
  source: ModelFacts,
  relation: RelationSchema,
  through: ModelFacts,
): LinkTable {
  const keys = toOneRelations(through.schema);
  const here = keys.find((key) => key.to.value === source.schema.name.value);
  const there = keys.find((key) => key !== here && key.to.value === relation.to.value);
  const joined = joinColumns(source, relation);
  return {
    table: through.table,
    through: through.name,
    column: chooseKeyColumn(here, through) ?? joined.left,
    targetColumn: chooseKeyColumn(there, through) ?? joined.right,
  };
}

function joinTable(source: ModelFacts, relation: RelationSchema): JoinTable {
  const name = relation.name.value;
  const table = databaseName([source.table, name]);
  const { left, right } = joinColumns(source, relation);
  return {
    id: `join:${source.schema.name.value}.${name}`,
    table,
    left: { column: left, model: source.name },
    right: { column: right, model: relation.to.value },
    index: databaseName([table, right], 'index'),
  };
}

function joinColumns({ names, naming }: ModelFacts, { name }: RelationSchema) {
  const left = spellName(keyName(names.snake, 'snake'), naming.columns);
  const right = linkColumn(name.value, naming.columns);
  const other = right === left ? spellName(`target_${left}`, naming.columns) : right;
  return { left, right: other };
}

function chooseKeyColumn(
  key: RelationSchema | undefined,
  { naming }: ModelFacts,
): string | undefined {
  return key?.column?.value ?? (key && columnName(keyName(key.name.value, naming.api), naming));
}
