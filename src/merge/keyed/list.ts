import { mergeText } from '../text.ts';
import { isEqual, slice, type Context, type Outcome, type Place } from './context.ts';
import { indentAt, indented } from './indent.ts';
import { itemTokens } from './item.ts';
import { isReordered, matchItems, type Matching } from './match.ts';
import { insertPieces } from './place.ts';
import { decidePieces } from './pieces.ts';
import { printList } from './print.ts';
import { standTogether } from './runs.ts';
import type { Item, List } from './tree.ts';
import { liftWrapped } from './wrapped.ts';

/** Item by item, in the order of mine. */
export function mergeList(context: Context, lists: Place<List>, where: string): Outcome {
  const matches = matchLists(context, lists);
  if (isOutOfOrder(context, lists, matches)) return mergeBody(context, lists, where);
  const lifted = liftWrapped(context, { place: lists, where, ...matches });
  if (!lifted) return undefined;
  const { place, texts } = lifted;
  const decided = decidePieces(context, { place, where, texts, ...matches });
  const pieces = insertPieces(decided, place.theirs.items);
  return standTogether(pieces, place) ? printList(context, { pieces, place, where }) : undefined;
}

export interface Matches {
  readonly toMine: Matching;
  readonly toTheirs: Matching;
}

function matchLists(context: Context, { base, mine, theirs }: Place<List>): Matches {
  const shared = { base: base?.items ?? [], byPlace: mine.rule.byPlace };
  return {
    toMine: matchItems(context, { ...shared, items: mine.items, side: 'mine' }),
    toTheirs: matchItems(context, { ...shared, items: theirs.items, side: 'theirs' }),
  };
}

/** One side moved what minds its place, and the other touched such things. */
function isOutOfOrder(context: Context, place: Place<List>, matches: Matches): boolean {
  const { base, mine, theirs } = place;
  if (!base || ![base, mine, theirs].some(({ rule }) => rule.order === 'fixed')) return false;
  const [byMine, byTheirs] = [
    isReordered(base.items, mine.items, matches.toMine),
    isReordered(base.items, theirs.items, matches.toTheirs),
  ];
  return (
    (byMine &&
      touches(context, {
        base: base.items,
        items: theirs.items,
        found: matches.toTheirs,
        side: 'theirs',
      })) ||
    (byTheirs &&
      touches(context, {
        base: base.items,
        items: mine.items,
        found: matches.toMine,
        side: 'mine',
      }))
  );
}

interface OneSide {
  readonly base: readonly Item[];
  readonly items: readonly Item[];
  readonly found: Matching;
  readonly side: 'mine' | 'theirs';
}

function touches(context: Context, { base, items, found, side }: OneSide): boolean {
  const kept = new Set(found.values());
  return (
    items.some((item) => item.placed && !kept.has(item)) ||
    base.some((old) => {
      const item = found.get(old);
      if (!old.placed) return false;
      if (!item) return true;
      const [before, now] = [itemTokens(context, 'base', old), itemTokens(context, side, item)];
      return (
        !isEqual(before, now) && !(side === 'theirs' && isEqual(before.map(context.rename), now))
      );
    })
  );
}

/** A body whose order has a meaning, merged by lines. */
function mergeBody(context: Context, { base, mine, theirs }: Place<List>, where: string): Outcome {
  if (!base) return undefined;
  const { sources } = context;
  const indent = indentAt(sources.mine, mine.start);
  const stretches = mergeText({
    base: indented(sources.base, base.inner, indent),
    mine: slice(context, 'mine', mine.inner),
    theirs: indented(sources.theirs, theirs.inner, indent),
  });
  const isWhole = mine.inner.start === 0;
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (!isWhole && (typeof first !== 'string' || typeof last !== 'string')) return undefined;
  const body = stretches
    .map((it) => (typeof it === 'string' ? it : `${context.report({ ...it, where })}\n`))
    .join('');
  const open = slice(context, 'mine', { start: mine.start, end: mine.inner.start });
  return open + body + slice(context, 'mine', { start: mine.inner.end, end: mine.end });
}
