import { tokensOf, type Context, type Sides } from './context.ts';
import type { Matches } from './match.ts';
import { isRenamed } from './rename.ts';
import type { Item, List, OwnName } from './tree.ts';

/** Declarations of the base that mine has under another name. */
export function findOwnNames(
  context: Context,
  { base, mine, theirs }: Sides<List>,
  { toMine, toTheirs }: Matches,
): OwnName[] {
  if (!base?.scope || !mine.scope || !theirs.scope) return [];
  const within = { base: base.scope, mine: mine.scope, theirs: theirs.scope };
  return [...toMine].flatMap(([old, item]) =>
    old.binds.flatMap((bound): OwnName[] => {
      const own = item.binds.find(({ of }) => of === bound.of);
      if (!own || own.name === bound.name) return [];
      const theirNames = toTheirs.get(old)?.binds.map(({ name }) => name);
      const spellings = [bound.name, context.rename(bound.name)];
      const theirName = spellings.find((it) => theirNames?.includes(it));
      // Theirs no longer has it, or renamed it too.
      if (theirName === undefined) return [];
      const names = { base: bound.name, mine: own.name, theirs: theirName };
      const isSame = !base.rule.byPlace || isOnlyNamed(context, { old, item }, names);
      return isSame ? [{ names, within }] : [];
    }),
  );
}

/** Something matched only by its place may be different, so it has to be equal except for the name. */
function isOnlyNamed(
  context: Context,
  { old, item }: { readonly old: Item; readonly item: Item },
  names: OwnName['names'],
): boolean {
  const [before, after] = [
    tokensOf(context, 'base', old.node),
    tokensOf(context, 'mine', item.node),
  ];
  return isRenamed(before, after, (token) => (token === names.base ? names.mine : token));
}
