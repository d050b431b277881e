import { isEqual, type Context, tokensOf, within } from './context.ts';
import { itemTokens, mergeItem, printItem, type PrintedItem } from './item.ts';
import { usesLost } from './leaf.ts';
import { type Clash, isNamed } from './contested.ts';
import { isRenamed, renameText } from './rename.ts';
import type { Item, List } from './tree.ts';
import { likeness } from './similarity.ts';
import { bindsSame } from './replaced.ts';
import type { Lifted } from './wrapped.ts';

/** One item of the merged list, to be printed. */
export interface Piece {
  readonly base?: Item;
  readonly mine?: Item;
  readonly theirs?: Item;
  /** Whether only one side has it, and the base does not. */
  readonly isNew: boolean;
  /** The item, or the three texts of a conflict. */
  readonly content: PrintedItem | Clash;
}

export interface Lists extends Lifted {
  readonly clashes: readonly Clash[];
}

export function clashPiece(clash: Clash): Piece {
  const [[mine], [theirs]] = [clash.mine, clash.theirs];
  return { ...(mine && { mine }), ...(theirs && { theirs }), isNew: false, content: clash };
}

/** Of the one item that each side has, or has not. */
function clashAt({ base, mine, theirs }: Pick<Piece, 'base' | 'mine' | 'theirs'>): Clash {
  return { base: listOf(base), mine: listOf(mine), theirs: listOf(theirs) };
}

const listOf = (item: Item | undefined): readonly Item[] => (item ? [item] : []);

interface Kept {
  readonly base: Item;
  readonly mine: Item;
  /** What theirs seems to have replaced the one of the base with. */
  readonly rewrite: Item | undefined;
}

/** An item that mine still has: merged, or deleted with theirs when nobody changed or needs it. */
export function keepMine(context: Context, { toTheirs }: Lists, kept: Kept): Piece[] {
  const { base, mine, rewrite } = kept;
  const theirs = toTheirs.get(base);
  if (theirs) {
    const merged = mergeItem(within(context, mine), { base, mine, theirs });
    return [
      { base, mine, theirs, isNew: false, content: merged ?? clashAt({ base, mine, theirs }) },
    ];
  }
  // Imported names that nothing needs are removed afterwards, one by one.
  if (isImported(mine) && !base.binds.some(({ name }) => context.declaredByTheirs.has(name)))
    return [{ mine, isNew: false, content: printItem(context, 'mine', mine) }];
  const isChanged = !isEqual(itemTokens(context, 'mine', mine), itemTokens(context, 'base', base));
  const isNeeded = base.binds.some(({ name }) => context.lost.has(name));
  if (!isChanged && !isNeeded) return [];
  const sides = { mine, ...(rewrite && { theirs: rewrite }) };
  return [{ ...sides, isNew: false, content: clashAt({ base, ...sides }) }];
}

/** A name that a module or an object gives; a type is declared under its own. */
function isImported({ unites, binds, key }: Item): boolean {
  return binds.length > 0 && (unites || key.kind === 'given');
}

/** An import that nothing needs any more, from where its owner chose. */
export function isIdle(context: Context, item: Item): boolean {
  return isImported(item) && item.binds.every(({ name }) => context.idle.has(name));
}

/** Where its path says nothing of the one that was made, its names do. */
export function idleClash({ place, toTheirs }: Lists, mine: Item, old: Item | undefined): Clash {
  const base = old ?? place.base?.items.find((it) => it.unites && bindsSame(it, mine));
  const theirs = base && toTheirs.get(base);
  return { base: listOf(base), mine: [mine], theirs: listOf(theirs) };
}

/** Mine put another item in the place of one that theirs has, changed or deleted; nothing where it is another thing. */
export function replacedPiece(
  context: Context,
  { place, toTheirs }: Lists,
  { base, mine, rewrite }: Kept,
): Piece | undefined {
  const theirs = toTheirs.get(base) ?? rewrite;
  if (!theirs || changedByTheirs(context, base, theirs)) {
    if (isAnother(context, base, mine, place.mine)) return undefined;
    const sides = { mine, ...(theirs && { theirs }) };
    return { ...sides, isNew: false, content: clashAt({ base, ...sides }) };
  }
  const [old, now] = [itemTokens(context, 'base', base), itemTokens(context, 'theirs', theirs)];
  const met = new Set(old);
  const rename = (token: string) => (met.has(token) ? context.rename(token) : token);
  const span = { start: mine.full.start, end: mine.node.end };
  const text = renameText(context.sources.mine, span, { base: old, theirs: now, rename });
  return { mine, isNew: true, content: { ...printItem(context, 'mine', mine), text: [text] } };
}

/** A route or a function of its owner's own in the place of one that they deleted. */
function isAnother(context: Context, base: Item, mine: Item, list: List): boolean {
  const isOther = list.rule.separator === '' && isNamed(mine, list);
  return isOther && likeness(context, 'mine', base, mine) < 0.95;
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

/** An item that mine added stays, unless theirs added another one with its name. */
export function addMine(context: Context, { texts }: Lists, mine: Item, rival?: Item): Piece {
  const printed = printItem(context, 'mine', mine);
  const text = texts.get(mine) ?? printed.text;
  if (!rival) return { mine, isNew: true, content: { ...printed, text } };
  if (isEqual(itemTokens(context, 'mine', mine), itemTokens(context, 'theirs', rival)))
    return { mine, theirs: rival, isNew: false, content: printed };
  const united =
    mine.unites && rival.unites
      ? mergeItem(within(context, mine), { base: undefined, mine, theirs: rival })
      : undefined;
  const content = united ?? clashAt({ mine, theirs: rival });
  return { mine, theirs: rival, isNew: false, content };
}

/** An item that mine deleted: it comes back only to show that theirs changed it. */
export function revive(
  context: Context,
  { base, theirs }: { readonly base: Item; readonly theirs: Item },
): Piece[] {
  // If mine has it elsewhere, changed comments matter too.
  const isElsewhere = base.binds.some(({ name }) => context.declared.has(name));
  const tokens = isElsewhere ? itemTokens : nodeTokens;
  if (!changedByTheirs(context, base, theirs, tokens)) return [];
  return [{ theirs, isNew: false, content: clashAt({ base, theirs }) }];
}

const nodeTokens: typeof itemTokens = (context, side, { node }) => tokensOf(context, side, node);

export function addTheirs(context: Context, theirs: Item): Piece {
  const isClash =
    usesLost(context, theirs.full) || theirs.binds.some(({ name }) => context.doubled.has(name));
  return {
    theirs,
    isNew: true,
    content: isClash ? clashAt({ theirs }) : printItem(context, 'theirs', theirs),
  };
}
