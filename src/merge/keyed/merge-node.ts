import {
  type Context,
  changesAt,
  editedSides,
  type EditedSide,
  asMergeResult,
  slice,
  tokensOf,
  type MergeResult,
  type Side,
  type Sides,
} from './context.ts';
import { isConflict } from '../markers.ts';
import { isRenamed } from './rename.ts';
import { type Node, nodesIn, type Parts, type List } from './tree.ts';
import { dropsNameInConflict, mergeLeaf, takeTheirs, usesUndeclared } from './leaf.ts';
import { mergeList } from './list.ts';
import { matchLists } from './match.ts';
import { mergeParts } from './merge-parts.ts';

/** Descends as long as all sides have the same shape. */
export function mergeNode(context: Context, sides: Sides<Node>): MergeResult {
  const { base, ours, theirs } = sides;
  const changes = changesAt(context, sides);
  const kept = [slice(context, 'ours', ours)];
  if (changes.agreed || !dropsNameInConflict(context, sides)) {
    if (base && isUntouchedNode(context, base, ours) && !usesUndeclared(context, theirs))
      return asMergeResult(takeTheirs(context, sides));
    if (changes.agreed) return kept;
    if (!changes.theirs) {
      // A name of another length may only have broken lines differently.
      const isAlike = base && slice(context, 'base', base) === slice(context, 'theirs', theirs);
      const merged = isAlike ? kept : descend(context, sides);
      return merged?.some(isConflict) === false ? merged : kept;
    }
  }
  return descend(context, sides);
}

function descend(context: Context, sides: Sides<Node>): MergeResult {
  const { base, ours, theirs } = sides;
  const isWhole = [base, ours, theirs].some((it) => it && it.kind !== 'leaf' && it.isWhole);
  const lists = isWhole ? undefined : listsAt(sides);
  if (lists) return isOneThing(context, lists) ? mergeList(context, lists) : undefined;
  if (!isWhole && hasOneShape(context, sides)) {
    return sides.base && isSet(sides.base) ? mergeSets(context, sides) : mergeParts(context, sides);
  }
  return mergeInsideWrapper(context, sides) ?? asMergeResult(mergeLeaf(context, sides, isWhole));
}

/** If one side wrapped a node without changing it, merges the changes of the other side inside. */
function mergeInsideWrapper(context: Context, sides: Sides<Node>): MergeResult {
  const { base } = sides;
  if (!base || base.kind === 'leaf' || usesUndeclared(context, sides.theirs)) return undefined;
  const old = tokensOf(context, 'base', base);
  for (const side of editedSides) {
    const outer = sides[side];
    const [inner, another] = copiesIn(context, old, side, outer);
    if (!inner || another) continue;
    const inside = { ...sides, [side]: inner };
    const isAlike = listsAt(inside) !== undefined || hasOneShape(context, inside);
    const text = isAlike && context.mergeNode(context, inside);
    if (!text) continue;
    const before = slice(context, side, { start: outer.start, end: inner.start });
    return [before, ...text, slice(context, side, { start: inner.end, end: outer.end })];
  }
  return undefined;
}

/** Nodes of one side that equal some tokens, except for names. */
function copiesIn(context: Context, tokens: readonly string[], side: EditedSide, outer: Node) {
  return nodesIn(outer).filter((it) =>
    isRenamed(tokens, tokensOf(context, side, it), context.rename),
  );
}

/** Whether a call's arguments have no order: `anyOf(…)`. */
function isSet({ name, parts }: Parts): boolean {
  const isFree = parts.some(({ node }) => node.kind === 'list' && node.rule.order === 'free');
  return isFree && name !== undefined;
}

/** Merges sets. In `anyOf(anyOf(…), mine)`, the inner call has what the other side changed. */
function mergeSets(context: Context, sides: Sides<Parts>): MergeResult {
  const { ours } = sides;
  const has = (of: Side, side: EditedSide) => {
    const node = sides[of];
    if (node === undefined) return false;
    return copiesIn(context, tokensOf(context, of, node), side, sides[side]).length > 0;
  };
  if (has('theirs', 'ours')) return [slice(context, 'ours', ours)];
  const isAround = editedSides.some((side) => has('base', side));
  if (isAround) return mergeInsideWrapper(context, sides);
  return mayBeMovedToName(context, sides) ? undefined : mergeParts(context, sides);
}

/** Whether ours may have moved an argument that theirs removed into a variable, as in `anyOf(readers, mine)`. */
function mayBeMovedToName(context: Context, sides: Sides<Parts>): boolean {
  const lists = listsAt({
    base: sides.base && argumentsOf(sides.base),
    ours: argumentsOf(sides.ours),
    theirs: argumentsOf(sides.theirs),
  });
  if (!lists) return false;
  const { toOurs, toTheirs } = matchLists(context, lists);
  const known = new Set(toOurs.values());
  return (
    lists.base?.items.some((it) => !toOurs.has(it) && !toTheirs.has(it)) === true &&
    lists.ours.items.some((it) => !known.has(it) && context.declared.has(it.key.name.join(' ')))
  );
}

const argumentsOf = (call: Parts): Node =>
  call.parts.find(({ role }) => role === 'arguments')?.node ?? call;

/** The three lists, if all sides have one. A single call counts as a chain if another side has a chain. */
function listsAt({ base, ours, theirs }: Sides<Node>): Sides<List> | undefined {
  const isChain = [base, ours, theirs].some(
    (it) => it?.kind === 'list' && it.rule.separator === '.',
  );
  const listIn = (node: Node) =>
    node.kind === 'list' ? node : node.kind === 'parts' && isChain ? node.chain : undefined;
  const lists = { base: base && listIn(base), ours: listIn(ours), theirs: listIn(theirs) };
  if (!lists.ours || !lists.theirs || (base && !lists.base)) return undefined;
  return { base: lists.base, ours: lists.ours, theirs: lists.theirs };
}

/** Arguments are not merged if the sides call different functions. */
function hasOneShape(context: Context, sides: Sides<Node>): sides is Sides<Parts> {
  const { base, ours, theirs } = sides;
  if (ours.kind !== 'parts' || theirs.kind !== 'parts') return false;
  if (base && base.kind !== 'parts') return false;
  if (ours.type !== theirs.type || (base && ours.type !== base.type)) return false;
  return isOneThing(context, { base, ours, theirs });
}

function isOneThing(
  { rename }: Context,
  { base, ours, theirs }: Sides<{ readonly name?: string }>,
): boolean {
  if (ours.name === theirs.name) return true;
  const renamed = base?.name?.split(' ').map(rename).join(' ');
  return renamed !== undefined && ours.name === base?.name && theirs.name === renamed;
}

/** Whether ours equals the base, and needs no check of the names that it declares. */
function isUntouchedNode(context: Context, base: Node, ours: Node): boolean {
  if (slice(context, 'base', base) !== slice(context, 'ours', ours)) return false;
  const { undeclared } = context;
  return (
    undeclared.size === 0 || !tokensOf(context, 'base', base).some((token) => undeclared.has(token))
  );
}
