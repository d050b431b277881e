import { changesAt, slice, tokensOf, type Context, type Outcome, type Place } from './context.ts';
import { mergeLeaf, takeTheirs, usesLost } from './leaf.ts';
import { mergeList } from './list.ts';
import { mergeParts } from './parts.ts';
import type { Node, Parts } from './tree.ts';

/** Descends as far as the three sides have the same shape. */
export function mergeNode(context: Context, place: Place<Node>, where: string): Outcome {
  const { base, mine, theirs } = place;
  const changes = changesAt(context, place);
  if (!changes.theirs || changes.agreed) return slice(context, 'mine', mine);
  if (base && isUntouched(context, base, mine) && !usesLost(context, theirs))
    return takeTheirs(context, place);
  if (mine.kind === 'list' && theirs.kind === 'list' && (!base || base.kind === 'list'))
    return mergeList(context, { base, mine, theirs }, where);
  if (mine.kind === 'parts' && theirs.kind === 'parts' && (!base || base.kind === 'parts')) {
    if (hasOneShape(context, { base, mine, theirs }))
      return mergeParts(context, { base, mine, theirs }, where);
  }
  return mergeLeaf(context, place);
}

/** Arguments are not merged where one side calls something else: they would be handed to the wrong one. */
function hasOneShape({ rename }: Context, { base, mine, theirs }: Place<Parts>): boolean {
  if (mine.type !== theirs.type || (base && mine.type !== base.type)) return false;
  if (mine.name === theirs.name) return true;
  return base?.name !== undefined && mine.name === base.name && theirs.name === rename(base.name);
}

/** As it was made; but what others need of it is looked at piece by piece. */
function isUntouched(context: Context, base: Node, mine: Node): boolean {
  if (slice(context, 'base', base) !== slice(context, 'mine', mine)) return false;
  const { lost } = context;
  return lost.size === 0 || !tokensOf(context, 'base', base).some((token) => lost.has(token));
}
