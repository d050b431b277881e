import type { ThreeTexts } from '../../merge/conflict.ts';
import { present } from '../../present.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import type { Disk } from '../disk.ts';
import type { LabelledConflict, ConflictedFile } from '../open-conflicts.ts';
import type { FileChange } from '../plan.ts';
import type { RecordedFile } from '../record.ts';

/** A rendered file and, if the last run made it, the entry of the record for that. */
export interface MatchedFile {
  readonly file: RenderedFile;
  readonly former?: FormerFile;
}

/** A file of the record. */
export interface FormerFile {
  readonly path: string;
  readonly recorded: RecordedFile;
}

/** The text that the last run emitted; undefined if it is lost. */
export type BaseOf = (file: FormerFile) => string | undefined;

/** A file of the record that this version of scaffold no longer makes for any schema. */
export interface RetiredFile extends FormerFile {
  /** The version that stopped making it, if recorded. */
  readonly since?: string;
  /** Ids of the files that now have its content. */
  readonly successorIds: readonly string[];
}

/** What happens to a file, and what the record will keep of it. */
export interface FileOutcome {
  readonly path: string;
  /**
   * `deleted`: its owner deleted it, and nothing in it has changed since. `gone`: it is no longer made, and not there.
   * `has-markers`: it needs a merge but has conflict markers.
   */
  readonly status: 'changed' | 'kept' | 'unchanged' | 'deleted' | 'gone' | 'has-markers';
  readonly change?: FileChange;
  /** Its entry in the record; absent if the file leaves the record. */
  readonly recorded?: RecordedFile;
  /** The new base; absent if the base stays the same. */
  readonly base?: string;
  readonly open?: ConflictedFile;
}

export function makeOutcome(
  change: FileChange,
  forRecord: Pick<FileOutcome, 'recorded' | 'base' | 'open'> = {},
): FileOutcome {
  return { path: change.path, status: 'changed', change, ...forRecord };
}

/** A declaration that the owner edited and that this version emits in another existing file. */
export interface MovedDeclaration extends BaseAndOurs {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The text of the owner's file, with its imports rewritten for `to`. */
  readonly source: string;
}

export type BaseAndOurs = Pick<ThreeTexts, 'base' | 'ours'>;

export interface MergedFile {
  readonly text: string;
  readonly conflicts: readonly LabelledConflict[];
  readonly resolved?: readonly LabelledConflict[];
}

/** A change that only reports a file; undefined if there is no text at the path. */
export function unwrittenChange(
  path: string,
  disk: Disk,
  recorded?: RecordedFile,
): FileChange | undefined {
  const found = disk(path);
  if (found?.kind !== 'text') return undefined;
  const text = { before: found.text, after: found.text, mode: found.mode };
  const reason = 'It is recorded at this path.';
  return { path, ...pickModel(recorded ?? {}), action: 'adopt', reason, ...text, conflicts: [] };
}

export function pickModel({ model }: { readonly model?: string | undefined }) {
  return present({ model });
}
