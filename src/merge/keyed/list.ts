import { isConflict, type Chunk } from '../markers.ts';
import { type ItemConflict, listItemConflicts } from './item-conflicts.ts';
import {
  type Context,
  type NameInConflict,
  editedSides,
  type EditedSide,
  isEqual,
  mapSides,
  type MergeResult,
  type Sides,
  slice,
} from './context.ts';
import { itemTokens } from './item.ts';
import { mergeLines } from './leaf.ts';
import { matchLists } from './match.ts';
import { listOwnerRenames } from './owner-renames.ts';
import { mergeItems } from './merge-items.ts';
import { printList } from './print.ts';
import { boundNames, type List, type Item } from './tree.ts';
import { mergeWrapped } from './wrapped.ts';
import { isOutOfOrder, orderItems, canStandTogether } from './list-order.ts';
import type { MergedItem } from './merged-item.ts';

/** Merges item by item, in the order of ours. */
export function mergeList(context: Context, lists: Sides<List>): MergeResult {
  const matches = matchLists(context, lists);
  context.noteOwnerRenames(listOwnerRenames(context, lists, matches));
  if (isOutOfOrder(lists, matches)) return conflictInBody(context, lists);
  const listsToMerge = mergeWrapped(context, lists, matches);
  if (!listsToMerge) return undefined;
  const conflicts = listItemConflicts(context, listsToMerge.lists, listsToMerge);
  const decided = mergeItems(context, { conflicts, ...listsToMerge });
  const items = joinConflicts(context, orderItems(decided, lists, matches));
  context.noteInConflict(listNamesInConflict(items, lists));
  return canStandTogether(items, listsToMerge.lists)
    ? printList(context, items, listsToMerge.lists)
    : conflictInBody(context, lists);
}

/** Adds items that depend on the conflict right before them to that conflict. */
function joinConflicts(context: Context, items: readonly MergedItem[]): readonly MergedItem[] {
  const joined: MergedItem[] = [];
  for (const item of items) {
    const before = joined.at(-1);
    const content = before && joinToConflict(context, before.content, item);
    if (content) joined.splice(-1, 1, { ...before, content });
    else joined.push(item);
  }
  return joined;
}

function joinToConflict(
  context: Context,
  before: MergedItem['content'],
  { content, base, ours, theirs }: MergedItem,
): ItemConflict | undefined {
  if ('text' in before) return undefined;
  if (ours && !theirs && dependsOn(context, 'ours', ours, before))
    return { ...before, ours: [...before.ours, ours] };
  const isTheirs = !('text' in content) && !base && !ours && theirs;
  if (isTheirs && dependsOn(context, 'theirs', theirs, before))
    return { ...before, theirs: [...before.theirs, theirs] };
  if ('text' in content || !base || !ours || !theirs) return undefined;
  const was = itemTokens(context, 'base', base);
  const isDependent =
    isEqual(was, itemTokens(context, 'ours', ours)) ||
    isEqual(was, itemTokens(context, 'theirs', theirs));
  if (!isDependent) return undefined;
  return {
    base: [...before.base, ...content.base],
    ours: [...before.ours, ...content.ours],
    theirs: [...before.theirs, ...content.theirs],
  };
}

/** Whether an item uses a name that only its own side of a conflict declares. */
function dependsOn(
  context: Context,
  side: EditedSide,
  item: Item,
  conflict: ItemConflict,
): boolean {
  const others = (side === 'ours' ? [...conflict.base, ...conflict.theirs] : conflict.ours).flatMap(
    boundNames,
  );
  const names = conflict[side].flatMap(boundNames).filter((name) => !others.includes(name));
  const tokens = names.length === 0 ? [] : itemTokens(context, side, item);
  return names.some((name) => tokens.includes(name));
}

function listNamesInConflict(items: readonly MergedItem[], lists: Sides<List>): NameInConflict[] {
  const within = lists.base?.scope;
  if (!within) return [];
  const conflicts = items.flatMap(({ content }) => ('text' in content ? [] : [content]));
  const names = conflicts
    .flatMap((it) => it.base.filter(({ isImport }) => !isImport))
    .flatMap(boundNames);
  return editedSides.flatMap((missing) => {
    const known = new Set(lists[missing].items.flatMap(boundNames));
    return names.filter((name) => !known.has(name)).map((name) => ({ name, within, missing }));
  });
}

/** Merges by lines a body whose sides changed incompatibly. */
function conflictInBody(context: Context, lists: Sides<List>): MergeResult {
  const inner = mapSides(lists, (it) => it.inner);
  const chunks = mergeLines(context, inner, lists.ours.start);
  return chunks.some(isConflict) ? printBody(context, lists.ours, chunks) : undefined;
}

/** Undefined if a conflict at an end has no lines of its own. */
function printBody(
  context: Context,
  { start, inner, end }: List,
  chunks: readonly Chunk[],
): MergeResult {
  const ends = [chunks.at(0), chunks.at(-1)];
  if (inner.start > 0 && ends.some((it) => it !== undefined && isConflict(it))) return undefined;
  const { where } = context;
  return [
    slice(context, 'ours', { start, end: inner.start }),
    ...chunks.flatMap((it) =>
      isConflict(it) ? [{ ...it, where, declares: [], needs: [] }, '\n'] : [it],
    ),
    slice(context, 'ours', { start: inner.end, end }),
  ];
}
