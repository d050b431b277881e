import * as fc from 'fast-check';
import { chance, type Draw, oneOf } from './draw.ts';
import { newId, onModel, without } from './change.ts';
import type { Mutation } from './mutations.ts';
import type { WorldIndex, WorldModel } from './world.ts';

export const addIndex: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    indexes: [...model.indexes, drawIndex(draw, model, [0, ...memberIds(model)])],
  }));

export const dropIndex: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({ ...model, indexes: without(draw, model.indexes) }));

export const addUnique: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    uniques: [...model.uniques, drawIndex(draw, model, memberIds(model))],
  }));

export const dropUnique: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({ ...model, uniques: without(draw, model.uniques) }));

export const addCheck: Mutation = (draw, world) =>
  onModel(draw, world, (model) => {
    const left = oneOf(draw, model.fields);
    const others = model.fields.filter((it) => it !== left && it.type.kind === left?.type.kind);
    const right = oneOf(draw, others);
    if (left === undefined || right === undefined) return model;
    const operator = chance(draw, 2) ? '<' : '<=';
    const check = { id: newId(), left: left.id, operator, right: right.id } as const;
    return { ...model, checks: [...model.checks, check] };
  });

export const dropCheck: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({ ...model, checks: without(draw, model.checks) }));

function memberIds({ fields, relations }: WorldModel): readonly number[] {
  return [...fields, ...relations.filter(({ many }) => !many)].map(({ id }) => id);
}

function drawIndex(draw: Draw, { fields }: WorldModel, ids: readonly number[]): WorldIndex {
  const count = 1 + draw(fc.nat, { max: 2 });
  const drawn = Array.from({ length: count }, () => oneOf(draw, ids) ?? 0);
  const keys = [...new Set(drawn)].map((id) => ({ id, descending: chance(draw, 3) }));
  const field = chance(draw, 3) ? oneOf(draw, fields) : undefined;
  const isOther = field !== undefined && keys.every(({ id }) => id !== field.id);
  return {
    id: newId(),
    keys,
    ...(isOther ? { where: { id: field.id, isNull: chance(draw, 2) } } : {}),
  };
}
