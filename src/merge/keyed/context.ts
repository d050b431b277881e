import type { Conflict } from '../conflict.ts';
import type { Way } from './key.ts';
import { isRenamed } from './rename.ts';
import type { ImportedNames, Item, Node, OwnName, Source, Span, Three } from './tree.ts';
import { tokensIn } from './tree.ts';

export type Side = keyof Three<unknown>;
export const edited = ['mine', 'theirs'] as const;
export type Edited = (typeof edited)[number];

/** The same place in three texts; the base may lack what both sides added. */
export interface Sides<T> {
  readonly base: T | undefined;
  readonly mine: T;
  readonly theirs: T;
}

export function onEach<T, U>({ base, mine, theirs }: Sides<T>, of: (it: T) => U): Sides<U> {
  return { base: base && of(base), mine: of(mine), theirs: of(theirs) };
}

/** What earlier merges left broken. */
export interface BrokenNames extends ImportedNames {
  /** Declared twice. */
  readonly doubled: ReadonlySet<string>;
  /** Names whose declaration is in a conflict. */
  readonly disputed: readonly Disputed[];
}

/** What every step of a merge needs to know. */
export interface Context extends BrokenNames {
  readonly sources: Three<Source>;
  /** Tokens of the base as the new output spells them. */
  readonly rename: (token: string) => string;
  /** Names that mine declares anywhere. */
  readonly declared: ReadonlySet<string>;
  readonly declaredByTheirs: ReadonlySet<string>;
  readonly noteDisputed: (names: readonly Disputed[]) => void;
  /** Notes the names that mine uses for what base and theirs call by another name. */
  readonly noteOwnNames: (names: readonly OwnName[]) => void;
  readonly mergeNode: (context: Context, place: Sides<Node>) => Printed;
  /** The item being merged. */
  readonly where: Way;
}

export function within(context: Context, { key }: Item): Context {
  return { ...context, where: [...context.where, key] };
}

export interface Reported extends Conflict {
  readonly declares: readonly string[];
  /** Of the names of which a first merge made too few or too many, those that it uses where mine is as the base. */
  readonly needs: readonly string[];
}

/** A name that one side no longer declares, in the scope of the base that it was declared in. */
export interface Disputed {
  readonly name: string;
  readonly within: Span;
  readonly missing: Edited;
}

/** Merged text with its conflicts, each on lines of its own: the line end after it is still in the text. */
export type MergedText = readonly (string | Reported)[];

/** Undefined if both sides changed the same, which a caller with whole lines then shows. */
export type Printed = MergedText | undefined;

export const asPrinted = (text: string | undefined): Printed =>
  text === undefined ? text : [text];

/** All of them in their order, if there are all. */
export function inOrder(all: readonly Printed[]): Printed {
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
  readonly mine: boolean;
  readonly theirs: boolean;
  /** Both sides are equal. */
  readonly agreed: boolean;
  /** Theirs differs from the base only in names. */
  readonly renamed: boolean;
}

export function changesAt(context: Context, place: Sides<Span>): Changes {
  const base = place.base && tokensOf(context, 'base', place.base);
  const mine = tokensOf(context, 'mine', place.mine);
  const theirs = tokensOf(context, 'theirs', place.theirs);
  return {
    mine: !base || !isEqual(mine, base),
    theirs: !base || !isEqual(theirs, base),
    agreed: isEqual(mine, theirs),
    renamed: base !== undefined && isRenamed(base, theirs, context.rename),
  };
}

export function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((token, index) => token === right[index]);
}
