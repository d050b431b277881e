import type { Context, Place } from './context.ts';
import type { Matches } from './match.ts';
import type { List, OwnName } from './tree.ts';

/** What mine declares as the base does, under another name. */
export function findOwnNames(
  { rename }: Context,
  { base, mine, theirs }: Place<List>,
  { toMine, toTheirs }: Matches,
): OwnName[] {
  if (!base?.scope || !mine.scope || !theirs.scope) return [];
  const within = { base: base.scope, mine: mine.scope, theirs: theirs.scope };
  return [...toMine].flatMap(([old, item]) =>
    old.binds.flatMap((bound): OwnName[] => {
      const own = item.binds.find(({ of }) => of === bound.of);
      if (!own || own.name === bound.name) return [];
      const theirNames = toTheirs.get(old)?.binds.map(({ name }) => name) ?? [];
      const renamed = [bound.name, rename(bound.name)].find((it) => theirNames.includes(it));
      const names = { base: bound.name, mine: own.name, theirs: renamed ?? bound.name };
      return [{ names, within }];
    }),
  );
}
