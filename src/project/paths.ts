import { digest } from '../digest.ts';
import { toUnixLines } from '../merge/line-endings.ts';
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
  return digest(toUnixLines(text));
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
