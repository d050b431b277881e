import type { App, Index, Model, Relation } from '../model/app.ts';
import { byOperation } from '../schema/language.ts';
import type { Entry } from '../schema/entry.ts';

export function replaceModel(app: App, model: Model, change: (it: Model) => Model): App {
  return { ...app, models: app.models.map((it) => (it.id === model.id ? change(it) : it)) };
}

export function withoutFields(model: Model, names: readonly string[]) {
  const isLeft = (name: string) => !names.includes(name);
  return {
    fields: model.fields.filter(({ name }) => isLeft(name)),
    unique: model.unique.filter((it) => [...it.fields, ...listComparedNames(it)].every(isLeft)),
    indexes: model.indexes.filter((it) =>
      [...it.keys.map(({ field }) => field), ...listComparedNames(it)].every(isLeft),
    ),
    checks: model.checks.filter(({ left, right }) => isLeft(left) && isLeft(right)),
    orderBy: model.orderBy.filter(({ field }) => isLeft(field)),
    embed: model.embed.filter(isLeft),
  };
}

const listComparedNames = ({ where = [] }: Pick<Index, 'where'>) =>
  where.flatMap(({ path }) => path);

/** Removes a relation with everything that depends on it: its key, its inverse, its join table, rules for its owner. */
export function withoutRelation({ id }: Pick<Model, 'id'>, relation: Relation): (app: App) => App {
  return (app) => {
    const holder = app.models.find((it) => it.id === id);
    const table = relation.kind === 'links' ? relation.table : undefined;
    const isGone = (model: Model, it: Relation) =>
      (model.id === id && it.name === relation.name) ||
      (it.kind === 'inverse' && it.target === holder?.name && it.of === relation.name) ||
      (it.kind === 'links' && it.table === table);
    const models = app.models.map((model): Model => {
      const relations = model.relations.filter((it) => !isGone(model, it));
      if (model.id !== id || relation.kind !== 'one') return { ...model, relations };
      const { owner, ...rest } = { ...model, relations, ...withoutFields(model, [relation.key]) };
      if (owner !== relation.name) return { ...rest, ...(owner !== undefined && { owner }) };
      return { ...rest, access: byOperation((name) => model.access[name].filter(isForOthers)) };
    });
    return { ...app, models, joinTables: app.joinTables.filter((it) => it.table !== table) };
  };
}

const isForOthers = ({ kind }: Entry) => kind !== 'owner';

export function withoutModel(gone: Model): (app: App) => App {
  return (app) => {
    const leading = app.models.flatMap((model) =>
      model.relations
        .filter(({ kind, target }) => kind !== 'inverse' && target === gone.name)
        .map((relation) => ({ model, relation })),
    );
    const own = gone.relations.map((relation) => ({ model: gone, relation }));
    const left = [...leading, ...own].reduce(
      (it, { model, relation }) => withoutRelation(model, relation)(it),
      app,
    );
    return { ...left, models: left.models.filter(({ id }) => id !== gone.id) };
  };
}
