import type { FileKind } from '../merge/conflict.ts';

/** A file of the emitted project, in memory. */
export interface RenderedFile {
  /** Stable identity: the same for a file that moves because its model was renamed. */
  readonly id: string;
  /** Below the project's root, with `/` between folders. */
  readonly path: string;
  readonly content: string;
  readonly policy: Policy;
  readonly kind: FileKind;
  readonly mode: Mode;
  /** Name of the model that the file belongs to. */
  readonly model?: string;
  /** The path that it would have if its owner had not moved it. */
  readonly home?: string;
}

/**
 * `generated`: ours alone. `merged`, `yours`: edited by the owner. `appended`: history, never rewritten. `tool`: a
 * program that is replaced as a whole, never merged.
 */
export type Policy = 'generated' | 'merged' | 'appended' | 'yours' | 'tool';

export type Mode = '644' | '755';
