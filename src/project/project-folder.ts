import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../errors.ts';
import { recordPath, runFolder } from './paths.ts';

/** The text of a file of `.scaffold/`; undefined if there is none. */
export function readRemembered(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isFile()) return readFileSync(file, 'utf8');
  throw new UserError('SCF501', `\`${path}\` is not a file.`, {
    exit: exitCode.environment,
    help: `Remove it, and restore the file from version control: \`git checkout -- ${path}\`.`,
  });
}

/** Whether a folder has a record. `readProject` finds out whether that is valid. */
export function isProject(folder: string): boolean {
  return existsSync(join(folder, recordPath));
}

/** Throws a `UserError` (SCF503) if there is no project. A run may be in progress there. */
export function requireProject(folder: string): void {
  if (isProject(folder)) return;
  throw new UserError('SCF503', `There is no scaffold project in \`${folder}\`.`, {
    exit: exitCode.usage,
    help: `A project has \`${recordPath}\`. Name its folder, or restore that file from version control.`,
  });
}

export function isInterrupted(folder: string): boolean {
  return existsSync(join(folder, runFolder));
}
