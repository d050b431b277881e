import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readAliases } from '../aliases.ts';
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
    it.kind === 'ts' ? [{ path, recorded: it }] : [],
  );
  const isGone = (path: string) =>
    !lstatSync(join(project.folder, path), { throwIfNoEntry: false });
  const missing = new Set(
    recorded.flatMap(({ path, recorded: { state } }) =>
      state === undefined && isGone(path) ? [path] : [],
    ),
  );
  if (missing.size === 0) return new Map();
  const present = readPresent(project, disk);
  const baseOf = formerBases(project, disk);
  const made = recorded.map((it) =>
    readCode(it.path, baseOf(it) ?? '', { isThere: (path) => Object.hasOwn(files, path) }),
  );
  const alike = made
    .filter(({ path }) => missing.has(path))
    .flatMap((was) =>
      [...present.values()]
        .filter((is) => !Object.hasOwn(files, is.path) && isAlike(was, is))
        .map((is) => ({ was, is })),
    );
  return new Map(findSure(alike, { made, present }).map(({ was, is }) => [was.path, is.path]));
}

interface Pair {
  readonly was: Code;
  readonly is: Code;
}

/** One guess leans on others: with each that falls they are asked again. */
function findSure(pairs: readonly Pair[], code: Neighbours): readonly Pair[] {
  const held = pairs.filter((pair) => isAtHome(pair, pairs, code));
  const sure = held.length < pairs.length ? held : held.filter((pair) => isAlone(pair, held));
  return sure.length < pairs.length ? findSure(sure, code) : sure;
}

function isAlone({ was, is }: Pair, pairs: readonly Pair[]): boolean {
  return pairs.filter((it) => it.was === was || it.is === is).length === 1;
}

/** All code of the project, by path. */
function readPresent({ folder }: Project, disk: Disk): ReadonlyMap<string, Code> {
  const isThere = (path: string) => disk(path)?.kind === 'text';
  const aliases = readAliases(disk);
  const code = new Map(
    listCode(folder).flatMap((path) => {
      const found = disk(path);
      return found?.kind === 'text'
        ? [[path, readCode(path, found.text, { isThere, aliases })] as const]
        : [];
    }),
  );
  return new Map([...code].map(([path, it]) => [path, throughBarrels(it, code)]));
}

/** Whoever imports a file that has nothing of its own imports what that one hands on. */
function throughBarrels(it: Code, code: ReadonlyMap<string, Code>): Code {
  const reached = new Set(it.imports);
  // A set goes on to what is added on the way.
  for (const path of reached) {
    const found = code.get(path);
    if (found?.isBarrel) for (const behind of found.imports) reached.add(behind);
  }
  reached.delete(it.path);
  return { ...it, imports: [...reached] };
}

interface Neighbours {
  /** What was emitted last. */
  readonly made: readonly Code[];
  readonly present: ReadonlyMap<string, Code>;
}

/** It gives most of what it gave, or has its name where that was nothing; and most of its words are there. */
function isAlike(was: Code, is: Code): boolean {
  return isKnownAs(was, is) && isMostIn(was.words, is.words);
}

/**
 * It lives with most of the files that it used, and with one that used it, wherever these are now. All but the last may
 * be so of a copy that somebody made, and made another file of; what never had a neighbour may be anybody's; and a copy
 * among copies is none of ours.
 */
function isAtHome({ was, is }: Pair, pairs: readonly Pair[], { made, present }: Neighbours) {
  const placesOf = (path: string) => [
    ...(present.has(path) ? [path] : []),
    ...pairs.filter((it) => it.was.path === path).map((it) => it.is.path),
  ];
  const isBeside = ({ path }: Code) => placesOf(path).some((it) => is.imports.includes(it));
  const used = made.filter(({ path }) => was.imports.includes(path) && placesOf(path).length > 0);
  const lost = used.filter((it) => !isBeside(it));
  const others = is.imports.flatMap((path) => present.get(path) ?? []);
  if (lost.some((it) => others.some((other) => isAlike(it, other)))) return false;
  const users = made.filter(({ imports }) => imports.includes(was.path));
  const isUsed = users
    .flatMap(({ path }) => placesOf(path))
    .some((path) => present.get(path)?.imports.includes(is.path));
  const areUsed = used.length === 0 || lost.length * 2 < used.length;
  return areUsed && (users.length === 0 ? used.length > 0 : isUsed);
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
