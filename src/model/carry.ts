import { present } from '../present.ts';
import {
  type App,
  type Enum,
  type EnumValue,
  type Field,
  type JoinTable,
  type Model,
  findModel,
  type Relation,
} from './app.ts';
import { formerNames, isOwn, type ModelPair, pairModels } from './model-pairs.ts';
import type { Rename } from './rename.ts';
import { findDeclaredName, identities } from './carried-ids.ts';

/**
 * The new app with the ids of the old one for everything that is the same: it kept its name, or `was` or `renames`
 * names it. New things get unused ids. A relation to another model is another relation. The former engine and the
 * package manager are carried as well.
 */
export function carryIds(previous: App, next: App, renames: readonly Rename[] = []): App {
  const carrying: Carrying = {
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
    enums: next.enums.map((it) => carryEnum(it, carrying)),
    models: next.models.map((model) => carryModel(model, carrying)),
    joinTables: next.joinTables.map((join) => carryJoin(join, next, carrying)),
  };
}

interface Carrying {
  readonly previous: App;
  readonly renames: readonly Rename[];
  /** Keyed by the type name of the new model. */
  readonly pairs: ReadonlyMap<string, ModelPair>;
  readonly newId: NewId;
}

function carryModel(model: Model, carrying: Carrying): Model {
  const pair = carrying.pairs.get(model.names.type);
  const links = pair ? undefined : formerLinks(model, carrying);
  const formerField = ({ name }: Field) =>
    pair?.former.fields.find((field) => field.name === pair.fields.get(name));
  return {
    ...model,
    id: (pair?.former ?? links)?.id ?? carrying.newId(model.id),
    fields: model.fields.map((field) => ({
      ...field,
      id: formerField(field)?.id ?? links?.keys.get(field.name) ?? carrying.newId(field.id),
    })),
    relations: model.relations.map((relation) => ({
      ...relation,
      id: formerRelation(relation, model, carrying)?.id ?? carrying.newId(relation.id),
    })),
  };
}

/** The join table of `was: Item.tags`, and the ids of its columns by the names that their fields have in the model. */
function formerLinks(model: Model, { previous, pairs }: Carrying) {
  const [owner, name] = model.was?.split('.') ?? [];
  const declaring = previous.models.find((it) => it.name === owner);
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
function formerRelation(
  relation: Relation,
  model: Model,
  carrying: Carrying,
): Relation | undefined {
  const pair = carrying.pairs.get(model.names.type);
  if (isOwn(relation)) {
    const former = pair?.relations.get(relation.name);
    return pair?.former.relations.find((it) => isOwn(it) && it.name === former);
  }
  const source = carrying.pairs.get(relation.target);
  const declared = source?.relations.get(findDeclaredName(relation) ?? '');
  return pair?.former.relations.find(
    (it) =>
      !isOwn(it) && it.target === source?.former.names.type && findDeclaredName(it) === declared,
  );
}

/** A table of links made from the keys of a to-one relation has the id of that key. */
function carryJoin(join: JoinTable, next: App, { previous, pairs, newId }: Carrying): JoinTable {
  const declaring = findModel(join.left.model, next);
  const relation = declaring?.relations.find((it) => isOwn(it) && tableOf(it) === join.table);
  const pair = pairs.get(join.left.model);
  const name = relation && pair?.relations.get(relation.name);
  const former = pair?.former.relations.find((it) => isOwn(it) && it.name === name);
  const table = former && tableOf(former);
  const carried = previous.joinTables.find((it) => it.table === table);
  const key = pair?.linked.get(relation?.name ?? '');
  const linked = pair?.former.fields.find((it) => it.name === key);
  return { ...join, id: (carried ?? linked)?.id ?? newId(join.id) };
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

const named = (value: EnumValue) => ({ ...value, name: value.value });

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
