import { readFileSync, statSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '../digest.ts';
import { exitCode, UserError } from '../errors.ts';
import { normalized } from '../merge/line-endings.ts';
import type { RenderedFile } from '../render/rendered-file.ts';

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

/** The text of a file of `.scaffold/`; undefined when there is none. */
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

/** Whether the folder holds a record; whether it is sound is `readProject`'s question. */
export function isProject(folder: string): boolean {
  return existsSync(join(folder, recordPath));
}

/** Throws a `UserError` (SCF503) when there is no project; one that is there may be in the middle of a run. */
export function requireProject(folder: string): void {
  if (isProject(folder)) return;
  throw new UserError('SCF503', `There is no scaffold project in \`${folder}\`.`, {
    exit: exitCode.usage,
    help: `A project has \`${recordPath}\`. Name its folder, or restore that file from version control.`,
  });
}

/** Whether a run was interrupted. */
export function isInterrupted(folder: string): boolean {
  return existsSync(join(folder, runFolder));
}

/** Where the exact text that was emitted last is kept, to merge against. */
export function basePath(path: string): string {
  return `.scaffold/base/${path}.base`;
}

/** The path of the base that a file in conflict gets once it is settled. */
export function nextBasePath(path: string): string {
  return `.scaffold/base/${path}.next`;
}

/** One hash for a text, whatever its line ends. */
export function hashText(text: string): string {
  return digest(normalized(text));
}

/** Whether it is the tool's own: what is under `.scaffold/`. */
export function isToolFile({ path }: { readonly path: string }): boolean {
  return path.startsWith('.scaffold/');
}

/** Whether it is a migration, or the program that applies them. */
export function isHistory(path: string): boolean {
  return path.startsWith('migrations/');
}

/** The id of the migration whose `up.sql` is at a path. */
export function migrationAt(path: string): string | undefined {
  return /^migrations\/([^/]+)\/up\.sql$/.exec(path)?.[1];
}

/** The files that people may edit or move; the schema is theirs alone. */
export function trackedFiles(rendered: readonly RenderedFile[]): readonly RenderedFile[] {
  return rendered.filter((it) => !isToolFile(it) && !isSchemaFile(it.path));
}

export const schemaFiles: readonly string[] = ['schema.yaml', 'schema.json'];

/** Records of the first version list it. */
export const isSchemaFile = (path: string) => schemaFiles.includes(path);

/** In the order of their paths, which is the same on every system. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : 1;
}
