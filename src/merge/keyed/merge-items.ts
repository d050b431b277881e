import {
  addOurs,
  addTheirs,
  conflictItem,
  unneededConflict,
  isUnneeded,
  mergeKept,
  type MergeLists,
  type MergedItem,
  mergeReplaced,
  mergeDeleted,
} from './merged-item.ts';
import type { Context } from './context.ts';
import type { Item } from './tree.ts';
import { pairRivals, invertMatches, pairReplaced } from './replaced.ts';

export interface MergedItems {
  /** Items of ours, in the order of ours. */
  readonly kept: readonly MergedItem[];
  /** Items that only theirs has, in the order of theirs. */
  readonly inserted: readonly MergedItem[];
}

/** Merges the items of both sides, except for their order. */
export function mergeItems(context: Context, lists: MergeLists): MergedItems {
  const { ours, theirs } = lists.lists;
  const found = relateItems(context, lists);
  const { conflictWith, fromOurs, fromTheirs, rivals, replaced, former, rewritten } = found;
  const kept = ours.items.flatMap((item) => {
    const conflict = conflictWith.get(item);
    if (conflict) return conflict.ours[0] === item ? conflictItem(conflict) : [];
    const old = fromOurs.get(item);
    if (isUnneeded(context, item)) return conflictItem(unneededConflict(lists, item, old));
    if (old)
      return mergeKept(context, lists, { base: old, ours: item, rewrite: rewritten.get(old) });
    const gone = replaced.get(item);
    const merged =
      gone && !rivals.has(item) && !lists.wrappedTexts.has(item)
        ? mergeReplaced(context, lists, { base: gone, ours: item, rewrite: rewritten.get(gone) })
        : undefined;
    return merged ?? addOurs(context, lists, item, rivals.get(item));
  });
  const taken = new Set([...rivals.values(), ...kept.flatMap((item) => item.theirs ?? [])]);
  const inserted = theirs.items.flatMap((item) => {
    if (taken.has(item)) return [];
    const conflict = conflictWith.get(item);
    if (conflict)
      return conflict.ours.length === 0 && conflict.theirs[0] === item
        ? conflictItem(conflict)
        : [];
    const old = fromTheirs.get(item) ?? former.get(item);
    if (old && !lists.toOurs.has(old)) {
      // The imports that the result needs are added later.
      if (old.isImport && old.bindings.length > 0) return [];
      return mergeDeleted(context, { base: old, theirs: item });
    }
    return fromTheirs.has(item) ? [] : [addTheirs(context, item)];
  });
  return { kept, inserted };
}

/** Finds the items that belong together: in a conflict, by a match, or because one replaced the other. */
function relateItems(context: Context, lists: MergeLists) {
  const conflictWith = new Map(
    lists.conflicts.flatMap((it) =>
      [...it.base, ...it.ours, ...it.theirs].map((item) => [item, it] as const),
    ),
  );
  const { ours, theirs } = lists.lists;
  const base = lists.lists.base?.items ?? [];
  const [fromOurs, fromTheirs] = [invertMatches(lists.toOurs), invertMatches(lists.toTheirs)];
  const isFree = (item: Item) => !conflictWith.has(item);
  const rivals = pairRivals(
    ours.items.filter((item) => isFree(item) && !fromOurs.has(item)),
    theirs.items.filter((item) => isFree(item) && !fromTheirs.has(item)),
  );
  const replaced = pairReplaced(context, { base, items: ours.items, side: 'ours' }, lists.toOurs);
  const former = pairReplaced(
    context,
    { base, items: theirs.items, side: 'theirs' },
    lists.toTheirs,
  );
  // In an object or a type, a member with another name is a different member.
  const rewritten = theirs.rule.separator === '' ? invertMatches(former) : new Map<Item, Item>();
  return { conflictWith, fromOurs, fromTheirs, rivals, replaced, former, rewritten };
}
