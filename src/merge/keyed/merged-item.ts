import { isEqual, type Context, tokensOf, withItem } from './context.ts';
import { itemTokens, mergeItem, printItem, type PrintedItem } from './item.ts';
import { usesUndeclared } from './leaf.ts';
import { type ItemConflict, isKnownByName } from './item-conflicts.ts';
import { isRenamed, renameText } from './rename.ts';
import type { Item, List } from './tree.ts';
import { similarity } from './similarity.ts';
import { haveSameBinding } from './replaced.ts';
import type { ListsToMerge } from './wrapped.ts';

/** An item of the merged list, ready to be printed. */
export interface MergedItem {
  readonly base?: Item;
  readonly mine?: Item;
  readonly theirs?: Item;
  /** Whether only one side has it. */
  readonly isNew: boolean;
  readonly content: PrintedItem | ItemConflict;
}

export interface MergeLists extends ListsToMerge {
  readonly conflicts: readonly ItemConflict[];
}

export function conflictItem(conflict: ItemConflict): MergedItem {
  const [[mine], [theirs]] = [conflict.mine, conflict.theirs];
  return { ...(mine && { mine }), ...(theirs && { theirs }), isNew: false, content: conflict };
}

/** A conflict of at most one item per side. */
function conflictOf({
  base,
  mine,
  theirs,
}: Pick<MergedItem, 'base' | 'mine' | 'theirs'>): ItemConflict {
  return { base: listItem(base), mine: listItem(mine), theirs: listItem(theirs) };
}

const listItem = (item: Item | undefined): readonly Item[] => (item ? [item] : []);

interface KeptItem {
  readonly base: Item;
  readonly mine: Item;
  /** The item by which theirs seems to have replaced it. */
  readonly rewrite: Item | undefined;
}

/** Merges an item that mine still has. If theirs deleted it, it goes unless mine changed it or uses it. */
export function mergeKept(
  context: Context,
  { toTheirs }: MergeLists,
  kept: KeptItem,
): MergedItem[] {
  const { base, mine, rewrite } = kept;
  const theirs = toTheirs.get(base);
  if (theirs) {
    const merged = mergeItem(withItem(context, mine), { base, mine, theirs });
    return [
      { base, mine, theirs, isNew: false, content: merged ?? conflictOf({ base, mine, theirs }) },
    ];
  }
  // Unneeded names of an import are removed later, one by one.
  if (isTakenName(mine) && !base.bindings.some(({ name }) => context.declaredByTheirs.has(name)))
    return [{ mine, isNew: false, content: printItem(context, 'mine', mine) }];
  const isChanged = !isEqual(itemTokens(context, 'mine', mine), itemTokens(context, 'base', base));
  const isNeeded = base.bindings.some(({ name }) => context.undeclared.has(name));
  if (!isChanged && !isNeeded) return [];
  const sides = { mine, ...(rewrite && { theirs: rewrite }) };
  return [{ ...sides, isNew: false, content: conflictOf({ base, ...sides }) }];
}

/** Whether an item only takes a name from a module or an object. */
function isTakenName({ isImport, bindings, key }: Item): boolean {
  return bindings.length > 0 && (isImport || key.kind === 'given');
}

/** Whether nothing needs an import of the owner's any more. */
export function isUnneeded(context: Context, item: Item): boolean {
  return isTakenName(item) && item.bindings.every(({ name }) => context.unneeded.has(name));
}

/** A conflict about such an import, found by its path or else by its names. */
export function unneededConflict(
  { place, toTheirs }: MergeLists,
  mine: Item,
  old: Item | undefined,
): ItemConflict {
  const base = old ?? place.base?.items.find((it) => it.isImport && haveSameBinding(it, mine));
  const theirs = base && toTheirs.get(base);
  return { base: listItem(base), mine: [mine], theirs: listItem(theirs) };
}

/** Merges an item that mine put in the place of another one. Undefined if it is a different thing. */
export function mergeReplaced(
  context: Context,
  { place, toTheirs }: MergeLists,
  { base, mine, rewrite }: KeptItem,
): MergedItem | undefined {
  const theirs = toTheirs.get(base) ?? rewrite;
  if (!theirs || changedByTheirs(context, base, theirs)) {
    if (isDifferentThing(context, base, mine, place.mine)) return undefined;
    const sides = { mine, ...(theirs && { theirs }) };
    return { ...sides, isNew: false, content: conflictOf({ base, ...sides }) };
  }
  const [old, now] = [itemTokens(context, 'base', base), itemTokens(context, 'theirs', theirs)];
  const met = new Set(old);
  const rename = (token: string) => (met.has(token) ? context.rename(token) : token);
  const span = { start: mine.full.start, end: mine.node.end };
  const text = renameText(context.sources.mine, span, { base: old, theirs: now, rename });
  return { mine, isNew: true, content: { ...printItem(context, 'mine', mine), text: [text] } };
}

/** Whether the owner deleted a route or a function and wrote a different one in its place. */
function isDifferentThing(context: Context, base: Item, mine: Item, list: List): boolean {
  const isOther = list.rule.separator === '' && isKnownByName(mine, list);
  return isOther && similarity(context, 'mine', base, mine) < 0.95;
}

function changedByTheirs(
  context: Context,
  base: Item,
  theirs: Item,
  tokensIn = itemTokens,
): boolean {
  const [old, now] = [tokensIn(context, 'base', base), tokensIn(context, 'theirs', theirs)];
  return !isRenamed(old, now, context.rename);
}

/** Keeps an item that mine added, unless theirs added another one with the same name. */
export function addMine(
  context: Context,
  { wrappedTexts }: MergeLists,
  mine: Item,
  rival?: Item,
): MergedItem {
  const printed = printItem(context, 'mine', mine);
  const text = wrappedTexts.get(mine) ?? printed.text;
  if (!rival) return { mine, isNew: true, content: { ...printed, text } };
  if (isEqual(itemTokens(context, 'mine', mine), itemTokens(context, 'theirs', rival)))
    return { mine, theirs: rival, isNew: false, content: printed };
  const united =
    mine.isImport && rival.isImport
      ? mergeItem(withItem(context, mine), { base: undefined, mine, theirs: rival })
      : undefined;
  const content = united ?? conflictOf({ mine, theirs: rival });
  return { mine, theirs: rival, isNew: false, content };
}

/** An item that mine deleted comes back, in a conflict, only if theirs changed it. */
export function mergeDeleted(
  context: Context,
  { base, theirs }: { readonly base: Item; readonly theirs: Item },
): MergedItem[] {
  // If mine has it elsewhere, changed comments count too.
  const isElsewhere = base.bindings.some(({ name }) => context.declared.has(name));
  const tokens = isElsewhere ? itemTokens : nodeTokens;
  if (!changedByTheirs(context, base, theirs, tokens)) return [];
  return [{ theirs, isNew: false, content: conflictOf({ base, theirs }) }];
}

const nodeTokens: typeof itemTokens = (context, side, { node }) => tokensOf(context, side, node);

export function addTheirs(context: Context, theirs: Item): MergedItem {
  const isConflicting =
    usesUndeclared(context, theirs.full) ||
    theirs.bindings.some(({ name }) => context.declaredTwice.has(name));
  return {
    theirs,
    isNew: true,
    content: isConflicting ? conflictOf({ theirs }) : printItem(context, 'theirs', theirs),
  };
}
