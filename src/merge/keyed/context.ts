import type { Conflict } from '../conflict.ts';
import type { ItemPath } from './key.ts';
import { isRenamed } from './rename.ts';
import type { NamesToRepair, Item, Node, OwnerRename, Source, Span, Three } from './tree.ts';
import { tokensIn } from './source-tokens.ts';

export type Side = keyof Three<unknown>;
export const editedSides = ['ours', 'theirs'] as const;
export type EditedSide = (typeof editedSides)[number];

/** A value for each side. The base has none where both sides added something. */
export interface Sides<T> {
  readonly base: T | undefined;
  readonly ours: T;
  readonly theirs: T;
}

export function mapSides<T, U>({ base, ours, theirs }: Sides<T>, of: (it: T) => U): Sides<U> {
  return { base: base && of(base), ours: of(ours), theirs: of(theirs) };
}

/** Names to be repaired after an earlier attempt to merge. */
export interface BrokenNames extends NamesToRepair {
  readonly declaredTwice: ReadonlySet<string>;
  /** Names whose declaration is in a conflict. */
  readonly inConflict: readonly NameInConflict[];
}

/** What every step of a merge reads, and where it notes what it finds. */
export interface Context extends BrokenNames {
  readonly sources: Three<Source>;
  /** Spells a token of the base as theirs spells it. */
  readonly rename: (token: string) => string;
  /** Names that ours declares anywhere. */
  readonly declared: ReadonlySet<string>;
  readonly declaredByTheirs: ReadonlySet<string>;
  readonly noteInConflict: (names: readonly NameInConflict[]) => void;
  readonly noteOwnerRenames: (names: readonly OwnerRename[]) => void;
  readonly mergeNode: (context: Context, sides: Sides<Node>) => MergeResult;
  /** The path of the item being merged. */
  readonly where: ItemPath;
}

export function withItem(context: Context, { key }: Item): Context {
  return { ...context, where: [...context.where, key] };
}

export interface NamedConflict extends Conflict {
  readonly declares: readonly string[];
  /** Names that it uses in unchanged lines of ours and that an earlier attempt left undeclared or declared twice. */
  readonly needs: readonly string[];
}

/** A name whose declaration one side lacks, and the scope in the base in which it was declared. */
export interface NameInConflict {
  readonly name: string;
  readonly within: Span;
  readonly missing: EditedSide;
}

/** Merged text and its conflicts. Each conflict has lines of its own, and the text keeps the line end after it. */
export type MergedText = readonly (string | NamedConflict)[];

/** Undefined if both sides changed the same place; the caller then shows a conflict of whole lines. */
export type MergeResult = MergedText | undefined;

export const asMergeResult = (text: string | undefined): MergeResult =>
  text === undefined ? text : [text];

export function joinResults(all: readonly MergeResult[]): MergeResult {
  return all.includes(undefined) ? undefined : all.flatMap((it) => it ?? []);
}

export function slice({ sources }: Context, side: Side, { start, end }: Span): string {
  return sources[side].text.slice(start, end);
}

export function tokensOf({ sources }: Context, side: Side, span: Span): readonly string[] {
  return tokensIn(sources[side], span);
}

/** Which sides changed a place. */
export interface Changes {
  readonly ours: boolean;
  readonly theirs: boolean;
  /** Whether both sides are equal. */
  readonly agreed: boolean;
  /** Whether theirs differs from the base only in names. */
  readonly renamed: boolean;
}

export function changesAt(context: Context, sides: Sides<Span>): Changes {
  const base = sides.base && tokensOf(context, 'base', sides.base);
  const ours = tokensOf(context, 'ours', sides.ours);
  const theirs = tokensOf(context, 'theirs', sides.theirs);
  return {
    ours: !base || !isEqual(ours, base),
    theirs: !base || !isEqual(theirs, base),
    agreed: isEqual(ours, theirs),
    renamed: base !== undefined && isRenamed(base, theirs, context.rename),
  };
}

export function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((token, index) => token === right[index]);
}
