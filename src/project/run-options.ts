import type { StructuredMerge } from '../merge/merge.ts';
import type { Rename } from '../model/rename.ts';
import type { Schema } from '../schema/schema.ts';
import type { OnConflict } from './plan/outcome.ts';

/** What a run is asked for. */
export interface RunOptions {
  readonly schemaText: string;
  readonly schema: Schema;
  readonly renames: readonly Rename[];
  /** `SCF412:Post.title`; of something that may as well be a rename, it says that it is none. */
  readonly accepted: readonly string[];
  readonly migrationName?: string;
  readonly onConflict: OnConflict;
  /** Models, paths or globs; empty: everything. */
  readonly only: readonly string[];
  /** Where files are that their owner has moved, by their old paths. */
  readonly moved?: ReadonlyMap<string, string>;
  /** Paths or globs of files that were deleted and are to come back. */
  readonly restore: readonly string[];
  /** Who merges TypeScript, where that is a thread of its own. */
  readonly mergeTypeScript?: StructuredMerge | undefined;
}
