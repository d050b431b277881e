import { readOpenConflicts } from '../../../src/project/open-conflicts.ts';
import { recordPath } from '../../../src/project/paths.ts';
import { readRecord } from '../../../src/project/record.ts';
import { diskTree } from './edit.ts';

export interface OwnLine {
  readonly path: string;
  /** Without what a formatter changes. */
  readonly line: string;
}

/** Lines of a project that were not made; those of a word or two may be anybody's. */
export function ownLines(folder: string, made: ReadonlyMap<string, string>): readonly OwnLine[] {
  const tree = diskTree(folder);
  return tree.paths().flatMap((path) => {
    const base = new Set((made.get(path) ?? '').split('\n').map(squeeze));
    const lines = path.startsWith('.scaffold/') ? [] : tree.read(path).split('\n').map(squeeze);
    return lines
      .filter((line) => line.length > 12 && !base.has(line) && !line.startsWith('import{'))
      .map((line) => ({ path, line }));
  });
}

/**
 * Those that have neither an effect nor an open conflict after a run: not in a file that is used, and not between markers.
 * A conflict in a file that is gone has to name a place that exists.
 */
export function lostLines(folder: string, own: readonly OwnLine[]): readonly OwnLine[] {
  const tree = diskTree(folder);
  const record = readRecord(tree.read(recordPath));
  const paths = tree.paths();
  const open = readOpenConflicts(folder, record).filter(
    ({ kind, now = [] }) =>
      kind !== 'gone' || (now.length > 0 && now.every((place) => paths.includes(place))),
  );
  const dead = new Set([
    ...open.flatMap(({ kind, path }) => (kind === 'gone' ? [path] : [])),
    ...Object.entries(record.files).flatMap(([path, { state }]) =>
      state === 'ejected' ? [path] : [],
    ),
  ]);
  const live = paths.filter((path) => !path.startsWith('.scaffold/') && !dead.has(path));
  const seen = [
    ...live.map((path) => tree.read(path)),
    ...open.flatMap(({ conflicts }) => conflicts.map(({ ours }) => ours)),
  ]
    .map(squeeze)
    .join('\n');
  return own.filter(({ line }) => !seen.includes(line));
}

function squeeze(text: string): string {
  return text.replace(/[\s,;]/g, '');
}
