import type { Conflict } from '../merge/conflict.ts';
import type { RecordedFile } from './record.ts';

/** A file whose conflicts wait for their owner: `.scaffold/conflicts.json`. */
export interface OpenConflict {
  readonly path: string;
  /** `marked`: in the text, between markers. `added`: both sides made the file, and it is left as it was. */
  readonly kind: 'marked' | 'added';
  /** What the record says of the file once it is settled. */
  readonly file: RecordedFile;
  readonly conflicts: readonly LabelledConflict[];
}

export interface LabelledConflict extends Conflict {
  /** The schema elements behind it: `Post.heading`; empty when it comes from the templates. */
  readonly elements: readonly string[];
}
