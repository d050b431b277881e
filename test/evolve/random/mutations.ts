import { changed, named, newId, onModel, plainModel, sameIn, without } from './change.ts';
import { chance, type Draw, drawNextType, drawType, drawValue, oneOf } from './draw.ts';
import {
  idTypes,
  type Value,
  type World,
  type WorldField,
  type WorldModel,
  type WorldRelation,
} from './world.ts';

/** One change to a schema. Nothing new takes a name that `before` had: that would be the old thing changed. */
export type Mutation = (draw: Draw, world: World, before: World) => World;

export const addField: Mutation = (draw, world, before) =>
  onModel(draw, world, (model) => {
    const name = newName(draw, fieldNames, [model, sameIn(before.models, model)]);
    if (name === undefined) return model;
    const id = newId();
    const type = drawType(draw, world);
    const field = { id, name, type, optional: chance(draw, 2), unique: false, index: false };
    return { ...model, fields: [...model.fields, withValues(draw, field, world)] };
  });

export const dropField: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({ ...model, fields: without(draw, model.fields) }));

export const changeField: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    fields: changed(draw, model.fields, ({ id, name, was, column, ...field }) => {
      const type = chance(draw, 2) ? field.type : drawNextType(draw, field.type, world);
      const facts = {
        id,
        name,
        type,
        ...(was === undefined ? {} : { was }),
        ...(column === undefined ? {} : { column }),
        optional: chance(draw, 3) ? !field.optional : field.optional,
        unique: chance(draw, 4) ? !field.unique : field.unique,
        index: chance(draw, 4) ? !field.index : field.index,
      };
      return withValues(draw, facts, world);
    }),
  }));

export const renameField: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    fields: changed(draw, model.fields, (field) =>
      named(field, newName(draw, fieldNames, [model])),
    ),
  }));

export const moveColumn: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    fields: changed(draw, model.fields, ({ column, ...field }) =>
      column === undefined ? { ...field, column: `c_${field.id}` } : field,
    ),
  }));

/** Two fields exchange their names. */
export const swapFields: Mutation = (draw, world) =>
  onModel(draw, world, (model) => {
    const [one, two] = [oneOf(draw, model.fields), oneOf(draw, model.fields)];
    if (one === undefined || two === undefined) return model;
    const names = new Map([
      [one, two.name],
      [two, one.name],
    ]);
    return { ...model, fields: model.fields.map((field) => named(field, names.get(field))) };
  });

export const addModel: Mutation = (draw, world, before) => {
  const taken = [...world.models, ...before.models].map(({ name }) => name);
  const name = oneOf(
    draw,
    modelNames.filter((it) => !taken.includes(it)),
  );
  if (name === undefined) return world;
  return addField(draw, { ...world, models: [...world.models, plainModel(name, draw)] }, before);
};

export const dropModel: Mutation = (draw, world) => {
  const model = oneOf(draw, world.models);
  if (model === undefined || model.name === 'User') return world;
  const models = world.models
    .filter((it) => it !== model)
    .map((it) => ({ ...it, relations: it.relations.filter(({ to }) => to !== model.id) }));
  return { ...world, models };
};

export const renameModel: Mutation = (draw, world) => {
  const taken = world.models.map(({ name }) => name);
  const name = oneOf(
    draw,
    modelNames.filter((it) => !taken.includes(it)),
  );
  return onModel(draw, world, (model) => (model.name === 'User' ? model : named(model, name)));
};

export const changeModel: Mutation = (draw, world) =>
  onModel(draw, world, ({ table, idColumn, ...model }) => {
    const isUser = model.name === 'User';
    const other = chance(draw, 4) ? `t_${model.id}` : table;
    const key = !isUser && chance(draw, 4) ? `k_${model.id}` : idColumn;
    return {
      ...model,
      ...(other === undefined || chance(draw, 4) ? {} : { table: other }),
      ...(key === undefined || chance(draw, 4) ? {} : { idColumn: key }),
      softDelete: chance(draw, 3) ? !model.softDelete : model.softDelete,
      timestamps: !isUser && chance(draw, 3) ? !model.timestamps : model.timestamps,
      idType: !isUser && chance(draw, 5) ? (oneOf(draw, idTypes) ?? 'int') : model.idType,
    };
  });

