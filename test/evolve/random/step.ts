import * as fc from 'fast-check';
import { chance, type Draw, oneOf } from './draw.ts';
import { newId, plainModel, sameIn } from './change.ts';
import * as enumMutations from './enum-mutations.ts';
import * as indexMutations from './index-mutations.ts';
import * as mutations from './mutations.ts';
import type { World, WorldEnum, WorldModel } from './world.ts';

export interface Step {
  readonly world: World;
  /** Renames that the schema does not tell: `Post.title=heading`. */
  readonly renames: readonly string[];
}

const all = { ...mutations, ...indexMutations, ...enumMutations };
const kinds = Object.values(all);
const common = [all.addField, all.changeField, all.changeField, all.renameField, all.changeModel];

/** One to four changes at once. */
export function drawStep(draw: Draw, before: World): Step {
  const count = draw(fc.integer, { min: 1, max: 4 });
  let world = before;
  for (let index = 0; index < count; index += 1) {
    const mutate = oneOf(draw, [...kinds, ...common]) ?? all.addField;
    const next = mutate(draw, world, before);
    if (!hasNewUnderOldName(next, before)) world = next;
  }
  return tellRenames(draw, before, world);
}

/** Whether something new ended up with a name from before, by a swap or a rename: a schema would take it for the old thing changed. */
function hasNewUnderOldName(world: World, before: World): boolean {
  return (
    isTaken(world.models, before.models) ||
    world.models.some((model) => {
      const former = sameIn(before.models, model);
      return former !== undefined && isTaken(members(model), members(former));
    }) ||
    world.enums.some((it) => {
      const former = sameIn(before.enums, it);
      return former !== undefined && isTaken(it.values.map(thingOf), former.values.map(thingOf));
    })
  );
}

function isTaken(things: readonly Thing[], former: readonly Thing[]): boolean {
  return things.some(
    (thing) => !sameIn(former, thing) && former.some(({ name }) => name === thing.name),
  );
}

export function firstWorld(draw: Draw): World {
  const empty: World = {
    isFound: chance(draw, 2),
    enums: [
      { id: newId(), name: 'Status', values: valuesCalled('draft', 'live', 'old') },
      { id: newId(), name: 'Size', values: valuesCalled('s', 'live', '1.5') },
    ],
    models: ['User', 'Post', 'Tag'].map((name) => plainModel(name, draw)),
  };
  const fields = Array.from({ length: 6 }, () => all.addField);
  const start = [
    ...fields,
    all.addRelation,
    all.addRelation,
    all.addRelation,
    all.addLinks,
    all.addIndex,
    all.addUnique,
    all.addCheck,
  ];
  let world = empty;
  for (const mutate of start) world = mutate(draw, world, empty);
  return world;
}

function valuesCalled(...names: readonly string[]) {
  return names.map((value) => ({ id: newId(), value }));
}

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly was?: string;
}

/** Tells each rename by `was` or beside the schema, and drops any `was` that is no longer true. */
function tellRenames(draw: Draw, before: World, world: World): Step {
  const renames: string[] = [];
  const teller = (things: readonly Thing[], former: readonly Thing[], owner: string) => {
    const present = new Set(things.map(({ name }) => name));
    const claimed = new Set<string>();
    return <T extends Thing>({ was: told, ...thing }: T) => {
      const from = former.find(({ id }) => id === thing.id)?.name ?? thing.name;
      const isRenamed = from !== thing.name;
      const was = isRenamed && chance(draw, 2) ? from : told;
      const isLegal = was !== undefined && !present.has(was) && !claimed.has(was);
      if (isLegal) claimed.add(was);
      if (isRenamed && !(isLegal && was === from)) renames.push(`${owner}${from}=${thing.name}`);
      return isLegal ? { ...thing, was } : thing;
    };
  };
  const models = world.models.map((model) => {
    const former = before.models.find(({ id }) => id === model.id) ?? { fields: [], relations: [] };
    const tell = teller(members(model), members(former), `${model.name}.`);
    return { ...model, fields: model.fields.map(tell), relations: model.relations.map(tell) };
  });
  const enums = world.enums.map((it) => {
    const former = before.enums.find(({ id }) => id === it.id);
    if (former !== undefined && former.name !== it.name) renames.push(`${former.name}=${it.name}`);
    const tell = teller(it.values.map(thingOf), former?.values.map(thingOf) ?? [], `${it.name}.`);
    const values = it.values.map((value) => {
      const { name: _, ...told } = tell(thingOf(value));
      return told;
    });
    return { ...it, values };
  });
  return {
    world: { ...world, enums, models: models.map(teller(models, before.models, '')) },
    renames,
  };
}

function members({ fields, relations }: Pick<WorldModel, 'fields' | 'relations'>) {
  return [...fields, ...relations];
}

function thingOf(value: WorldEnum['values'][number]) {
  return { ...value, name: value.value };
}
