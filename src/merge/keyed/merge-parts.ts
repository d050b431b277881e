import { type Context, inOrder, onEach, asPrinted, type Printed, type Sides } from './context.ts';
import type { Three, Node, Parts, Part, Span } from './tree.ts';
import { mergeLeaf } from './leaf.ts';
import { matchLists } from './match.ts';
import { findOwnNames } from './own-names.ts';

/** Part by part, and the words between them. */
export function mergeParts(context: Context, place: Sides<Parts>): Printed {
  const texts = rolesOf(place).map((role) => {
    const [base, mine, theirs] = [place.base, place.mine, place.theirs].map((it) =>
      it?.parts.find((part) => part.role === role),
    );
    if (mine && theirs && (base || !place.base)) return mergePart(context, { base, mine, theirs });
    return optionalPart(context, { base, mine, theirs }, place.mine);
  });
  return inOrder(texts);
}

/** Of mine in their order; those that only the new output has, after the one before them. */
function rolesOf({ mine, theirs }: Sides<Parts>): string[] {
  const roles = mine.parts.map(({ role }) => role);
  for (const [index, { role }] of theirs.parts.entries()) {
    const before = theirs.parts[index - 1]?.role;
    if (!roles.includes(role))
      roles.splice(before === undefined ? 0 : roles.indexOf(before) + 1, 0, role);
  }
  return roles;
}

function mergePart(context: Context, place: Sides<Part>): Printed {
  const gaps = onEach(place, (it) => it.gap);
  const gap = asPrinted(mergeLeaf(context, gaps));
  const nodes = onEach(place, (it) => it.node);
  noteOwnNames(context, nodes);
  return inOrder([gap, context.mergeNode(context, nodes)]);
}

/** The names of parameters hold beside them, too: also where theirs left the parameters as they were. */
function noteOwnNames(context: Context, { base, mine, theirs }: Sides<Node>): void {
  if (base?.kind !== 'list' || mine.kind !== 'list' || theirs.kind !== 'list' || !mine.scope)
    return;
  const lists = { base, mine, theirs };
  context.noteOwnNames(findOwnNames(context, lists, matchLists(context, lists)));
}

/** A part that not all sides have: a return type, an initial value, an `else`; it is nothing where one lacks it. */
function optionalPart(
  context: Context,
  { base, mine, theirs }: Three<Part | undefined>,
  { start }: Span,
): Printed {
  const nothing = { start, end: start };
  const [was, own, now] = [base, mine, theirs].map((it) => (it ? whole(it) : nothing));
  const place = { base: was, mine: own ?? nothing, theirs: now ?? nothing };
  return asPrinted(mergeLeaf(context, place, true));
}

function whole({ gap, node }: Part): Span {
  return { start: gap.start, end: node.end };
}
