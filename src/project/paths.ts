import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../errors.ts';

/** What the tool keeps in a project, below its root. */
export const recordPath = '.scaffold/lock.json';
export const snapshotPath = '.scaffold/schema.json';
export const conflictsPath = '.scaffold/conflicts.json';

/** The working state of a run, and what it leaves for `--undo`. Both are ignored by git. */
export const runFolder = '.scaffold/run';
export const undoFolder = '.scaffold/undo';

/**
 * Whether a path names a file inside the project: relative, plain folders and a plain file name, nothing of git's.
 * Holds on every system, so that a record made on one is safe on another.
 */
export function isSafePath(path: string): boolean {
  return path.length > 0 && path.split('/').every(isSafePart);
}

function isSafePart(part: string): boolean {
  return !/^\.{0,2}$|^\.git$|[\\:*?"<>|\p{Cc}]|[. ]$/iu.test(part) && !reservedOnWindows.test(part);
}

const reservedOnWindows = /^(?:aux|con|nul|prn|(?:com|lpt)\d)(?:\..*)?$/i;

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of a file of `.scaffold/`; undefined when there is none. */
export function readRemembered(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isFile()) return readFileSync(file, 'utf8');
  throw new UserError('SCF501', `\`${path}\` is no file.`, {
    exit: exitCode.environment,
    help: `Remove it, and take the file back from version control: \`git checkout -- ${path}\`.`,
  });
}
