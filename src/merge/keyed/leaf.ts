import type { Stretch } from '../markers.ts';
import { mergeText } from '../text.ts';
import { changesAt, slice, tokensOf, type Context, type Sides } from './context.ts';
import { indentAt, indented } from './indent.ts';
import { renameText } from './rename.ts';
import type { Span } from './tree.ts';

/** Merges by tokens if one side changed it, or both alike; otherwise by lines, unless it must be taken whole. */
export function mergeLeaf(
  context: Context,
  place: Sides<Span>,
  isWhole = false,
): string | undefined {
  const changes = changesAt(context, place);
  if (changes.agreed) return slice(context, 'mine', place.mine);
  if (dropsDisputed(context, place)) return undefined;
  if (!changes.theirs) return slice(context, 'mine', place.mine);
  // The user has the thing elsewhere, under its old name.
  const isElsewhere = changes.renamed && usesLost(context, place.theirs);
  if (!changes.mine && isElsewhere) return slice(context, 'mine', place.mine);
  if (!changes.mine) return takeTheirs(context, place);
  if (changes.renamed && place.base) {
    const base = tokensOf(context, 'base', place.base);
    const theirs = tokensOf(context, 'theirs', place.theirs);
    const { rename, sources } = context;
    return renameText(sources.mine, place.mine, { base, theirs, rename });
  }
  return isWhole ? undefined : withoutClash(context, place);
}

/** Their text, at the depth of mine; undefined if it uses removed names. */
export function takeTheirs(context: Context, { mine, theirs }: Sides<Span>): string | undefined {
  if (usesLost(context, theirs)) return undefined;
  return indented(context.sources.theirs, theirs, indentAt(context.sources.mine, mine.start));
}

/** Whether one side neither uses nor declares a name any more, while the conflict about it is open. */
export function dropsDisputed(context: Context, { base, ...sides }: Sides<Span>): boolean {
  if (!base || context.disputed.length === 0) return false;
  const before = tokensOf(context, 'base', base);
  return context.disputed.some(
    ({ name, within, missing }) =>
      within.start <= base.start &&
      base.end <= within.end &&
      uses(before, name) &&
      !uses(tokensOf(context, missing, sides[missing]), name),
  );
}

/** As a separate name: `created.id` is not a use of `id`. */
function uses(tokens: readonly string[], name: string): boolean {
  return tokens.some((token, at) => token === name && !/^\??\.$/.test(tokens[at - 1] ?? ''));
}

export function usesLost(context: Context, theirs: Span): boolean {
  if (context.lost.size === 0) return false;
  return tokensOf(context, 'theirs', theirs).some((token) => context.lost.has(token));
}

function withoutClash(context: Context, place: Sides<Span>): string | undefined {
  if (!place.base || usesLost(context, place.theirs)) return undefined;
  const stretches = mergeLines(context, place, place.mine.start);
  const texts = stretches.filter((it) => typeof it === 'string');
  return texts.length === stretches.length ? texts.join('') : undefined;
}

/** By lines, at the depth of a place in mine. */
export function mergeLines(
  context: Context,
  { base, mine, theirs }: Sides<Span>,
  at: number,
): readonly Stretch[] {
  const { sources } = context;
  if (!base) return [];
  const indent = indentAt(sources.mine, at);
  return mergeText({
    base: indented(sources.base, base, indent),
    mine: slice(context, 'mine', mine),
    theirs: indented(sources.theirs, theirs, indent),
  });
}
