import type { OpenConflict, Stretch } from '../markers.ts';
import { mergeText } from '../text.ts';
import { slice, type Context, type Outcome, type Place } from './context.ts';
import { indentAt, indented } from './indent.ts';
import { matchLists } from './match.ts';
import { isOutOfOrder } from './order.ts';
import { findOwnNames } from './own-names.ts';
import { orderPieces } from './place.ts';
import { decidePieces } from './pieces.ts';
import { printList } from './print.ts';
import { standTogether } from './runs.ts';
import type { List } from './tree.ts';
import { liftWrapped } from './wrapped.ts';

/** Item by item, in the order of mine. */
export function mergeList(context: Context, lists: Place<List>, where: string): Outcome {
  const matches = matchLists(context, lists);
  context.noteOwnNames(findOwnNames(context, lists, matches));
  if (isOutOfOrder(lists, matches)) return mergeBody(context, { lists, where });
  const lifted = liftWrapped(context, lists, { where, ...matches });
  if (!lifted) return undefined;
  const pieces = orderPieces(decidePieces(context, { where, ...lifted }), lists, matches);
  return standTogether(pieces, lifted.place)
    ? printList(context, { pieces, place: lifted.place, where })
    : clashBody(context, { lists, where });
}

interface Body {
  readonly lists: Place<List>;
  readonly where: string;
}

/** A body whose order has a meaning, merged by lines. */
function mergeBody(context: Context, body: Body): Outcome {
  const stretches = mergeLines(context, body.lists);
  return bringsBack(context, body.lists, stretches)
    ? undefined
    : printBody(context, body, stretches);
}

/** A body that both sides changed in ways that do not go together: what touches is shown, and never passed. */
function clashBody(context: Context, body: Body): Outcome {
  const stretches = mergeLines(context, body.lists);
  return stretches.some(isClash) ? printBody(context, body, stretches) : undefined;
}

/**
 * By lines, what one side deleted or changed comes back in silence where the other side moved it, and what both moved
 * stands at both places.
 */
function bringsBack(context: Context, lists: Place<List>, stretches: readonly Stretch[]): boolean {
  const printed = count(stretches.flatMap((it) => (isClash(it) ? [] : it.split('\n'))));
  const [before, ours, news] = (['base', 'mine', 'theirs'] as const).map((side) => {
    const list = lists[side];
    return count(list ? slice(context, side, list.inner).split('\n') : []);
  });
  return (lists.base?.items ?? []).some((item) => {
    const [first = ''] = slice(context, 'base', item.node).split('\n');
    const times = (lines?: ReadonlyMap<string, number>) => lines?.get(first.trim()) ?? 0;
    return times(printed) > times(ours) + times(news) - times(before);
  });
}

function count(lines: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const line of lines) times.set(line.trim(), (times.get(line.trim()) ?? 0) + 1);
  return times;
}

function isClash(stretch: Stretch): stretch is OpenConflict {
  return typeof stretch !== 'string';
}

function mergeLines({ sources }: Context, { base, mine, theirs }: Place<List>): Stretch[] {
  if (!base) return [];
  const indent = indentAt(sources.mine, mine.start);
  return mergeText({
    base: indented(sources.base, base.inner, indent),
    mine: sources.mine.text.slice(mine.inner.start, mine.inner.end),
    theirs: indented(sources.theirs, theirs.inner, indent),
  });
}

/** Nothing when a conflict at an end has no lines of its own. */
function printBody(
  context: Context,
  { lists, where }: Body,
  stretches: readonly Stretch[],
): Outcome {
  const { start, inner, end } = lists.mine;
  const ends = [stretches.at(0), stretches.at(-1)];
  if (inner.start > 0 && ends.some((it) => it !== undefined && isClash(it))) return undefined;
  const body = stretches
    .map((it) => (isClash(it) ? `${context.report({ ...it, where })}\n` : it))
    .join('');
  return (
    slice(context, 'mine', { start, end: inner.start }) +
    body +
    slice(context, 'mine', { start: inner.end, end })
  );
}
