import type { Ambiguity } from '../evolve/candidates.ts';
import type { Hazard } from '../evolve/hazard.ts';
import type { Evolved } from '../evolve/migrate.ts';
import type { App } from '../model/app.ts';
import type { Rename } from '../model/rename.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import type { Schema } from '../schema/schema.ts';
import type { Plan } from './plan.ts';
import type { Project } from './read-project.ts';

/** What a run is asked for. */
export interface Wish {
  readonly schemaText: string;
  readonly schema: Schema;
  readonly renames: readonly Rename[];
  /** `SCF412:Post.title` */
  readonly accepted: readonly string[];
  readonly migrationName?: string;
  /** With `fail` the plan is as with `markers`; a plan with conflicts is not to be applied then. */
  readonly onConflict: 'markers' | 'ours' | 'theirs' | 'fail';
  /** Models or globs of paths; empty: everything. */
  readonly only: readonly string[];
  /** Paths or globs of files that were deleted and are to come back. */
  readonly restore: readonly string[];
}

/** What a run would do, computed as a whole before anything is written. */
export interface Regeneration {
  readonly app: App;
  readonly rendered: readonly RenderedFile[];
  readonly migration?: Evolved;
  /** Open questions: while there is one, nothing may be written. */
  readonly ambiguities: readonly Ambiguity[];
  /** Losses and risks that nobody has agreed to: the same. */
  readonly unaccepted: readonly Hazard[];
  /** Old → new, every spelling of what was renamed: `Post` → `Article`, `posts` → `articles`, `title` → `heading`. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly plan: Plan;
}

/** Whether a run would find nothing to do; renders and merges nothing. */
export async function isUpToDate(_project: Project, _wish: Wish): Promise<boolean> {
  throw new Error('to come');
}

/** Throws a `UserError` when conflicts are open (SCF506), or a file cannot be written (SCF513). */
export async function planRegeneration(_project: Project, _wish: Wish): Promise<Regeneration> {
  throw new Error('to come');
}
