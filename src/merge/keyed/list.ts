import { isConflict, type Stretch } from '../markers.ts';
import { type Clash, findContested } from './contested.ts';
import {
  type Context,
  type Disputed,
  edited,
  type Edited,
  isEqual,
  onEach,
  type Printed,
  type Sides,
  slice,
} from './context.ts';
import { itemTokens } from './item.ts';
import { mergeLines } from './leaf.ts';
import { matchLists } from './match.ts';
import { findOwnNames } from './own-names.ts';
import { decidePieces } from './pieces.ts';
import { printList } from './print.ts';
import { bound, type List, type Item } from './tree.ts';
import { liftWrapped } from './wrapped.ts';
import { isOutOfOrder, orderPieces, standTogether } from './list-order.ts';
import type { Piece } from './piece.ts';

/** Item by item, in the order of mine. */
export function mergeList(context: Context, lists: Sides<List>): Printed {
  const matches = matchLists(context, lists);
  context.noteOwnNames(findOwnNames(context, lists, matches));
  if (isOutOfOrder(lists, matches)) return clashBody(context, lists);
  const lifted = liftWrapped(context, lists, matches);
  if (!lifted) return undefined;
  const clashes = findContested(context, lifted.place, lifted);
  const decided = decidePieces(context, { clashes, ...lifted });
  const pieces = joinClashes(context, orderPieces(decided, lists, matches));
  context.noteDisputed(findDisputed(pieces, lists));
  return standTogether(pieces, lifted.place)
    ? printList(context, pieces, lifted.place)
    : clashBody(context, lists);
}

/** A piece that depends on the conflict right before it becomes part of that. */
function joinClashes(context: Context, pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const content = before && joinedTo(context, before.content, piece);
    if (content) joined.splice(-1, 1, { ...before, content });
    else joined.push(piece);
  }
  return joined;
}

function joinedTo(
  context: Context,
  before: Piece['content'],
  { content, base, mine, theirs }: Piece,
): Clash | undefined {
  if ('text' in before) return undefined;
  if (mine && !theirs && leansOn(context, 'mine', mine, before))
    return { ...before, mine: [...before.mine, mine] };
  const isTheirs = !('text' in content) && !base && !mine && theirs;
  if (isTheirs && leansOn(context, 'theirs', theirs, before))
    return { ...before, theirs: [...before.theirs, theirs] };
  if ('text' in content || !base || !mine || !theirs) return undefined;
  const was = itemTokens(context, 'base', base);
  const isDependent =
    isEqual(was, itemTokens(context, 'mine', mine)) ||
    isEqual(was, itemTokens(context, 'theirs', theirs));
  if (!isDependent) return undefined;
  return {
    base: [...before.base, ...content.base],
    mine: [...before.mine, ...content.mine],
    theirs: [...before.theirs, ...content.theirs],
  };
}

/** Whether a statement of one side needs what a conflict declares on that side, and not on the other. */
function leansOn(context: Context, side: Edited, item: Item, clash: Clash): boolean {
  const others = (side === 'mine' ? [...clash.base, ...clash.theirs] : clash.mine).flatMap(bound);
  const names = clash[side].flatMap(bound).filter((name) => !others.includes(name));
  const tokens = names.length === 0 ? [] : itemTokens(context, side, item);
  return names.some((name) => tokens.includes(name));
}

/** Names that a conflict declares and one side no longer does. */
function findDisputed(pieces: readonly Piece[], lists: Sides<List>): Disputed[] {
  const within = lists.base?.scope;
  if (!within) return [];
  const clashes = pieces.flatMap(({ content }) => ('text' in content ? [] : [content]));
  const names = clashes.flatMap((it) => it.base.filter(({ unites }) => !unites)).flatMap(bound);
  return edited.flatMap((missing) => {
    const known = new Set(lists[missing].items.flatMap(bound));
    return names.filter((name) => !known.has(name)).map((name) => ({ name, within, missing }));
  });
}

/** A body that both sides changed incompatibly: changes that touch become a conflict. */
function clashBody(context: Context, lists: Sides<List>): Printed {
  const inner = onEach(lists, (it) => it.inner);
  const stretches = mergeLines(context, inner, lists.mine.start);
  return stretches.some(isConflict) ? printBody(context, lists.mine, stretches) : undefined;
}

/** Nothing when a conflict at an end has no lines of its own. */
function printBody(
  context: Context,
  { start, inner, end }: List,
  stretches: readonly Stretch[],
): Printed {
  const ends = [stretches.at(0), stretches.at(-1)];
  if (inner.start > 0 && ends.some((it) => it !== undefined && isConflict(it))) return undefined;
  const { where } = context;
  return [
    slice(context, 'mine', { start, end: inner.start }),
    ...stretches.flatMap((it) =>
      isConflict(it) ? [{ ...it, where, declares: [], needs: [] }, '\n'] : [it],
    ),
    slice(context, 'mine', { start: inner.end, end }),
  ];
}
