import type { Way } from './keyed/key.ts';
import type { Three } from './keyed/tree.ts';

/** How two versions of a file are compared and merged: the kinds of the rendered files. */
export const kinds = ['ts', 'json', 'env', 'yaml', 'markdown', 'text', 'sql'] as const;
export type FileKind = (typeof kinds)[number];

export type ThreeTexts = Three<string>;

/** Two changes to the same thing. Texts are as between the markers; an absent side is empty. */
export interface Conflict extends ThreeTexts {
  readonly where: Way;
  /** For a text that is no longer made: the file in which its declaration is now. */
  readonly now?: string | undefined;
  /** If the owner changed nothing here: the conflict of the same text, from 0, that decides about a name it needs. */
  readonly waitsFor?: number | undefined;
}

export interface MarkedConflict extends Conflict {
  /** Of the opening marker in the merged text, from 1. */
  readonly line: number;
}

export interface Merged {
  readonly text: string;
  readonly conflicts: readonly MarkedConflict[];
}
