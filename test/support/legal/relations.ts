import * as fc from 'fast-check';
import { linkNames, relationNames } from './names.ts';
import { type Document, some } from './pick.ts';
import type { World } from './world.ts';

export interface Relations {
  readonly document: Document;
  /** Every name that fields may no longer have. */
  readonly names: readonly string[];
  /** Those that a unique constraint or an index may hold. */
  readonly required: readonly string[];
  /** One that can own a row. */
  readonly toUser: string | undefined;
}

interface ToOne {
  readonly name: string;
  readonly to: string;
  readonly optional: boolean;
  readonly written: Document | string;
}

/** To-one relations to users, to other models and to the model itself, and many-to-many ones. */
export function relationsDocument(world: World, model: string): Relations {
  const { pick, models } = world;
  const keys = some(pick, relationNames, { most: 3 }).map((it) => toOne(world, model, it));
  const links = some(pick, linkNames, { most: 2 }).map((name): [string, unknown] => {
    const to = pick(fc.constantFrom<string[]>, ...models);
    return [name, pick(fc.boolean) ? `${to}[]` : { to, many: true }];
  });
  const required = keys.filter(({ optional }) => !optional);
  return {
    document: Object.fromEntries([...keys.map(({ name, written }) => [name, written]), ...links]),
    names: [...keys.map(({ name }) => name), ...links.map(([name]) => name)],
    required: required.map(({ name }) => name),
    toUser: required.find(({ to, written }) => to === 'User' && !isUnique(written))?.name,
  };
}

function toOne(world: World, model: string, names: (typeof relationNames)[number]): ToOne {
  const { pick, models, taken } = world;
  const to = pick(fc.constantFrom<string[]>, 'User', model, ...models);
  const isEarlier = to === 'User' || models.indexOf(to) < models.indexOf(model);
  const optional = !isEarlier || pick(fc.boolean);
  const onDelete = pick(
    fc.constantFrom<(string | undefined)[]>,
    undefined,
    'restrict',
    'cascade',
    ...(optional ? ['set_null'] : []),
  );
  const inverse = pick(fc.boolean) ? `${names.inverse}${models.indexOf(model)}` : undefined;
  if (inverse !== undefined) taken.set(to, new Set([...(taken.get(to) ?? []), inverse]));
  const written = {
    to,
    ...(optional && { optional }),
    ...(inverse !== undefined && { inverse }),
    ...(onDelete !== undefined && { on_delete: onDelete }),
    ...(pick(fc.integer, { min: 0, max: 5 }) === 0 && { unique: true }),
  };
  const isShort = Object.keys(written).every((key) => key === 'to' || key === 'optional');
  return {
    name: names.name,
    to,
    optional,
    written: isShort && pick(fc.boolean) ? `${to}${optional ? '?' : ''}` : written,
  };
}

function isUnique(written: Document | string): boolean {
  return typeof written === 'object' && 'unique' in written;
}
