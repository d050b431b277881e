import { tokensOf, type Context, type Sides } from './context.ts';
import type { Matches } from './match.ts';
import { isRenamed } from './rename.ts';
import type { Item, List, OwnerRename } from './tree.ts';

export function listOwnerRenames(
  context: Context,
  { base, ours, theirs }: Sides<List>,
  { toOurs, toTheirs }: Matches,
): OwnerRename[] {
  if (!base?.scope || !ours.scope || !theirs.scope) return [];
  const within = { base: base.scope, ours: ours.scope, theirs: theirs.scope };
  return [...toOurs].flatMap(([old, item]) =>
    old.bindings.flatMap((bound): OwnerRename[] => {
      const own = item.bindings.find(({ of }) => of === bound.of);
      if (!own || own.name === bound.name) return [];
      const theirNames = toTheirs.get(old)?.bindings.map(({ name }) => name);
      const spellings = [bound.name, context.rename(bound.name)];
      const theirName = spellings.find((it) => theirNames?.includes(it));
      // Theirs deleted it or renamed it too.
      if (theirName === undefined) return [];
      const names = { base: bound.name, ours: own.name, theirs: theirName };
      const isSame = !base.rule.byPosition || differsOnlyInName(context, { old, item }, names);
      return isSame ? [{ names, within }] : [];
    }),
  );
}

/** An item that was matched by its position may be different, so it must equal the base except for the name. */
function differsOnlyInName(
  context: Context,
  { old, item }: { readonly old: Item; readonly item: Item },
  names: OwnerRename['names'],
): boolean {
  const [before, after] = [
    tokensOf(context, 'base', old.node),
    tokensOf(context, 'ours', item.node),
  ];
  return isRenamed(before, after, (token) => (token === names.base ? names.ours : token));
}
