import { type Context, type Edited, isEqual, type Sides, type Side, tokensOf } from './context.ts';
import { itemTokens } from './item.ts';
import type { Matches } from './match.ts';
import { type ItemKey, tokensOfKey } from './key.ts';
import { isRenamed } from './rename.ts';
import { likeness, spellingOf } from './similarity.ts';
import { isComment, type Item, type List } from './tree.ts';
import { runsBetween, type Matching } from './unmatched-runs.ts';

/** A stretch that both sides changed: as it was, as in mine, and as it would be without mine. */
export interface Clash {
  readonly base: readonly Item[];
  readonly mine: readonly Item[];
  readonly theirs: readonly Item[];
}

/** Statements that one side replaced and the other side changed, removed or replaced too. */
export function findContested(
  context: Context,
  place: Sides<List>,
  matches: Matches,
): readonly Clash[] {
  const { base, mine, theirs } = place;
  if (!base || mine.rule.separator !== '' || mine.rule.order !== 'fixed') return [];
  const swaps = {
    mine: findSwaps(base, mine, matches.toMine),
    theirs: findSwaps(base, theirs, matches.toTheirs),
  };
  const ties = [...matches.toMine, ...matches.toTheirs, ...swaps.mine, ...swaps.theirs].map((it) =>
    it.flat(),
  );
  const clashes: Clash[] = [];
  for (const swap of [...swaps.mine, ...swaps.theirs]) {
    const isKnown = clashes.some((it) => swap[0].some((old) => it.base.includes(old)));
    const isMet = swaps.mine.includes(swap)
      ? isMetBy(context, 'theirs', swap, { found: matches.toTheirs, swaps: swaps.theirs })
      : isMetBy(context, 'mine', swap, { found: matches.toMine, swaps: swaps.mine });
    if (!isKnown && isMet) clashes.push(wholeOf(place, swap.flat(), ties));
  }
  return clashes;
}

/** What one side removed between two neighbours, and what it added there. */
type Swap = readonly [olds: readonly Item[], news: readonly Item[]];

function findSwaps(base: List, list: List, found: Matching): readonly Swap[] {
  const isStep = (item: Item) => !isComment(item) && !isNamed(item, list) && !isPlainCall(item.key);
  return runsBetween(base.items, list.items, found)
    .map(([olds, news]): Swap => [olds.filter(isStep), news.filter(isStep)])
    .filter(([olds, news]) => olds.length > 0 && news.length > 0);
}

/** `addPosts(app)`, `app.register(postRoutes`: of another function, or with something else, it does another thing. */
const isPlainCall = ({ kind, name }: ItemKey) =>
  kind === 'call' && name.every((token) => /^(?:[\w$]+|\.)$/.test(token));

/** Whether another name makes it another thing: a declaration that others may use, `app.get("/wet"`, `describe("…"`. */
export function isNamed({ key, placed, binds }: Item, { inner, scope }: List): boolean {
  const isOutermost = scope?.start === inner.start;
  const isByText = tokensOfKey(key).at(-1)?.endsWith('"') === true;
  return !placed || isByText || (isOutermost && binds.length > 0);
}

/** Whether the other side changed what was taken out, took it out, too, or has something else there. */
function isMetBy(
  context: Context,
  other: Edited,
  [olds, news]: Swap,
  { found, swaps }: { readonly found: Matching; readonly swaps: readonly Swap[] },
): boolean {
  return olds.some((old) => {
    const there = found.get(old);
    const after = there && itemTokens(context, other, there);
    if (after)
      return !isRenamed(itemTokens(context, 'base', old), after, spellingOf(context, other));
    const swap = swaps.find(([it]) => it.includes(old));
    const swapper = other === 'mine' ? 'theirs' : 'mine';
    if (!swap) return news.some((item) => likeness(context, swapper, old, item) >= 0.5);
    // If mine replaced it as well, it has been checked already.
    return (
      other === 'theirs' && !isEqual(textOf(context, 'mine', news), textOf(context, other, swap[1]))
    );
  });
}

function textOf(context: Context, side: Side, items: readonly Item[]): readonly string[] {
  return items.flatMap(({ node }) => tokensOf(context, side, node));
}

/** All from the first to the last on every side, with all that belongs to any of it on another. */
function wholeOf(
  { base, mine, theirs }: Sides<List>,
  seed: readonly Item[],
  ties: readonly (readonly Item[])[],
): Clash {
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
    const clash = { base: within(base), mine: within(mine), theirs: within(theirs) };
    const all = new Set([...clash.base, ...clash.mine, ...clash.theirs]);
    const tied = ties.filter((tie) => tie.some((it) => all.has(it))).flat();
    const more = new Set([...all, ...tied]);
    if (more.size === held.size) return clash;
    held = more;
  }
}
