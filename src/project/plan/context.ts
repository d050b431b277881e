import type { App } from '../../model/app.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import type { RunOptions } from '../plan.ts';
import type { FollowedProject } from './follow-moved.ts';
import type { MatchedFiles } from './match-record.ts';
import type { BaseAndOurs, MergedFile, MovedDeclaration, RetiredFile } from './outcome.ts';
import type { UndoableChange } from './schema-changes.ts';
import type { History } from './schema-step.ts';
import type { Renamed } from './spellings.ts';

/** The next state of a project's files. */
export interface NextFiles extends Pick<RunOptions, 'schemaText' | 'onConflict' | 'restore'> {
  readonly app: App;
  readonly rendered: readonly RenderedFile[];
  /** The texts of `rendered`, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** `rendered`, matched with the record. */
  readonly matches: MatchedFiles;
  /** By path. */
  readonly retired: ReadonlyMap<string, RetiredFile>;
  /** Ids of files whose templates have been renamed since the last run. */
  readonly renamedTemplates: ReadonlySet<string>;
  readonly changes: readonly UndoableChange[];
  readonly renamed: Renamed;
  readonly history: History;
}

/** What the decision about a file depends on. */
export interface DecisionContext
  extends
    Pick<FollowedProject, 'disk' | 'baseOf'>,
    Pick<NextFiles, 'rendered' | 'retired' | 'renamedTemplates' | 'onConflict'> {
  readonly isRestored: (path: string) => boolean;
  /** By the path of a new file: a file that it imports and that the owner has deleted. */
  readonly missingImports: ReadonlyMap<string, string>;
  /** The text that a merged branch emitted; undefined if it is unknown. */
  readonly branchText: (file: RenderedFile) => string | undefined;
  readonly movedDeclarations: readonly MovedDeclaration[];
  readonly mergeFile: (file: RenderedFile, texts: BaseAndOurs) => Promise<MergedFile>;
}
