import {
  type Context,
  joinResults,
  mapSides,
  asMergeResult,
  type MergeResult,
  type Sides,
} from './context.ts';
import type { Three, Node, Parts, Part, Span } from './tree.ts';
import { mergeLeaf } from './leaf.ts';
import { matchLists } from './match.ts';
import { listOwnerRenames } from './owner-renames.ts';

export function mergeParts(context: Context, sides: Sides<Parts>): MergeResult {
  const texts = orderRoles(sides).map((role) => {
    const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map((it) =>
      it?.parts.find((part) => part.role === role),
    );
    if (ours && theirs && (base || !sides.base)) return mergePart(context, { base, ours, theirs });
    return optionalPart(context, { base, ours, theirs }, sides.ours);
  });
  return joinResults(texts);
}

/** The roles of ours in their order. A role that only theirs has follows its predecessor there. */
function orderRoles({ ours, theirs }: Sides<Parts>): string[] {
  const roles = ours.parts.map(({ role }) => role);
  for (const [index, { role }] of theirs.parts.entries()) {
    const before = theirs.parts[index - 1]?.role;
    if (!roles.includes(role))
      roles.splice(before === undefined ? 0 : roles.indexOf(before) + 1, 0, role);
  }
  return roles;
}

function mergePart(context: Context, sides: Sides<Part>): MergeResult {
  const gaps = mapSides(sides, (it) => it.gap);
  const gap = asMergeResult(mergeLeaf(context, gaps));
  const nodes = mapSides(sides, (it) => it.node);
  noteOwnerRenames(context, nodes);
  return joinResults([gap, context.mergeNode(context, nodes)]);
}

/** Notes renamed parameters, since their names also occur outside the list. */
function noteOwnerRenames(context: Context, { base, ours, theirs }: Sides<Node>): void {
  if (base?.kind !== 'list' || ours.kind !== 'list' || theirs.kind !== 'list' || !ours.scope)
    return;
  const lists = { base, ours, theirs };
  context.noteOwnerRenames(listOwnerRenames(context, lists, matchLists(context, lists)));
}

/** Merges a part that one side lacks: a return type, an initial value, an `else`. */
function optionalPart(
  context: Context,
  { base, ours, theirs }: Three<Part | undefined>,
  { start }: Span,
): MergeResult {
  const nothing = { start, end: start };
  const [was, own, now] = [base, ours, theirs].map((it) =>
    it ? { start: it.gap.start, end: it.node.end } : nothing,
  );
  const sides = { base: was, ours: own ?? nothing, theirs: now ?? nothing };
  return asMergeResult(mergeLeaf(context, sides, true));
}
