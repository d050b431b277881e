import type { Chunk } from '../markers.ts';
import { mergeText } from '../text.ts';
import { changesAt, slice, tokensOf, type Context, type Sides } from './context.ts';
import { indentAt, indented } from './indent.ts';
import { renameText } from './rename.ts';
import type { Span } from './tree.ts';

/** Merges by tokens if one side changed the span or both made the same change, otherwise by lines. */
export function mergeLeaf(
  context: Context,
  sides: Sides<Span>,
  isWhole = false,
): string | undefined {
  const changes = changesAt(context, sides);
  if (changes.agreed) return slice(context, 'ours', sides.ours);
  if (dropsNameInConflict(context, sides)) return undefined;
  if (!changes.theirs) return slice(context, 'ours', sides.ours);
  // The owner uses it elsewhere under its old name.
  const isElsewhere = changes.renamed && usesUndeclared(context, sides.theirs);
  if (!changes.ours && isElsewhere) return slice(context, 'ours', sides.ours);
  if (!changes.ours) return takeTheirs(context, sides);
  if (changes.renamed && sides.base) {
    const base = tokensOf(context, 'base', sides.base);
    const theirs = tokensOf(context, 'theirs', sides.theirs);
    const { rename, sources } = context;
    return renameText(sources.ours, sides.ours, { base, theirs, rename });
  }
  return isWhole ? undefined : mergeLinesCleanly(context, sides);
}

/** The text of theirs with the indentation of ours; undefined if it uses undeclared names. */
export function takeTheirs(context: Context, { ours, theirs }: Sides<Span>): string | undefined {
  if (usesUndeclared(context, theirs)) return undefined;
  return indented(context.sources.theirs, theirs, indentAt(context.sources.ours, ours.start));
}

/** Whether one side no longer has a name about which a conflict is open. */
export function dropsNameInConflict(context: Context, { base, ...sides }: Sides<Span>): boolean {
  if (!base || context.inConflict.length === 0) return false;
  const before = tokensOf(context, 'base', base);
  return context.inConflict.some(
    ({ name, within, missing }) =>
      within.start <= base.start &&
      base.end <= within.end &&
      uses(before, name) &&
      !uses(tokensOf(context, missing, sides[missing]), name),
  );
}

/** `created.id` is not a use of `id`. */
function uses(tokens: readonly string[], name: string): boolean {
  return tokens.some((token, at) => token === name && !/^\??\.$/.test(tokens[at - 1] ?? ''));
}

export function usesUndeclared(context: Context, theirs: Span): boolean {
  if (context.undeclared.size === 0) return false;
  return tokensOf(context, 'theirs', theirs).some((token) => context.undeclared.has(token));
}

function mergeLinesCleanly(context: Context, sides: Sides<Span>): string | undefined {
  if (!sides.base || usesUndeclared(context, sides.theirs)) return undefined;
  const chunks = mergeLines(context, sides, sides.ours.start);
  const texts = chunks.filter((it) => typeof it === 'string');
  return texts.length === chunks.length ? texts.join('') : undefined;
}

/** Merges by lines. `at`: the place in ours whose indentation they get. */
export function mergeLines(
  context: Context,
  { base, ours, theirs }: Sides<Span>,
  at: number,
): readonly Chunk[] {
  const { sources } = context;
  if (!base) return [];
  const indent = indentAt(sources.ours, at);
  return mergeText({
    base: indented(sources.base, base, indent),
    ours: slice(context, 'ours', ours),
    theirs: indented(sources.theirs, theirs, indent),
  });
}