export const addRelation: Mutation = (draw, world, before) =>
  relate(draw, { world, before }, (model, to) => {
    const optional = to === model.id || chance(draw, 2);
    return { ...ruled(draw, optional), many: false };
  });

export const addLinks: Mutation = (draw, world, before) =>
  relate(draw, { world, before }, () => ({ optional: false, many: true }));

export const dropRelation: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({ ...model, relations: without(draw, model.relations) }));

export const changeRelation: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    relations: changed(draw, model.relations, (relation) => {
      const { id, name, was, to, many } = relation;
      if (many) return relation;
      const told = was === undefined ? {} : { was };
      return { id, name, ...told, to, many, ...ruled(draw, to === model.id || chance(draw, 2)) };
    }),
  }));

/** The key of each row becomes its one link. */
export const linkKeys: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    relations: changed(draw, model.relations, ({ id, name, was, to }) => {
      const told = was === undefined ? {} : { was };
      return { id, name, ...told, to, many: true, optional: false };
    }),
  }));

export const renameRelation: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    relations: changed(draw, model.relations, (relation) =>
      named(relation, newName(draw, relationNames, [model])),
    ),
  }));

const fieldNames = ['title', 'heading', 'order', 'count', 'isActive', 'key', 'a', 'b', 'group'];
const relationNames = ['author', 'parent', 'union', 'things', 'madeFor'];
const modelNames = ['Post', 'Tag', 'Order', 'BlogPost', 'Sheep', 'Note', 'Index'];
function newName(
  draw: Draw,
  names: readonly string[],
  models: readonly (WorldModel | undefined)[],
): string | undefined {
  const taken = models.flatMap((it) => [...(it?.fields ?? []), ...(it?.relations ?? [])]);
  return oneOf(
    draw,
    names.filter((name) => taken.every((it) => it.name !== name)),
  );
}

type Shape = Pick<WorldRelation, 'many' | 'optional' | 'onDelete' | 'onUpdate' | 'unique'>;

function relate(
  draw: Draw,
  { world, before }: { readonly world: World; readonly before: World },
  shape: (model: WorldModel, to: number) => Shape,
): World {
  return onModel(draw, world, (model) => {
    const to = oneOf(draw, world.models)?.id;
    const name = newName(draw, relationNames, [model, sameIn(before.models, model)]);
    if (to === undefined || name === undefined) return model;
    const relation = { id: newId(), name, to, ...shape(model, to) };
    return { ...model, relations: [...model.relations, relation] };
  });
}

function ruled(draw: Draw, optional: boolean): Omit<Shape, 'many'> {
  const rules = optional ? (['cascade', 'set_null'] as const) : (['cascade'] as const);
  const onDelete = chance(draw, 2) ? oneOf(draw, rules) : undefined;
  const unique = chance(draw, 6) ? true : undefined;
  return {
    optional,
    ...(onDelete === undefined ? {} : { onDelete }),
    ...(chance(draw, 4) ? { onUpdate: 'cascade' as const } : {}),
    ...(unique === undefined ? {} : { unique }),
  };
}

type Facts = Omit<WorldField, 'min' | 'max' | 'default' | 'backfill'>;

function withValues(draw: Draw, facts: Facts, world: World): WorldField {
  const bounds = boundsOf(draw, facts);
  const value = (): Value | undefined =>
    chance(draw, 2) ? drawValue(draw, { ...facts, ...bounds }, world) : undefined;
  const [fallback, backfill] = [facts.unique ? undefined : value(), value()];
  return {
    ...facts,
    ...bounds,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(backfill === undefined ? {} : { backfill }),
  };
}

function boundsOf(draw: Draw, { type }: Facts): { readonly min?: number; readonly max?: number } {
  if (chance(draw, 2)) return {};
  if (type.kind === 'string') return { max: chance(draw, 2) ? 160 : 4 };
  return type.kind === 'int' || type.kind === 'float' ? { min: chance(draw, 2) ? 0 : -10 } : {};
}
