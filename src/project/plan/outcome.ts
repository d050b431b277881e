import type { RenderedFile } from '../../render/rendered-file.ts';
import type { Disk } from '../disk.ts';
import type { LabelledConflict, ConflictedFile } from '../open-conflicts.ts';
import type { FileChange, OnConflict } from '../plan.ts';
import type { RecordedFile } from '../record.ts';

/** A file to be made, and what the last run made in its place. */
export interface Meeting {
  readonly file: RenderedFile;
  readonly was?: FormerFile;
}

export interface FormerFile {
  readonly path: string;
  readonly recorded: RecordedFile;
}

/** What was emitted last; undefined if that is lost. */
export type BaseOf = (file: FormerFile) => string | undefined;

/** A file that this version of scaffold makes for no schema. */
export interface Gone extends FormerFile {
  /** The version that stopped making it, if recorded. */
  readonly since?: string;
  /** Ids of the files that have its content now; empty if there are none. */
  readonly now: readonly string[];
}

/** What happens to a file, and what the record keeps of it. */
export interface FileOutcome {
  readonly path: string;
  /** `deleted`: by its owner, with no later change. `marked`: it needs a merge but has conflict markers. */
  readonly standing: 'changed' | 'kept' | 'unchanged' | 'deleted' | 'marked';
  readonly change?: FileChange;
  /** Absent: the record forgets the file. */
  readonly recorded?: RecordedFile;
  /** The text to keep as its base; absent: the one that is there. */
  readonly base?: string;
  readonly open?: ConflictedFile;
}

export function makeOutcome(
  change: FileChange,
  memory: Pick<FileOutcome, 'recorded' | 'base' | 'open'> = {},
): FileOutcome {
  return { path: change.path, standing: 'changed', change, ...memory };
}

/** The owner's edits in a declaration that a new version moved into another existing file. */
export interface Carried extends BaseAndMine {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The owner's file that it was in, as its neighbour would import. */
  readonly source: string;
}

export interface DecisionFacts {
  readonly disk: Disk;
  readonly isRestored: (path: string) => boolean;
  /** What the owner has deleted and a new file needs, by the path of the new file. */
  readonly lacking: ReadonlyMap<string, string>;
  readonly baseOf: BaseOf;
  /** What a merged branch made of it; undefined if that is unknown. */
  readonly otherBranch: (file: RenderedFile) => string | undefined;
  /** Files that no template makes any more, by path. */
  readonly gone: ReadonlyMap<string, Gone>;
  readonly made: readonly RenderedFile[];
  /** Ids of files whose templates had another name. */
  readonly renamedTemplates: ReadonlySet<string>;
  readonly carried: readonly Carried[];
  readonly mergeFile: (file: RenderedFile, texts: BaseAndMine) => Promise<MergedFile>;
  readonly onConflict: OnConflict;
}

export interface BaseAndMine {
  readonly base: string;
  readonly mine: string;
}

export interface MergedFile {
  readonly text: string;
  readonly conflicts: readonly LabelledConflict[];
  readonly settled?: readonly LabelledConflict[];
}

/** A file that is not written; undefined where there is no text. */
export function asItIs(path: string, disk: Disk, recorded?: RecordedFile): FileChange | undefined {
  const found = disk(path);
  if (found?.kind !== 'text') return undefined;
  const text = { before: found.text, after: found.text, mode: found.mode };
  const reason = 'scaffold tracks it there.';
  return { path, ...withModel(recorded ?? {}), action: 'adopt', reason, ...text, conflicts: [] };
}

export function withModel({ model }: { readonly model?: string | undefined }) {
  return model === undefined ? {} : { model };
}
