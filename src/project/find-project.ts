import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../errors.ts';
import { recordPath, runFolder } from './paths.ts';

/** Whether the folder holds a record; whether it is sound is `readProject`'s question. */
export function findProject(folder: string): boolean {
  return existsSync(join(folder, recordPath));
}

/** Throws a `UserError` (SCF503) when there is no project; one that is there may be in the middle of a run. */
export function requireProject(folder: string): void {
  if (findProject(folder)) return;
  throw new UserError('SCF503', `There is no scaffold project in \`${folder}\`.`, {
    exit: exitCode.usage,
    help: `A project has \`${recordPath}\`. Name its folder, or take that file back from version control.`,
  });
}

/** Whether a run was ended before it was done. */
export function isInterrupted(folder: string): boolean {
  return existsSync(join(folder, runFolder));
}
