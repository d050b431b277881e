import { withoutGone } from './without-gone.ts';
import type { World } from './world.ts';

/** What git makes of two branches that a person has merged with care; where both changed something, ours wins. */
export function mergeWorlds(base: World, ours: World, theirs: World): World {
  const merged = {
    isFound: base.isFound === ours.isFound ? theirs.isFound : ours.isFound,
    enums: mergeLists(base.enums, ours.enums, theirs.enums),
    models: mergeLists(base.models, ours.models, theirs.models),
  };
  return { ...merged, models: merged.models.map((it) => withoutGone(it, merged)) };
}

interface Identified {
  readonly id: number;
}

function mergeLists<Thing extends Identified>(
  base: readonly Thing[],
  ours: readonly Thing[],
  theirs: readonly Thing[],
): readonly Thing[] {
  const find = (things: readonly Thing[], id: number) => things.find((it) => it.id === id);
  const kept = ours.flatMap((thing) => {
    const [was, other] = [find(base, thing.id), find(theirs, thing.id)];
    if (was === undefined) return [thing];
    // They dropped it: ours is dropped, too, unless it was changed.
    if (other === undefined) return isSame(was, thing) ? [] : [thing];
    return [mergeThings(was, thing, other)];
  });
  const added = theirs.filter(
    (thing) => find(ours, thing.id) === undefined && !isSame(find(base, thing.id), thing),
  );
  return [...kept, ...added];
}

function mergeThings<Thing extends Identified>(base: Thing, ours: Thing, theirs: Thing): Thing {
  const merged: Thing = { ...ours };
  for (const key of keysOf(base, ours, theirs)) {
    const [was, here, there] = [base[key], ours[key], theirs[key]];
    if (isList(was) && isList(here) && isList(there)) {
      Object.assign(merged, { [key]: mergeLists(was, here, there) });
    } else if (isSame(was, here)) Object.assign(merged, { [key]: there });
  }
  return merged;
}

function keysOf<Thing extends object>(...things: readonly Thing[]): readonly (keyof Thing)[] {
  const keys = new Set<string>(things.flatMap((thing) => Object.keys(thing)));
  return [...keys].filter((key): key is Extract<keyof Thing, string> =>
    things.some((thing) => key in thing),
  );
}

function isList(value: unknown): value is readonly Identified[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object');
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Both may have added something with the same name, which a person would have to resolve. */
export function hasNamesTwice({ enums, models }: World): boolean {
  const families = [
    models.map(({ name }) => name),
    enums.map(({ name }) => name),
    ...models.map(({ fields, relations }) => [...fields, ...relations].map(({ name }) => name)),
    ...enums.map(({ values }) => values.map(({ value }) => value)),
  ];
  return families.some((names) => new Set(names).size < names.length);
}

/** As if each branch had told its renames beside the schema. */
export function withoutFormerNames({ enums, models, ...world }: World): World {
  return {
    ...world,
    enums: enums.map((it) => ({ ...it, values: it.values.map(withoutWas) })),
    models: models.map((it) => ({
      ...withoutWas(it),
      fields: it.fields.map(withoutWas),
      relations: it.relations.map(withoutWas),
    })),
  };
}

function withoutWas<Thing extends { readonly was?: string }>(thing: Thing) {
  const { was: _, ...rest } = thing;
  return rest;
}
