import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
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
  const isGone = (path: string) =>
    !lstatSync(join(project.folder, path), { throwIfNoEntry: false });
  const missing = new Set(recorded.map(({ path }) => path).filter(isGone));
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
 * It gives most of what it gave, or has its name where that was nothing; most of its words are there; and it lives with
 * most of the files that it used, and with one that used it. All but the last may be so of a copy that somebody made,
 * and made another file of.
 */
function isSame(was: Code, is: Code, { made, present }: Neighbours): boolean {
  if (!isKnownAs(was, is)) return false;
  const used = was.imports.filter((path) => present.has(path));
  const users = made.flatMap(({ path, imports }) =>
    imports.includes(was.path) ? (present.get(path) ?? []) : [],
  );
  return (
    isMostIn(was.words, is.words) &&
    isMostIn(used, is.imports) &&
    (users.length === 0 || users.some(({ imports }) => imports.includes(is.path)))
  );
}

function isKnownAs(was: Code, is: Code): boolean {
  if (was.exports.length > 0) return isMostIn(was.exports, is.exports);
  return is.exports.length === 0 && posix.basename(was.path) === posix.basename(is.path);
}

function isMostIn(some: readonly string[], others: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  const found = some.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return some.length === 0 || found.length * 2 > some.length;
}
