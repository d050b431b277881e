import { chance, type Draw, oneOf } from './draw.ts';
import { idTypes, type World, type WorldModel } from './world.ts';

export function onModel(
  draw: Draw,
  world: World,
  change: (model: WorldModel) => WorldModel,
): World {
  return { ...world, models: changed(draw, world.models, change) };
}

export function changed<T>(draw: Draw, items: readonly T[], change: (item: T) => T): readonly T[] {
  const chosen = oneOf(draw, items);
  return items.map((item) => (item === chosen ? change(item) : item));
}

export function without<T>(draw: Draw, items: readonly T[]): readonly T[] {
  const chosen = oneOf(draw, items);
  return items.filter((item) => item !== chosen);
}

export function plainModel(name: string, draw: Draw): WorldModel {
  return {
    id: newId(),
    name,
    idType: name !== 'User' && chance(draw, 3) ? (oneOf(draw, idTypes) ?? 'int') : 'int',
    ...(name !== 'User' && chance(draw, 4) ? { idColumn: `k_${name.toLowerCase()}` } : {}),
    softDelete: chance(draw, 3),
    timestamps: name === 'User' || chance(draw, 2),
    fields: [],
    relations: [],
    indexes: [],
    uniques: [],
    checks: [],
  };
}

let count = 0;
export function newId(): number {
  count += 1;
  return count;
}

export function named<T extends { readonly name: string }>(thing: T, name: string | undefined): T {
  return name === undefined ? thing : { ...thing, name };
}

export function sameIn<T extends { readonly id: number }>(
  things: readonly T[],
  thing: T,
): T | undefined {
  return things.find(({ id }) => id === thing.id);
}
