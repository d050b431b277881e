import * as fc from 'fast-check';
import { updateRules } from '../../../src/schema/language.ts';
import { labels, linkNames, prose, relationNames } from './names.ts';
import { maybe, type Document, oneIn, some } from './pick.ts';
import { rulesDocument } from './rules.ts';
import type { Join, World } from './world.ts';

export interface Relations {
  readonly document: Document;
  /** Every name that fields may no longer have. */
  readonly names: readonly string[];
  /** Those that a unique constraint, an index or an order may hold. */
  readonly keys: readonly string[];
  readonly toOne: readonly { readonly name: string; readonly to: string }[];
  /** Those that can own a row; whether a row may have no owner. */
  readonly toUser: readonly { readonly name: string; readonly optional: boolean }[];
}

interface ToOne {
  readonly name: string;
  readonly to: string;
  readonly optional: boolean;
  readonly written: Document | string;
}

/** To-one relations to users, to other models and to the model itself, and many-to-many ones. */
export function relationsDocument(world: World, model: string): Relations {
  const { pick, join } = world;
  const drawn = some(pick, relationNames, { most: 3 }).flatMap((it) => toOne(world, model, it));
  const keys = join?.model === model ? [...drawn, ...pairOf(world, join)] : drawn;
  const names = some(pick, linkNames, { most: 2 });
  const links = names.map((name): [string, unknown] => [name, linkTo(world, model, name)]);
  const through = join?.left === model ? [throughOf(world, join)] : [];
  return {
    document: Object.fromEntries([
      ...keys.map(({ name, written }) => [name, written]),
      ...links,
      ...through,
    ]),
    names: [...keys, ...[...links, ...through].map(([name]) => ({ name }))].map(({ name }) => name),
    keys: keys.map(({ name }) => name),
    toOne: keys,
    toUser: keys.filter(({ to }) => to === 'User'),
  };
}

function toOne(world: World, model: string, names: (typeof relationNames)[number]): ToOne[] {
  const { pick, models, home, join } = world;
  const to = pick(fc.constantFrom<string[]>, 'User', model, ...models);
  // What holds pairs has one key to each side.
  if (join?.model === model && (to === join.left || to === join.right)) return [];
  const optional = !mayRequire(world, model, to) || pick(fc.boolean);
  const onDelete = pick(
    fc.constantFrom<(string | undefined)[]>,
    undefined,
    'restrict',
    'cascade',
    ...(optional ? ['set_null'] : []),
  );
  const written = {
    to,
    ...(optional && { optional }),
    ...inverseOf(world, { model, to, name: names.inverse }),
    ...(onDelete !== undefined && { on_delete: onDelete }),
    ...(oneIn(pick, 6) && { on_update: pick(fc.constantFrom, ...updateRules) }),
    ...(oneIn(pick, 6) && to !== home && { unique: true }),
    ...(oneIn(pick, 6) && { index: pick(fc.boolean) }),
    ...(oneIn(pick, 10) && { column: `FK_${names.name.slice(0, 20)}` }),
    ...(oneIn(pick, 10) && { was: `former_${names.name.slice(0, 20)}` }),
    ...(oneIn(pick, 6) && { description: pick(fc.constantFrom, ...prose) }),
    // One to a user may come to be that of the owner.
    ...rulesDocument(world, { words: [], isUnwritten: to === 'User', isRequired: !optional }),
    ...(oneIn(pick, 10) && { 'x-label': pick(fc.constantFrom, ...labels) }),
  };
  const isShort = Object.keys(written).every((key) => key === 'to' || key === 'optional');
  const short = `${to}${optional ? '?' : ''}`;
  return [
    { name: names.name, to, optional, written: isShort && pick(fc.boolean) ? short : written },
  ];
}

/** Only backwards: to what comes before, and first of all to users, unless those point here themselves. */
function mayRequire({ models, home }: World, model: string, to: string): boolean {
  if (model === 'User') return to === home;
  if (to === 'User') return model !== home;
  return models.indexOf(to) < models.indexOf(model);
}

function linkTo(world: World, model: string, name: string): Document | string {
  const { pick, models } = world;
  const to = pick(fc.constantFrom<string[]>, 'User', ...models);
  if (pick(fc.boolean)) return `${to}[]`;
  const inverse = `${name.slice(0, 20)}_of`;
  return {
    to,
    many: true,
    ...inverseOf(world, { model, to, name: inverse }),
    ...maybe(pick, 'description', prose),
    ...rulesDocument(world, { words: [] }),
  };
}

function pairOf({ pick }: World, { left, right }: Join): ToOne[] {
  return [
    { name: 'left', to: left },
    { name: 'right', to: right },
  ].map(({ name, to }) => {
    const written = { to, ...maybe(pick, 'on_delete', ['restrict', 'cascade']) };
    return { name, to, optional: false, written };
  });
}

function throughOf(world: World, { model, left, right }: Join): [string, Document] {
  const inverse = inverseOf(world, { model: left, to: right, name: 'partnered' });
  const rules = rulesDocument(world, { words: [], isUnwritten: true });
  return ['partners', { to: right, many: true, through: model, ...inverse, ...rules }];
}

/** What the other side calls it, in half of the relations. */
function inverseOf(
  { pick, models, taken }: World,
  { model, to, name }: { readonly model: string; readonly to: string; readonly name: string },
): Document {
  if (pick(fc.boolean)) return {};
  const inverse = `${name}${models.indexOf(model) + 1}`;
  taken.set(to, new Set([...(taken.get(to) ?? []), inverse]));
  return { inverse };
}
