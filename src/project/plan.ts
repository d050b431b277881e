import type { Rename } from '../model/rename.ts';
import type { Mode } from '../render/rendered-file.ts';
import type { Schema } from '../schema/keys/top.ts';
import type { LabelledConflict } from './open-conflicts.ts';
import { recordPath } from './paths.ts';
import { hasOpenQuestions, type Questions } from './questions.ts';

/**
 * What a run does to one file. `skip`: deleted by the user, and stays so. `adopt`, `eject` and `skip` write nothing.
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
  /** Former path of a file that moves; nothing is there afterwards, unless another file moves there. */
  readonly from?: string;
  /** The text on the disk, at `from` when the file moves; absent: no file. */
  readonly before?: string;
  /** The text to be; absent: no file. Equal to `before` in a change that writes nothing. */
  readonly after?: string;
  readonly mode: Mode;
  /** The file whose permissions it gets, if neither its own nor those of the file that moves. */
  readonly like?: string;
  /** For a file that is no longer made: where its content is now; its conflicts are about that. */
  readonly now?: readonly string[];
  /** Open conflicts: marked in `after`, or, when both sides added the file, the whole of it left as it is. */
  readonly conflicts: readonly LabelledConflict[];
  /** Conflicts that this change settles, by the lines of `after`. */
  readonly settled?: readonly LabelledConflict[];
}

/** One file on the disk, before and after. */
export interface Write {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  /** Absent: as the file has it. */
  readonly mode?: Mode;
  /** The file whose permissions it gets, if not its own. */
  readonly like?: string;
}

/** Whether it changes anything on the disk: a conflict may leave the owner's file as it is. */
export function isWritten({ action, before, after }: FileChange): boolean {
  return !idle.has(action) && (action !== 'conflict' || before !== after);
}

const idle: ReadonlySet<Action> = new Set(['skip', 'adopt', 'eject']);

/**
 * Whether any file would change, or a question is open. A change of the record alone does not count: it would only note
 * what the owner did, such as a migration of their own.
 */
export function isBehind({ plan, ...questions }: Questions & { readonly plan: Plan }): boolean {
  const isRemembered = plan.bookkeeping.every(({ path }) => path === recordPath);
  return hasOpenQuestions(questions) || plan.changes.some(isWritten) || !isRemembered;
}

export interface Plan {
  /** By path. */
  readonly changes: readonly FileChange[];
  /** Edited files in which nothing of ours changed. */
  readonly kept: number;
  /** Files that are already as they should be. */
  readonly unchanged: number;
  /** Deleted files in which nothing of ours changed. */
  readonly deleted: number;
  /** What is written below `.scaffold/`: the record comes last. */
  readonly bookkeeping: readonly Write[];
}

export const emptyPlan: Plan = {
  changes: [],
  kept: 0,
  unchanged: 0,
  deleted: 0,
  bookkeeping: [],
};

/** New paths of files that move by their old ones, and the reverse. */
export function movesOf({ changes }: Plan) {
  const moves = changes.flatMap(({ path, from }) =>
    from === undefined ? [] : [[from, path] as const],
  );
  return { movedTo: new Map(moves), cameFrom: new Map(moves.map(([from, path]) => [path, from])) };
}

/** With `fail` the plan is as with `markers`; a plan with conflicts is not to be applied then. */
export type OnConflict = 'markers' | 'ours' | 'theirs' | 'fail';

/** What a run is asked for. */
export interface RunOptions {
  readonly schemaText: string;
  readonly schema: Schema;
  readonly renames: readonly Rename[];
  /** `SCF412:Post.title`; for a possible rename, this means that it is not one. */
  readonly accepted: readonly string[];
  readonly migrationName?: string;
  readonly onConflict: OnConflict;
  /** New paths of files that the owner has moved, by their old ones. */
  readonly moved?: ReadonlyMap<string, string>;
  /** Paths or globs of deleted files to restore. */
  readonly restore: readonly string[];
}
