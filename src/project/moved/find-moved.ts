import { posix } from 'node:path';
import type { Disk } from '../disk.ts';
import { formerBases } from '../plan/former-bases.ts';
import type { Project } from '../read-project.ts';
import { type Code, readCode } from './code.ts';
import { listCode } from './list-code.ts';

/**
 * Files that are not where they were recorded, and plainly are elsewhere: old path → new path. Where one file may be
 * two, or two may be one, none is meant.
 */
export function findMoved(project: Project, disk: Disk): ReadonlyMap<string, string> {
  const { files } = project.record;
  const recorded = Object.entries(files).flatMap(([path, it]) =>
    it.kind === 'ts' && it.state === undefined ? [{ path, recorded: it }] : [],
  );
  const missing = new Set(recorded.flatMap(({ path }) => (disk(path) ? [] : [path])));
  if (missing.size === 0) return new Map();
  const present = readPresent(project, disk);
  const baseOf = formerBases(project, disk);
  const made = recorded.map((it) =>
    readCode(it.path, baseOf(it) ?? '', (path) => Object.hasOwn(files, path)),
  );
  const pairs = made
    .filter(({ path }) => missing.has(path))
    .flatMap((was) =>
      [...present.values()]
        .filter((is) => !Object.hasOwn(files, is.path) && isSame(was, is, { made, present }))
        .map((is) => [was.path, is.path] as const),
    );
  const isAlone = (at: 0 | 1, path: string) => pairs.filter((it) => it[at] === path).length === 1;
  return new Map(pairs.filter(([from, to]) => isAlone(0, from) && isAlone(1, to)));
}

/** All code of the project, by path. */
function readPresent({ folder }: Project, disk: Disk): ReadonlyMap<string, Code> {
  const isThere = (path: string) => disk(path)?.kind === 'text';
  return new Map(
    listCode(folder).flatMap((path) => {
      const found = disk(path);
      return found?.kind === 'text' ? [[path, readCode(path, found.text, isThere)] as const] : [];
    }),
  );
}

interface Neighbours {
  /** What was emitted last. */
  readonly made: readonly Code[];
  readonly present: ReadonlyMap<string, Code>;
}

/**
 * It gives all that it gave; where it gives nothing it has its name; most of its words are there; and its neighbours
 * that are where they were know it: a copy that somebody made into a file of their own is known to others.
 */
function isSame(was: Code, is: Code, { made, present }: Neighbours): boolean {
  if (!isKnownAs(was, is)) return false;
  const used = was.imports.filter((path) => present.has(path));
  const users = made.flatMap(({ path, imports }) =>
    imports.includes(was.path) ? (present.get(path) ?? []) : [],
  );
  return (
    used.filter((path) => is.imports.includes(path)).length * 2 >= used.length &&
    (users.length === 0 || users.some(({ imports }) => imports.includes(is.path))) &&
    shareOf(was.words, is.words) > 0.5
  );
}

function isKnownAs(was: Code, is: Code): boolean {
  if (was.exports.size > 0) return [...was.exports].every((name) => is.exports.has(name));
  return is.exports.size === 0 && posix.basename(was.path) === posix.basename(is.path);
}

/** How much of one text another one has. */
function shareOf(words: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  const found = words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return found.length / Math.max(1, words.length);
}
