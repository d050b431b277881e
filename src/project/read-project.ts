import { exitCode, UserError } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { App } from '../model/app.ts';
import { snapshotShape } from '../model/snapshot.ts';
import { type Disk, openDisk } from './disk.ts';
import { type ConflictedFile, readOpenConflicts } from './open-conflicts.ts';
import { hashText, recordPath, snapshotPath } from './paths.ts';
import { requireProject, readRemembered } from './project-folder.ts';
import { damaged, readRecord, type ProjectRecord } from './record.ts';

/** A generated project as the last run left it. */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  /** Reads the files as they were when the run began. */
  readonly disk: Disk;
  readonly record: ProjectRecord;
  /** The app of the last run, with its ids. */
  readonly app: App;
  readonly openConflicts: readonly ConflictedFile[];
}

/** Throws a `UserError`: not a project (SCF503), damaged (SCF501), made by a newer version (SCF504). */
export async function readProject(folder: string): Promise<Project> {
  requireProject(folder);
  const record = readRecord(readRemembered(folder, recordPath) ?? '');
  return {
    folder,
    disk: openDisk(folder),
    record,
    app: readSnapshot(folder, record),
    openConflicts: readOpenConflicts(folder, record),
  };
}

function readSnapshot(folder: string, { schema }: ProjectRecord): App {
  const text = readRemembered(folder, snapshotPath);
  if (text !== undefined && hashText(text) === schema) {
    const { data, error } = snapshotShape.safeParse(parseJson(text));
    if (data) return data;
    throw damaged(snapshotPath, text, error);
  }
  const state = text === undefined ? 'is missing' : `does not match \`${recordPath}\``;
  throw new UserError('SCF501', `\`${snapshotPath}\` ${state}.`, {
    exit: exitCode.environment,
    help: `Take both from one commit: \`git checkout <commit> -- ${recordPath} ${snapshotPath}\`. An older pair is safe to use.`,
  });
}
