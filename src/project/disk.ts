import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../errors.ts';
import type { Mode } from '../render/rendered-file.ts';
import { isSafePath } from './paths.ts';

/** `what` completes a sentence: `it is a symbolic link`. `path`: the obstacle's own path, or that of a folder above. */
type OnDisk =
  TextFile | { readonly kind: 'obstacle'; readonly path: string; readonly what: string };

export interface TextFile {
  readonly kind: 'text';
  readonly text: string;
  readonly mode: Mode;
  readonly isReadOnly: boolean;
}

/** By path below the project. Undefined means that there is no file. */
export type Texts = ReadonlyMap<string, string | undefined>;

/** Reads files of a project, each only once; undefined if there is no file. */
export type Disk = (path: string) => OnDisk | undefined;

export function openDisk(folder: string): Disk {
  const folders = new Set<string>();
  const files = new Map<string, OnDisk | undefined>();
  return (path) => {
    if (!files.has(path)) files.set(path, look(folder, path, folders));
    return files.get(path);
  };
}

export const hasText = (disk: Disk) => (path: string) => disk(path)?.kind === 'text';

/** Undefined if there is no text file. */
export function readText(disk: Disk, path: string): string | undefined {
  const found = disk(path);
  return found?.kind === 'text' ? found.text : undefined;
}

/** Throws if something else is in the way. */
export function readOrRefuse(disk: Disk, path: string): TextFile | undefined {
  const found = disk(path);
  if (found?.kind === 'obstacle') throw cannotWrite(path, found.what);
  return found;
}

export function cannotWrite(path: string, what: string): UserError {
  return new UserError('SCF513', `\`${path}\` cannot be written: ${what}.`, {
    exit: exitCode.environment,
    help: 'Move it, or make it a plain writable file; then run the command again.',
  });
}

function look(folder: string, path: string, folders: Set<string>): OnDisk | undefined {
  const obstacle = (what: string, at = path) => ({ kind: 'obstacle', path: at, what }) as const;
  if (!isSafePath(path)) return obstacle('it is outside the project');
  const parts = path.split('/');
  for (let end = 1; end < parts.length; end += 1) {
    const above = parts.slice(0, end).join('/');
    if (folders.has(above)) continue;
    const found = lstatSync(join(folder, above), { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isDirectory()) return obstacle(`\`${above}\` is ${describeKind(found)}`, above);
    folders.add(above);
  }
  const file = join(folder, path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) return obstacle(`it is ${describeKind(found)}`);
  try {
    // A byte-order mark is part of the text.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(readFileSync(file));
    const mode = (found.mode & 0o111) === 0 ? '644' : '755';
    return { kind: 'text', text, mode, isReadOnly: (found.mode & 0o222) === 0 };
  } catch (error) {
    return obstacle(error instanceof TypeError ? 'it is not UTF-8 text' : 'it cannot be read');
  }
}

function describeKind(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isDirectory()) return 'a folder';
  return found.isFile() ? 'a file' : 'not a plain file';
}
