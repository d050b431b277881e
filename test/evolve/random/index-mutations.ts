import * as fc from 'fast-check';
import { chance, type Draw, oneOf } from './draw.ts';
import { newId, onModel, without } from './change.ts';
import type { Mutation } from './mutations.ts';
import type { WorldIndex, WorldModel } from './world.ts';

export const addIndex: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    indexes: [...model.indexes, drawIndex(draw, [0, ...memberIds(model)])],
  }));

export const dropIndex: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({ ...model, indexes: without(draw, model.indexes) }));

export const addUnique: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({
    ...model,
    uniques: [...model.uniques, drawIndex(draw, memberIds(model))],
  }));

export const dropUnique: Mutation = (draw, world) =>
  onModel(draw, world, (model) => ({ ...model, uniques: without(draw, model.uniques) }));

function memberIds({ fields, relations }: WorldModel): readonly number[] {
  return [...fields, ...relations.filter(({ many }) => !many)].map(({ id }) => id);
}

function drawIndex(draw: Draw, ids: readonly number[]): WorldIndex {
  const count = 1 + draw(fc.nat, { max: 2 });
  const drawn = Array.from({ length: count }, () => oneOf(draw, ids) ?? 0);
  const keys = [...new Set(drawn)].map((id) => ({ id, descending: chance(draw, 3) }));
  return { id: newId(), keys };
}
