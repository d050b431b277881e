import type { App } from '../model/app.ts';
import type { OpenConflict } from './open-conflicts.ts';
import type { Record } from './record.ts';

/** A generated project as its last run left it. */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  readonly record: Record;
  /** The app of the last run, with its stable ids. */
  readonly app: App;
  readonly openConflicts: readonly OpenConflict[];
}

/** Whether the folder holds a record; whether it is sound is `readProject`'s question. */
export function findProject(_folder: string): boolean {
  throw new Error('to come');
}

/** Throws a `UserError`: not a project (SCF503), damaged (SCF501), made by a newer version (SCF504). */
export async function readProject(_folder: string): Promise<Project> {
  throw new Error('to come');
}
