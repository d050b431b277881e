import { schemaName } from '../naming/name.ts';
import { present } from '../schema/present.ts';
import {
  type App,
  type Enum,
  type EnumValue,
  type Field,
  type JoinTable,
  type Model,
  modelOf,
  type Relation,
} from './app.ts';
import { formerNames, isOwn, type ModelPair, pairModels } from './model-pairs.ts';
import type { Rename } from './rename.ts';

/**
 * The new app with the ids of the old one wherever a thing is the same: it kept its name, or a rename is given by `was`
 * or by `renames`. What is new gets an id that nothing has had. A relation to another model is another relation. Which
 * engine the rows were in before and the package manager are carried as well.
 */
export function carryIds(previous: App, next: App, renames: readonly Rename[] = []): App {
  const world: Carrying = {
    previous,
    renames,
    pairs: pairModels(previous, next, renames),
    newId: idSource(previous),
  };
  const isMoved = previous.database !== next.database;
  return {
    ...next,
    ...present({
      formerDatabase: isMoved ? previous.database : previous.formerDatabase,
      packageManager: previous.packageManager,
    }),
    enums: next.enums.map((it) => carryEnum(it, world)),
    models: next.models.map((model) => carryModel(model, world)),
    joinTables: next.joinTables.map((join) => carryJoin(join, next, world)),
  };
}

interface Carrying {
  readonly previous: App;
  readonly renames: readonly Rename[];
  /** By the type name of the new model. */
  readonly pairs: ReadonlyMap<string, ModelPair>;
  readonly newId: NewId;
}

function carryModel(model: Model, world: Carrying): Model {
  const pair = world.pairs.get(model.names.type);
  const links = pair ? undefined : formerLinks(model, world);
  const formerField = ({ name }: Field) =>
    pair?.former.fields.find((field) => field.name === pair.fields.get(name));
  return {
    ...model,
    id: (pair?.former ?? links)?.id ?? world.newId(model.id),
    fields: model.fields.map((field) => ({
      ...field,
      id: formerField(field)?.id ?? links?.keys.get(field.name) ?? world.newId(field.id),
    })),
    relations: model.relations.map((relation) => ({
      ...relation,
      id: formerRelation(relation, model, world)?.id ?? world.newId(relation.id),
    })),
  };
}

/** The join table of `was: Item.tags`, and the ids of its columns by the names that their fields have in the model. */
function formerLinks(model: Model, { previous, pairs }: Carrying) {
  const [owner, name] = model.was?.split('.') ?? [];
  const declaring = previous.models.find((it) => schemaName(it) === owner);
  const relation = declaring?.relations.find((it) => isOwn(it) && it.name === name);
  const table = relation && tableOf(relation);
  const join = previous.joinTables.find((it) => it.table === table);
  if (join === undefined) return undefined;
  const keysTo = (type: string) =>
    model.relations.flatMap((it) =>
      it.kind === 'one' && pairs.get(it.target)?.former.names.type === type ? [it.key] : [],
    );
  const [left] = keysTo(join.left.model);
  const right = keysTo(join.right.model).find((key) => key !== left);
  if (left === undefined || right === undefined) return undefined;
  const keys = new Map([
    [left, `${join.id}.left`],
    [right, `${join.id}.right`],
  ]);
  return { id: join.id, keys };
}

/** The other side of a relation is the same when that relation is. */
function formerRelation(relation: Relation, model: Model, world: Carrying): Relation | undefined {
  const pair = world.pairs.get(model.names.type);
  if (isOwn(relation)) {
    const former = pair?.relations.get(relation.name);
    return pair?.former.relations.find((it) => isOwn(it) && it.name === former);
  }
  const source = world.pairs.get(relation.target);
  const declared = source?.relations.get(declaredName(relation) ?? '');
  return pair?.former.relations.find(
    (it) => !isOwn(it) && it.target === source?.former.names.type && declaredName(it) === declared,
  );
}

function declaredName(relation: Relation): string | undefined {
  return relation.kind === 'inverse' ? relation.of : relation.inverse;
}

