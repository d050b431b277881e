import type { FileKind } from '../merge/conflict.ts';

/** A file of the emitted project, in memory. */
export interface RenderedFile {
  /** An id that stays the same if the file moves because its model was renamed. */
  readonly id: string;
  /** Below the root of the project, with `/` as the separator. */
  readonly path: string;
  readonly content: string;
  readonly policy: Policy;
  readonly kind: FileKind;
  readonly mode: Mode;
  /** The type name of the model that the file belongs to. */
  readonly model?: string;
  /** The path that scaffold made the file for, if its owner has moved it. */
  readonly home?: string;
}

/**
 * `generated`: only scaffold writes it. `merged`, `yours`: the owner edits it. `appended`: a migration, never changed.
 * `tool`: a program that is replaced as a whole instead of merged.
 */
export type Policy = 'generated' | 'merged' | 'appended' | 'yours' | 'tool';

export type Mode = '644' | '755';
