import {
  type Context,
  slice,
  tokensOf,
  type Printed,
  type Sides,
  isEqual,
  onEach,
} from './context.ts';
import type { Three, Node, Parts, Part, Span } from './tree.ts';
import { mergeLeaf, usesLost } from './leaf.ts';
import { indentAt, indented } from './indent.ts';
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
  return texts.includes(undefined) ? undefined : texts.join('');
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
  const gap = mergeLeaf(context, gaps);
  const nodes = onEach(place, (it) => it.node);
  noteOwnNames(context, nodes);
  const node = context.mergeNode(context, nodes);
  return gap === undefined || node === undefined ? undefined : gap + node;
}

/** The names of parameters hold beside them, too: also where theirs left the parameters as they were. */
function noteOwnNames(context: Context, { base, mine, theirs }: Sides<Node>): void {
  if (base?.kind !== 'list' || mine.kind !== 'list' || theirs.kind !== 'list' || !mine.scope)
    return;
  const lists = { base, mine, theirs };
  context.noteOwnNames(findOwnNames(context, lists, matchLists(context, lists)));
}

/** A part that not all sides have: a return type, an initial value, an `else`. */
function optionalPart(
  context: Context,
  { base, mine, theirs }: Three<Part | undefined>,
  at: Span,
): Printed {
  const tokens = {
    base: base ? tokensOf(context, 'base', whole(base)) : [],
    mine: mine ? tokensOf(context, 'mine', whole(mine)) : [],
    theirs: theirs ? tokensOf(context, 'theirs', whole(theirs)) : [],
  };
  if (isEqual(tokens.theirs, tokens.base) || isEqual(tokens.theirs, tokens.mine))
    return mine ? slice(context, 'mine', whole(mine)) : '';
  if (!isEqual(tokens.mine, tokens.base)) return undefined;
  if (!theirs) return '';
  if (usesLost(context, whole(theirs))) return undefined;
  const indent = indentAt(context.sources.mine, mine?.gap.start ?? at.start);
  return indented(context.sources.theirs, whole(theirs), indent);
}

function whole({ gap, node }: Part): Span {
  return { start: gap.start, end: node.end };
}
