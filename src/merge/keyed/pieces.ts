import {
  addMine,
  addTheirs,
  clashPiece,
  idleClash,
  isIdle,
  keepMine,
  type Lists,
  type Piece,
  replacedPiece,
  revive,
} from './piece.ts';
import type { Context } from './context.ts';
import type { Item } from './tree.ts';
import { findRivals, inverse, findReplaced } from './replaced.ts';

export interface Decided {
  /** In the order of mine. */
  readonly kept: readonly Piece[];
  /** In the order of theirs, to be placed. */
  readonly inserted: readonly Piece[];
}

/** What becomes of every item. */
export function decidePieces(context: Context, lists: Lists): Decided {
  const { mine, theirs } = lists.place;
  const found = findPairs(context, lists);
  const { clashOf, fromMine, fromTheirs, rivals, replaced, former, rewritten } = found;
  const kept = mine.items.flatMap((item) => {
    const clash = clashOf.get(item);
    if (clash) return clash.mine[0] === item ? clashPiece(clash) : [];
    const old = fromMine.get(item);
    if (isIdle(context, item)) return clashPiece(idleClash(lists, item, old));
    if (old)
      return keepMine(context, lists, { base: old, mine: item, rewrite: rewritten.get(old) });
    const gone = replaced.get(item);
    const piece =
      gone && !rivals.has(item) && !lists.texts.has(item)
        ? replacedPiece(context, lists, { base: gone, mine: item, rewrite: rewritten.get(gone) })
        : undefined;
    return piece ?? addMine(context, lists, item, rivals.get(item));
  });
  const taken = new Set([...rivals.values(), ...kept.flatMap((piece) => piece.theirs ?? [])]);
  const inserted = theirs.items.flatMap((item) => {
    if (taken.has(item)) return [];
    const clash = clashOf.get(item);
    if (clash) return clash.mine.length === 0 && clash.theirs[0] === item ? clashPiece(clash) : [];
    const old = fromTheirs.get(item) ?? former.get(item);
    if (old && !lists.toMine.has(old)) {
      // Its new names are imported later, where they are missing.
      if (old.unites && old.binds.length > 0) return [];
      return revive(context, { base: old, theirs: item });
    }
    return fromTheirs.has(item) ? [] : [addTheirs(context, item)];
  });
  return { kept, inserted };
}

/** Groups pieces: by clash, by place, and by what replaced what. */
function findPairs(context: Context, lists: Lists) {
  const clashOf = new Map(
    lists.clashes.flatMap((it) =>
      [...it.base, ...it.mine, ...it.theirs].map((item) => [item, it] as const),
    ),
  );
  const { mine, theirs } = lists.place;
  const base = lists.place.base?.items ?? [];
  const [fromMine, fromTheirs] = [inverse(lists.toMine), inverse(lists.toTheirs)];
  const isFree = (item: Item) => !clashOf.has(item);
  const rivals = findRivals(
    mine.items.filter((item) => isFree(item) && !fromMine.has(item)),
    theirs.items.filter((item) => isFree(item) && !fromTheirs.has(item)),
  );
  const replaced = findReplaced(context, { base, items: mine.items, side: 'mine' }, lists.toMine);
  const former = findReplaced(
    context,
    { base, items: theirs.items, side: 'theirs' },
    lists.toTheirs,
  );
  // In a type, a member with another name is another member.
  const rewritten = theirs.rule.separator === '' ? inverse(former) : new Map<Item, Item>();
  return { clashOf, fromMine, fromTheirs, rivals, replaced, former, rewritten };
}
