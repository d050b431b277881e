import { readFileSync, statSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '../digest.ts';
import { exitCode, UserError } from '../errors.ts';
import { normalizeLineEndings } from '../merge/line-endings.ts';
import type { RenderedFile } from '../render/rendered-file.ts';

/** Files of `.scaffold/`, below the root of the project. */
export const recordPath = '.scaffold/lock.json';
export const snapshotPath = '.scaffold/schema.json';
export const conflictsPath = '.scaffold/conflicts.json';

/** The working files of a run, and what `--undo` needs. Git ignores both. */
export const runFolder = '.scaffold/run';
export const undoFolder = '.scaffold/undo';

/**
 * Whether a path names a plain file inside the project, outside of `.git`. The same on every system, so that a record
 * made on one is safe on another.
 */
export function isSafePath(path: string): boolean {
  return path.length > 0 && path.split('/').every(isSafePart);
}

function isSafePart(part: string): boolean {
  return !/^\.{0,2}$|^\.git$|[\\:*?"<>|\p{Cc}]|[. ]$/iu.test(part) && !reservedOnWindows.test(part);
}

const reservedOnWindows = /^(?:aux|con|nul|prn|(?:com|lpt)\d)(?:\..*)?$/i;

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

/** The path of a file's base: the exact text that the last run emitted. */
export function basePath(path: string): string {
  return `.scaffold/base/${path}.base`;
}

/** The path of the next base of a file in conflict, used once that is resolved. */
export function nextBasePath(path: string): string {
  return `.scaffold/base/${path}.next`;
}

/** The hash of a text, the same for any line endings. */
export function hashText(text: string): string {
  return digest(normalizeLineEndings(text));
}

/** Whether a path is below `.scaffold/`. */
export function isBelowScaffold(path: string): boolean {
  return path.startsWith('.scaffold/');
}

/** Whether a path is that of a migration, or of the program that applies migrations. */
export function isHistory(path: string): boolean {
  return path.startsWith('migrations/');
}

/** The id of the migration if the path is that of an `up.sql`. */
export function migrationAt(path: string): string | undefined {
  return /^migrations\/([^/]+)\/up\.sql$/.exec(path)?.[1];
}

/** Files that people may edit or move, without the schema. */
export function trackedFiles(rendered: readonly RenderedFile[]): readonly RenderedFile[] {
  return rendered.filter((it) => !isBelowScaffold(it.path) && !isSchemaFile(it.path));
}

export const schemaFiles: readonly string[] = ['schema.yaml', 'schema.json'];

/** Records of the first version list the schema. */
export const isSchemaFile = (path: string) => schemaFiles.includes(path);

/** Compares paths in an order that is the same on every system. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : 1;
}
