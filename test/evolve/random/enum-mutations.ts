import * as fc from 'fast-check';
import { changed, named, newId, sameIn, without } from './change.ts';
import { type Draw, oneOf } from './draw.ts';
import type { Mutation } from './mutations.ts';
import { withoutGone } from './without-gone.ts';
import type { World, WorldEnum } from './world.ts';

export const renameEnum: Mutation = (draw, world) => {
  const taken = world.enums.map(({ name }) => name);
  const name = oneOf(
    draw,
    enumNames.filter((it) => !taken.includes(it)),
  );
  return onEnum(draw, world, (it) => named(it, name));
};

export const changeStorage: Mutation = (_, world) => ({ ...world, isFound: !world.isFound });

export const addValue: Mutation = (draw, world, before) =>
  onEnum(draw, world, (it) => {
    const taken = [...it.values, ...(sameIn(before.enums, it)?.values ?? [])];
    const value = freeValue(draw, taken);
    if (value === undefined) return it;
    const place = draw(fc.nat, it.values.length);
    return { ...it, values: it.values.toSpliced(place, 0, { id: newId(), value }) };
  });

export const dropValue: Mutation = (draw, world) => {
  const changedWorld = onEnum(draw, world, (it) =>
    it.values.length < 2 ? it : { ...it, values: without(draw, it.values) },
  );
  return {
    ...changedWorld,
    models: changedWorld.models.map((it) => withoutGone(it, changedWorld)),
  };
};

export const renameValue: Mutation = (draw, world) =>
  onEnum(draw, world, (it) => ({
    ...it,
    values: changed(draw, it.values, (value) => ({
      ...value,
      value: freeValue(draw, it.values) ?? value.value,
    })),
  }));

const enumNames = ['Status', 'Size', 'Mood', 'State'];
const valueNames = ['draft', 'live', 'old', 'New York', "it's", '1.5', 'true', 'ÄÖ', '7'];

function onEnum(draw: Draw, world: World, change: (it: WorldEnum) => WorldEnum): World {
  return { ...world, enums: changed(draw, world.enums, change) };
}

function freeValue(draw: Draw, taken: WorldEnum['values']): string | undefined {
  return oneOf(
    draw,
    valueNames.filter((name) => taken.every(({ value }) => value !== name)),
  );
}
