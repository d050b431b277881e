import type { ItemPath } from './keyed/key.ts';
import type { Three } from './keyed/tree.ts';

/** The kinds of rendered files, which decide how versions of a file are compared and merged. */
export const fileKinds = ['ts', 'json', 'env', 'yaml', 'markdown', 'text', 'sql'] as const;
export type FileKind = (typeof fileKinds)[number];

export type ThreeTexts = Three<string>;

/** Two changes of the same place. Texts are as between the markers; empty if a side has nothing there. */
export interface Conflict extends ThreeTexts {
  readonly where: ItemPath;
  /** The path of the file that now has this declaration, if the file of the conflict is no longer made. */
  readonly now?: string | undefined;
  /** The position, from 0, of another conflict of the same file that decides about a name used here. */
  readonly waitsFor?: number | undefined;
}

export interface MarkedConflict extends Conflict {
  /** The line of the opening marker in the merged text, from 1. */
  readonly line: number;
}

export interface Merged {
  readonly text: string;
  readonly conflicts: readonly MarkedConflict[];
}