function carryJoin(join: JoinTable, next: App, { previous, pairs, newId }: Carrying): JoinTable {
  const declaring = modelOf(join.left.model, next);
  const relation = declaring?.relations.find((it) => isOwn(it) && tableOf(it) === join.table);
  const pair = pairs.get(join.left.model);
  const name = relation && pair?.relations.get(relation.name);
  const former = pair?.former.relations.find((it) => isOwn(it) && it.name === name);
  const table = former && tableOf(former);
  const carried = previous.joinTables.find((it) => it.table === table);
  return { ...join, id: carried?.id ?? newId(join.id) };
}

function tableOf(relation: Relation): string | undefined {
  return relation.kind === 'links' && relation.through === undefined ? relation.table : undefined;
}

function carryEnum(next: Enum, { previous, renames, newId }: Carrying): Enum {
  const ofNames = new Map(
    renames.filter(({ owner }) => owner === undefined).map(({ from, to }) => [to, from]),
  );
  const former = previous.enums.find(({ name }) => name === (ofNames.get(next.name) ?? next.name));
  const ofValues = new Map(
    renames
      .filter(({ owner }) => owner === next.name || owner === former?.name)
      .map(({ from, to }) => [to, from]),
  );
  const values = formerNames(former?.values.map(named) ?? [], next.values.map(named), ofValues);
  const formerValue = (value: string) =>
    former?.values.find((it) => it.value === values.get(value));
  return {
    ...next,
    id: former?.id ?? newId(next.id),
    values: next.values.map((it) => ({
      ...it,
      id: formerValue(it.value)?.id ?? newId(it.id),
    })),
  };
}

function named(value: EnumValue) {
  return { ...value, name: value.value };
}

type NewId = (wanted: string) => string;

/** Gives out ids that nothing of the app has: `field:Post.title`, and when that is taken `field:Post.title~2`. */
function idSource(app: App): NewId {
  const taken = new Set(identities(app).map(([, id]) => id));
  return (wanted) => {
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}~${count}`;
    taken.add(id);
    return id;
  };
}

/** Ids by those that the same things would have if the app were new. */
export type CarriedIds = Readonly<Record<string, string>>;

/** Those that differ: of what was renamed, and of what took the name of something that is gone. */
export function carriedIds(app: App): CarriedIds {
  return Object.fromEntries(identities(app).filter(([fresh, id]) => fresh !== id));
}

/** The app as it was, given the app that its schema means. */
export function restoreIds(app: App, ids: CarriedIds): App {
  const restored = <Thing extends { readonly id: string }>(thing: Thing): Thing => ({
    ...thing,
    id: ids[thing.id] ?? thing.id,
  });
  return {
    ...app,
    enums: app.enums.map((it) => restored({ ...it, values: it.values.map(restored) })),
    models: app.models.map((it) =>
      restored({ ...it, fields: it.fields.map(restored), relations: it.relations.map(restored) }),
    ),
    joinTables: app.joinTables.map(restored),
  };
}

type Identity = readonly [fresh: string, id: string];

function identities(app: App): readonly Identity[] {
  return [
    ...app.enums.flatMap(({ name, id, values }): readonly Identity[] => [
      [`enum:${name}`, id],
      ...values.map((it): Identity => [`value:${name}.${it.value}`, it.id]),
    ]),
    ...app.models.flatMap((model) => ofModel(model, app)),
    ...app.joinTables.map((join): Identity => [freshJoinId(join, app), join.id]),
  ];
}

function ofModel(model: Model, app: App): readonly Identity[] {
  const name = schemaName(model);
  return [
    [`model:${name}`, model.id],
    ...model.fields.map((it): Identity => [`field:${name}.${it.name}`, it.id]),
    ...model.relations.map((it): Identity => [freshRelationId(it, name, app), it.id]),
  ];
}

function freshRelationId(relation: Relation, model: string, app: App): string {
  if (isOwn(relation)) return `relation:${model}.${relation.name}`;
  return `inverse:${nameOfType(relation.target, app)}.${declaredName(relation) ?? relation.name}`;
}

function freshJoinId({ table, left }: JoinTable, app: App): string {
  const model = modelOf(left.model, app);
  const relation = model?.relations.find(
    (it) => it.kind === 'links' && isOwn(it) && it.table === table,
  );
  return `join:${nameOfType(left.model, app)}.${relation?.name ?? table}`;
}

function nameOfType(type: string, app: App): string {
  const model = modelOf(type, app);
  return model === undefined ? type : schemaName(model);
}
