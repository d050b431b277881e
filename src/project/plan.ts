import type { Rename } from '../model/rename.ts';
import type { Mode } from '../render/rendered-file.ts';
import type { Schema } from '../schema/keys/top.ts';
import type { LabelledConflict } from './open-conflicts.ts';
import { recordPath } from './paths.ts';
import { hasOpenQuestions, type Questions } from './questions.ts';

/**
 * What a run does to one file. `adopt` puts an existing file into the record, `eject` leaves a file to its owner, `skip`
 * leaves a file deleted; these three write nothing.
 */
export type Action =
  | 'create'
  | 'update'
  | 'merge'
  | 'conflict'
  | 'move'
  | 'delete'
  | 'restore'
  | 'adopt'
  | 'eject'
  | 'skip';

export interface FileChange {
  readonly path: string;
  readonly action: Action;
  /** Type name of the model that the file belongs to. */
  readonly model?: string;
  /** A sentence for the user. */
  readonly reason: string;
  /** The old path of a file that moves. */
  readonly from?: string;
  /** The text on disk, at `from` if the file moves; absent if there is no file. */
  readonly before?: string;
  /** The new text; absent if there will be no file. Equals `before` in a change that writes nothing. */
  readonly after?: string;
  readonly mode: Mode;
  /** The path of the file whose permissions it gets; absent if it keeps its own. */
  readonly like?: string;
  /** For a file that is no longer made: the paths of the files with its content. */
  readonly successors?: readonly string[];
  /** Open conflicts: marked in `after`, or the whole file if both sides added it. */
  readonly conflicts: readonly LabelledConflict[];
  /** Conflicts that this change resolves, with line numbers of `after`. */
  readonly resolved?: readonly LabelledConflict[];
}

/** One file on the disk, before and after. */
export interface Write extends Pick<FileChange, 'path' | 'before' | 'after' | 'like'> {
  readonly mode?: Mode;
}

/** Whether a change writes anything. A conflict may leave the owner's file as it is. */
export function isWritten({ action, before, after }: FileChange): boolean {
  return !unwrittenActions.has(action) && (action !== 'conflict' || before !== after);
}

const unwrittenActions: ReadonlySet<Action> = new Set(['skip', 'adopt', 'eject']);

/**
 * Whether a file would change or a question is open. A change of the record alone does not count: it only notes what the
 * owner did, such as adding a migration.
 */
export function needsUpdate({ plan, ...questions }: Questions & { readonly plan: Plan }): boolean {
  const isRemembered = plan.recordWrites.every(({ path }) => path === recordPath);
  return hasOpenQuestions(questions) || plan.changes.some(isWritten) || !isRemembered;
}

export interface Plan {
  /** By path. */
  readonly changes: readonly FileChange[];
  /** How many edited files have no changes from scaffold. */
  readonly kept: number;
  /** How many unedited files have no changes. */
  readonly unchanged: number;
  /** How many deleted files have no changes from scaffold. */
  readonly deleted: number;
  /** What is written below `.scaffold/`. The record comes last. */
  readonly recordWrites: readonly Write[];
}

export const emptyPlan: Plan = {
  changes: [],
  kept: 0,
  unchanged: 0,
  deleted: 0,
  recordWrites: [],
};

/** `movedTo`: new paths by old ones; `cameFrom`: the reverse. */
export function readMoves({ changes }: Plan) {
  const moves = changes.flatMap(({ path, from }) =>
    from === undefined ? [] : [[from, path] as const],
  );
  return { movedTo: new Map(moves), cameFrom: new Map(moves.map(([from, path]) => [path, from])) };
}

/** `fail` plans as `markers` does, but its caller does not apply a plan with conflicts. */
export type OnConflict = 'markers' | 'ours' | 'theirs' | 'fail';

/** What the owner asks a run for. */
export interface RunOptions {
  readonly schemaText: string;
  readonly schema: Schema;
  readonly renames: readonly Rename[];
  /** Keys of hazards and questions: `SCF412:Post.title`. The key of a possible rename says that it is not one. */
  readonly accepted: readonly string[];
  /** Plans as if every loss were accepted, for a run that writes nothing. The questions stay open. */
  readonly showsLosses?: boolean;
  readonly migrationName?: string;
  readonly onConflict: OnConflict;
  /** New paths of files that the owner has moved, by their old ones. */
  readonly moved?: ReadonlyMap<string, string>;
  /** Paths or globs of deleted files to restore. */
  readonly restore: readonly string[];
}
