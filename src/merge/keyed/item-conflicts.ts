import {
  type Context,
  type EditedSide,
  isEqual,
  type Sides,
  type Side,
  tokensOf,
} from './context.ts';
import { itemTokens } from './item.ts';
import type { Matches } from './match.ts';
import { type ItemKey, tokensOfKey } from './key.ts';
import { isRenamed } from './rename.ts';
import { measureSimilarity, spellingOfSide } from './similarity.ts';
import { isComment, type Item, type List, type Three } from './tree.ts';
import { unmatchedRuns, type MatchedItems } from './unmatched-runs.ts';

/** Neighbouring items that both sides changed. */
export type ItemConflict = Three<readonly Item[]>;

/** Finds statements that one side replaced and the other side changed, removed or replaced too. */
export function listItemConflicts(
  context: Context,
  lists: Sides<List>,
  matches: Matches,
): readonly ItemConflict[] {
  const { base, ours, theirs } = lists;
  if (!base || ours.rule.separator !== '' || ours.rule.order !== 'fixed') return [];
  const swaps = {
    ours: listReplacements(base, ours, matches.toOurs),
    theirs: listReplacements(base, theirs, matches.toTheirs),
  };
  const ties = [...matches.toOurs, ...matches.toTheirs, ...swaps.ours, ...swaps.theirs].map((it) =>
    it.flat(),
  );
  const conflicts: ItemConflict[] = [];
  for (const swap of [...swaps.ours, ...swaps.theirs]) {
    const isKnown = conflicts.some((it) => swap[0].some((old) => it.base.includes(old)));
    const isMet = swaps.ours.includes(swap)
      ? isContested(context, 'theirs', swap, { found: matches.toTheirs, swaps: swaps.theirs })
      : isContested(context, 'ours', swap, { found: matches.toOurs, swaps: swaps.ours });
    if (!isKnown && isMet) conflicts.push(widenConflict(lists, swap.flat(), ties));
  }
  return conflicts;
}

/** The items that one side removed between two neighbours, and those that it added there. */
type Replacement = readonly [oldItems: readonly Item[], newItems: readonly Item[]];

function listReplacements(base: List, list: List, found: MatchedItems): readonly Replacement[] {
  const isStep = (item: Item) =>
    !isComment(item) && !isKnownByName(item, list) && !isPlainCall(item.key);
  return unmatchedRuns(base.items, list.items, found)
    .map(([oldItems, newItems]): Replacement => [oldItems.filter(isStep), newItems.filter(isStep)])
    .filter(([oldItems, newItems]) => oldItems.length > 0 && newItems.length > 0);
}

/** `addPosts(app)`, `app.register(postRoutes)`: with another function or argument, it is a different call. */
const isPlainCall = ({ kind, name }: ItemKey) =>
  kind === 'call' && name.every((token) => /^(?:[\w$]+|\.)$/.test(token));

/** Whether an item with another name is a different item: a declaration, `app.get("/posts"`, `describe("…"`. */
export function isKnownByName({ key, isOrdered, bindings }: Item, { inner, scope }: List): boolean {
  const isOutermost = scope?.start === inner.start;
  const isByText = tokensOfKey(key).at(-1)?.endsWith('"') === true;
  return !isOrdered || isByText || (isOutermost && bindings.length > 0);
}

/** Whether the other side changed or removed what was replaced, or put something similar there. */
function isContested(
  context: Context,
  other: EditedSide,
  [oldItems, newItems]: Replacement,
  { found, swaps }: { readonly found: MatchedItems; readonly swaps: readonly Replacement[] },
): boolean {
  return oldItems.some((old) => {
    const there = found.get(old);
    const after = there && itemTokens(context, other, there);
    if (after)
      return !isRenamed(itemTokens(context, 'base', old), after, spellingOfSide(context, other));
    const swap = swaps.find(([it]) => it.includes(old));
    const swapper = other === 'ours' ? 'theirs' : 'ours';
    if (!swap)
      return newItems.some((item) => measureSimilarity(context, swapper, old, item) >= 0.5);
    // If ours replaced it too, the pair has been checked from the other side.
    return (
      other === 'theirs' &&
      !isEqual(listTokens(context, 'ours', newItems), listTokens(context, other, swap[1]))
    );
  });
}

function listTokens(context: Context, side: Side, items: readonly Item[]): readonly string[] {
  return items.flatMap(({ node }) => tokensOf(context, side, node));
}

/** Widens a conflict to unbroken runs of items on every side, with all items that are matched with one of them. */
function widenConflict(
  { base, ours, theirs }: Sides<List>,
  seed: readonly Item[],
  ties: readonly (readonly Item[])[],
): ItemConflict {
  let held = new Set(seed);
  for (;;) {
    const within = (list?: List) => {
      const all = list?.items ?? [];
      const [first, last] = [
        all.findIndex((it) => held.has(it)),
        all.findLastIndex((it) => held.has(it)),
      ];
      return first < 0 ? [] : all.slice(first, last + 1);
    };
    const conflict = { base: within(base), ours: within(ours), theirs: within(theirs) };
    const all = new Set([...conflict.base, ...conflict.ours, ...conflict.theirs]);
    const tied = ties.filter((tie) => tie.some((it) => all.has(it))).flat();
    const more = new Set([...all, ...tied]);
    if (more.size === held.size) return conflict;
    held = more;
  }
}
