import { exitCode, UserError } from '../../errors.ts';
import { hasText, readText, type Texts } from '../disk.ts';
import { readAliases } from '../imports.ts';
import { listCode } from '../list-code.ts';
import { basePath, hashText } from '../paths.ts';
import type { Doubt } from '../questions.ts';
import type { Project } from '../read-project.ts';
import { readFormerBases, relocate } from './match-record.ts';
import {
  type CodeOfRuns,
  isSameCode,
  isBesideNeighbours,
  hasSameExports,
  areMostlyIn,
  type CodeFile,
  type CodePair,
  readCode,
} from './same-code.ts';
import type { BaseOf } from './outcome.ts';

/** A project whose record has each file at its present path. */
export interface FollowedProject extends Project {
  readonly baseOf: BaseOf;
  /** Missing files that the owner may have moved or deleted. */
  readonly doubts: readonly Doubt[];
  /** Old paths of files that the owner has moved since the last run, by their new ones. */
  readonly cameFrom: ReadonlyMap<string, string>;
  /** New texts of bases, by the paths of the bases; undefined removes one. */
  readonly bases: Texts;
}

/** Follows files that the owner has moved. `given`: new paths from `--moved`, by old path. */
export function followMoved(
  project: Project,
  baseOf: BaseOf,
  given?: ReadonlyMap<string, string>,
): FollowedProject {
  const { moved, doubts } = detectMoves(project, baseOf, given);
  if (moved.size === 0) return { ...project, baseOf, doubts, cameFrom: moved, bases: new Map() };
  const { files } = project.record;
  const paths = new Map(Object.keys(files).map((path) => [path, moved.get(path) ?? path]));
  const followed = Object.entries(files).map(([path, recorded]) => {
    const newPath = moved.get(path) ?? path;
    const content = recorded.kind === 'ts' ? baseOf({ path, recorded }) : undefined;
    const base = content === undefined ? undefined : relocate({ path, content }, paths);
    if (base === undefined || (base === content && newPath === path)) return { newPath, recorded };
    const { home = path, ...rest } = recorded;
    const movedEntry = { ...rest, base: hashText(base), ...(home !== newPath && { home }) };
    return { newPath, base, recorded: movedEntry };
  });
  const movedFiles = Object.fromEntries(followed.map((it) => [it.newPath, it.recorded]));
  const bases = new Map([
    ...[...moved.keys()].map((path) => [basePath(path), undefined] as const),
    ...followed.flatMap(({ newPath, base }) =>
      base === undefined ? [] : [[basePath(newPath), base] as const],
    ),
  ]);
  const there = { ...project, record: { ...project.record, files: movedFiles } };
  return {
    ...there,
    baseOf: readFormerBases(there, bases),
    doubts,
    cameFrom: new Map([...moved].map(([from, to]) => [to, from])),
    bases,
  };
}

/** Finds missing files that have certainly been moved. `moved`: new paths by old ones. */
function detectMoves(
  project: Project,
  baseOf: BaseOf,
  given: ReadonlyMap<string, string> = new Map(),
): { readonly moved: ReadonlyMap<string, string>; readonly doubts: readonly Doubt[] } {
  const { files } = project.record;
  const recorded = Object.entries(files).flatMap(([path, it]) =>
    it.kind === 'ts' ? [{ path, recorded: it }] : [],
  );
  const gone = recorded.filter((it) => it.recorded.state === undefined && !project.disk(it.path));
  const missing = new Set(gone.map(({ path }) => path));
  refuseUnknownMoves(given, missing, project);
  if (missing.size === 0) return { moved: new Map(), doubts: [] };
  const present = readProjectCode(project);
  const former = recorded.map((it) =>
    readCode(it.path, baseOf(it) ?? '', (path) => Object.hasOwn(files, path)),
  );
  const own = [...present.values()].filter(({ path }) => !Object.hasOwn(files, path));
  const lost = former.filter(({ path }) => missing.has(path));
  const alike = lost.flatMap((was) => {
    const there = given.get(was.path);
    return own
      .filter((is) => (there === undefined ? isSameCode(was, is) : is.path === there))
      .map((is) => ({ was, is }));
  });
  const sure = keepCertainMoves(alike, { former, present });
  const pairs = alike.filter((pair) => given.has(pair.was.path) || sure.includes(pair));
  const moved = new Map(pairs.map(({ was, is }) => [was.path, is.path]));
  const doubts = lost
    .filter(({ path }) => !moved.has(path))
    .flatMap((was) => findDoubt(was, { former, present }, own) ?? []);
  return { moved, doubts };
}

/** A missing file is in doubt if most of its exports are in other files. `own`: files that the owner made. */
function findDoubt(
  was: CodeFile,
  { former, present }: CodeOfRuns,
  own: readonly CodeFile[],
): Doubt | undefined {
  if (was.exports.length === 0) return undefined;
  const paths = [...present.values()].filter((is) => {
    const before = former.find(({ path }) => path === is.path)?.exports;
    return is.exports.some((name) => was.exports.includes(name) && !before?.includes(name));
  });
  const found = paths.flatMap(({ exports }) => exports);
  if (!areMostlyIn(was.exports, found)) return undefined;
  const candidates = own.filter((is) => hasSameExports(was, is)).map(({ path }) => path);
  return { path: was.path, candidates, paths: paths.map(({ path }) => path) };
}

function refuseUnknownMoves(
  given: ReadonlyMap<string, string>,
  missing: ReadonlySet<string>,
  { record: { files }, disk }: Project,
): void {
  for (const [from, to] of given) {
    const isOwn = readText(disk, to) !== undefined && !Object.hasOwn(files, to);
    if (missing.has(from) && isOwn) continue;
    const message = `\`--moved ${from}=${to}\` does not name a file that was moved.`;
    throw new UserError('SCF516', message, {
      exit: exitCode.usage,
      help: missing.has(from)
        ? `\`${to}\` must be a file of your own.`
        : `\`${from}\` must be a file that scaffold made and that is gone.`,
    });
  }
}

/** Moves support each other, so after one is dropped the others are checked again. */
function keepCertainMoves(pairs: readonly CodePair[], code: CodeOfRuns): readonly CodePair[] {
  const held = pairs.filter((pair) => isBesideNeighbours(pair, pairs, code));
  const alone = held.filter(
    ({ was, is }) => held.filter((it) => it.was === was || it.is === is).length === 1,
  );
  const sure = held.length < pairs.length ? held : alone;
  return sure.length < pairs.length ? keepCertainMoves(sure, code) : sure;
}

function readProjectCode({ folder, disk }: Project): ReadonlyMap<string, CodeFile> {
  const isThere = hasText(disk);
  const aliases = readAliases(disk);
  const code = new Map(
    listCode(folder)
      .filter(isThere)
      .map((path) => [path, readCode(path, readText(disk, path) ?? '', isThere, aliases)]),
  );
  return new Map([...code].map(([path, it]) => [path, withBarrelImports(it, code)]));
}

/** An import of a barrel counts as an import of the files behind it. */
function withBarrelImports(it: CodeFile, code: ReadonlyMap<string, CodeFile>): CodeFile {
  const reached = new Set(it.imports);
  // Iterating over a Set also visits what the loop adds.
  for (const path of reached) {
    const found = code.get(path);
    if (found?.isBarrel) for (const behind of found.imports) reached.add(behind);
  }
  reached.delete(it.path);
  return { ...it, imports: [...reached] };
}
