import {
  type Context,
  changesAt,
  edited,
  type Edited,
  asPrinted,
  slice,
  tokensOf,
  type Printed,
  type Side,
  type Sides,
} from './context.ts';
import { isRenamed } from './rename.ts';
import { type Node, nodesIn, type Parts, type List } from './tree.ts';
import { dropsDisputed, mergeLeaf, takeTheirs, usesLost } from './leaf.ts';
import { mergeList } from './list.ts';
import { matchLists } from './match.ts';
import { mergeParts } from './merge-parts.ts';

/** Descends as far as the three sides have the same shape. */
export function mergeNode(context: Context, place: Sides<Node>): Printed {
  const { base, mine, theirs } = place;
  const changes = changesAt(context, place);
  if (changes.agreed) return [slice(context, 'mine', mine)];
  if (!dropsDisputed(context, place)) {
    if (!changes.theirs) return [slice(context, 'mine', mine)];
    if (base && isUntouched(context, base, mine) && !usesLost(context, theirs))
      return asPrinted(takeTheirs(context, place));
  }
  const isWhole = isTakenWhole(place);
  const lists = isWhole ? undefined : listsAt(place);
  if (lists) return isOneThing(context, lists) ? mergeList(context, lists) : undefined;
  if (!isWhole && hasOneShape(context, place)) {
    return place.base && isSet(place.base) ? mergeSets(context, place) : mergeParts(context, place);
  }
  return mergeAround(context, place) ?? asPrinted(mergeLeaf(context, place, isWhole));
}

function isTakenWhole({ base, mine, theirs }: Sides<Node>): boolean {
  return [base, mine, theirs].some((it) => it && it.kind !== 'leaf' && it.isWhole);
}

/** One side wrapped a node without changing it, so the other side's changes go inside. */
function mergeAround(context: Context, place: Sides<Node>): Printed {
  const { base } = place;
  if (!base || base.kind === 'leaf' || usesLost(context, place.theirs)) return undefined;
  const old = tokensOf(context, 'base', base);
  for (const side of edited) {
    const outer = place[side];
    const [inner, another] = copiesIn(context, old, side, outer);
    if (!inner || another) continue;
    const inside = { ...place, [side]: inner };
    const isAlike = listsAt(inside) !== undefined || hasOneShape(context, inside);
    const text = isAlike && context.mergeNode(context, inside);
    if (!text) continue;
    const before = slice(context, side, { start: outer.start, end: inner.start });
    return [before, ...text, slice(context, side, { start: inner.end, end: outer.end })];
  }
  return undefined;
}

/** What a side has within it as another one says it. */
function copiesIn(context: Context, tokens: readonly string[], side: Edited, outer: Node) {
  return nodesIn(outer).filter((it) =>
    isRenamed(tokens, tokensOf(context, side, it), context.rename),
  );
}

/** A call whose arguments have no order: `anyOf(…)`. */
function isSet({ name, parts }: Parts): boolean {
  const isFree = parts.some(({ node }) => node.kind === 'list' && node.rule.order === 'free');
  return isFree && name !== undefined;
}

/** Where one side has `anyOf(anyOf(…), mine)`, nothing is lost that is one call further in. */
function mergeSets(context: Context, place: Sides<Parts>): Printed {
  const { mine } = place;
  const has = (of: Side, side: Edited) => {
    const node = place[of];
    return node && copiesIn(context, tokensOf(context, of, node), side, place[side]).length > 0;
  };
  if (has('theirs', 'mine')) return [slice(context, 'mine', mine)];
  const isAround = edited.some((side) => has('base', side));
  if (isAround) return mergeAround(context, place);
  return mayHide(context, place) ? undefined : mergeParts(context, place);
}

/** Whether mine may have moved what it removed into a name, as in `anyOf(readers, mine)`, and theirs removed it. */
function mayHide(context: Context, place: Sides<Parts>): boolean {
  const lists = listsAt({
    base: place.base && argumentsOf(place.base),
    mine: argumentsOf(place.mine),
    theirs: argumentsOf(place.theirs),
  });
  if (!lists) return false;
  const { toMine, toTheirs } = matchLists(context, lists);
  const known = new Set(toMine.values());
  return (
    lists.base?.items.some((it) => !toMine.has(it) && !toTheirs.has(it)) === true &&
    lists.mine.items.some((it) => !known.has(it) && context.declared.has(it.key.name.join(' ')))
  );
}

const argumentsOf = (call: Parts): Node =>
  call.parts.find(({ role }) => role === 'arguments')?.node ?? call;

/** Where all sides are lists; of one call and a chain of several, the one is a chain too. */
function listsAt({ base, mine, theirs }: Sides<Node>): Sides<List> | undefined {
  const isChain = [base, mine, theirs].some(
    (it) => it?.kind === 'list' && it.rule.separator === '.',
  );
  const listIn = (node: Node) =>
    node.kind === 'list' ? node : node.kind === 'parts' && isChain ? node.chain : undefined;
  const lists = { base: base && listIn(base), mine: listIn(mine), theirs: listIn(theirs) };
  if (!lists.mine || !lists.theirs || (base && !lists.base)) return undefined;
  return { base: lists.base, mine: lists.mine, theirs: lists.theirs };
}

/** Arguments are not merged where one side calls something else: they would be handed to the wrong one. */
function hasOneShape(context: Context, place: Sides<Node>): place is Sides<Parts> {
  const { base, mine, theirs } = place;
  if (mine.kind !== 'parts' || theirs.kind !== 'parts') return false;
  if (base && base.kind !== 'parts') return false;
  if (mine.type !== theirs.type || (base && mine.type !== base.type)) return false;
  return isOneThing(context, { base, mine, theirs });
}

function isOneThing(
  { rename }: Context,
  { base, mine, theirs }: Sides<{ readonly name?: string }>,
): boolean {
  if (mine.name === theirs.name) return true;
  const renamed = base?.name?.split(' ').map(rename).join(' ');
  return renamed !== undefined && mine.name === base?.name && theirs.name === renamed;
}

/** Unchanged, but its names that others need are checked piece by piece. */
function isUntouched(context: Context, base: Node, mine: Node): boolean {
  if (slice(context, 'base', base) !== slice(context, 'mine', mine)) return false;
  const { lost } = context;
  return lost.size === 0 || !tokensOf(context, 'base', base).some((token) => lost.has(token));
}
