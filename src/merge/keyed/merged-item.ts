import { isEqual, type Context, tokensOf, withItem } from './context.ts';
import { itemTokens, mergeItem, printItem, type PrintedItem } from './item.ts';
import { usesUndeclared } from './leaf.ts';
import { type ItemConflict, isKnownByName } from './item-conflicts.ts';
import { isRenamed, renameText } from './rename.ts';
import type { Item, List } from './tree.ts';
import { measureSimilarity } from './similarity.ts';
import { haveSameBinding } from './replaced.ts';
import type { ListsToMerge } from './wrapped.ts';

/** An item of the merged list, ready to be printed. */
export interface MergedItem {
  readonly base?: Item;
  readonly ours?: Item;
  readonly theirs?: Item;
  /** Whether only one side has it. */
  readonly isNew?: true;
  readonly content: PrintedItem | ItemConflict;
}

export interface MergeLists extends ListsToMerge {
  readonly conflicts: readonly ItemConflict[];
}

export function conflictItem(conflict: ItemConflict): MergedItem {
  const [[ours], [theirs]] = [conflict.ours, conflict.theirs];
  return { ...(ours && { ours }), ...(theirs && { theirs }), content: conflict };
}

/** A conflict of at most one item per side. */
function makeItemConflict(sides: Pick<MergedItem, 'base' | 'ours' | 'theirs'>): ItemConflict {
  const { base, ours, theirs } = sides;
  return { base: listItem(base), ours: listItem(ours), theirs: listItem(theirs) };
}

const listItem = (item: Item | undefined): readonly Item[] => (item ? [item] : []);

interface KeptItem {
  readonly base: Item;
  readonly ours: Item;
  /** The item by which theirs seems to have replaced it. */
  readonly rewrite: Item | undefined;
}

/** Merges an item that ours still has. If theirs deleted it, it goes unless ours changed it or uses it. */
export function mergeKept(
  context: Context,
  { toTheirs }: MergeLists,
  kept: KeptItem,
): MergedItem[] {
  const { base, ours, rewrite } = kept;
  const theirs = toTheirs.get(base);
  if (theirs) {
    const merged = mergeItem(withItem(context, ours), { base, ours, theirs });
    const content = merged ?? makeItemConflict({ base, ours, theirs });
    return [{ base, ours, theirs, content }];
  }
  // Unneeded names of an import are removed later, one by one.
  if (isTakenName(ours) && !base.bindings.some(({ name }) => context.declaredByTheirs.has(name)))
    return [{ ours, content: printItem(context, 'ours', ours) }];
  const isChanged = !isEqual(itemTokens(context, 'ours', ours), itemTokens(context, 'base', base));
  const isNeeded = base.bindings.some(({ name }) => context.undeclared.has(name));
  if (!isChanged && !isNeeded) return [];
  const sides = { ours, ...(rewrite && { theirs: rewrite }) };
  return [{ ...sides, content: makeItemConflict({ base, ...sides }) }];
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
  { lists, toTheirs }: MergeLists,
  ours: Item,
  old: Item | undefined,
): ItemConflict {
  const base = old ?? lists.base?.items.find((it) => it.isImport && haveSameBinding(it, ours));
  const theirs = base && toTheirs.get(base);
  return { base: listItem(base), ours: [ours], theirs: listItem(theirs) };
}

/** Merges an item that ours put in the place of another one. Undefined if it is a different thing. */
export function mergeReplaced(
  context: Context,
  { lists, toTheirs }: MergeLists,
  { base, ours, rewrite }: KeptItem,
): MergedItem | undefined {
  const theirs = toTheirs.get(base) ?? rewrite;
  if (!theirs || changedByTheirs(context, base, theirs)) {
    if (isDifferentThing(context, base, ours, lists.ours)) return undefined;
    const sides = { ours, ...(theirs && { theirs }) };
    return { ...sides, content: makeItemConflict({ base, ...sides }) };
  }
  const [old, now] = [itemTokens(context, 'base', base), itemTokens(context, 'theirs', theirs)];
  const met = new Set(old);
  const rename = (token: string) => (met.has(token) ? context.rename(token) : token);
  const span = { start: ours.full.start, end: ours.node.end };
  const text = renameText(context.sources.ours, span, { base: old, theirs: now, rename });
  return { ours, isNew: true, content: { ...printItem(context, 'ours', ours), text: [text] } };
}

/** Whether the owner deleted a route or a function and wrote a different one in its place. */
function isDifferentThing(context: Context, base: Item, ours: Item, list: List): boolean {
  const isOther = list.rule.separator === '' && isKnownByName(ours, list);
  return isOther && measureSimilarity(context, 'ours', base, ours) < 0.95;
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

/** Keeps an item that ours added, unless theirs added another one with the same name. */
export function addOurs(
  context: Context,
  { wrappedTexts }: MergeLists,
  ours: Item,
  rival?: Item,
): MergedItem {
  const printed = printItem(context, 'ours', ours);
  const text = wrappedTexts.get(ours) ?? printed.text;
  if (!rival) return { ours, isNew: true, content: { ...printed, text } };
  if (isEqual(itemTokens(context, 'ours', ours), itemTokens(context, 'theirs', rival)))
    return { ours, theirs: rival, content: printed };
  const united =
    ours.isImport && rival.isImport
      ? mergeItem(withItem(context, ours), { base: undefined, ours, theirs: rival })
      : undefined;
  const content = united ?? makeItemConflict({ ours, theirs: rival });
  return { ours, theirs: rival, content };
}

/** An item that ours deleted comes back, in a conflict, only if theirs changed it. */
export function mergeDeleted(
  context: Context,
  { base, theirs }: { readonly base: Item; readonly theirs: Item },
): MergedItem[] {
  // If ours has it elsewhere, changed comments count too.
  const isElsewhere = base.bindings.some(({ name }) => context.declared.has(name));
  const tokens = isElsewhere ? itemTokens : nodeTokens;
  if (!changedByTheirs(context, base, theirs, tokens)) return [];
  return [{ theirs, content: makeItemConflict({ base, theirs }) }];
}

const nodeTokens: typeof itemTokens = (context, side, { node }) => tokensOf(context, side, node);

export function addTheirs(context: Context, theirs: Item): MergedItem {
  const isConflicting =
    usesUndeclared(context, theirs.full) ||
    theirs.bindings.some(({ name }) => context.declaredTwice.has(name));
  return {
    theirs,
    isNew: true,
    content: isConflicting ? makeItemConflict({ theirs }) : printItem(context, 'theirs', theirs),
  };
}
