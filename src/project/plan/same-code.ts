import { listWords } from '../../words.ts';
import { posix } from 'node:path';
import { sharedCount } from '../../merge/text.ts';
import { exportedNames, linksIn } from '../../merge/modules.ts';
import { type Alias, importedBy, type IsThere, replaceImports } from '../imports.ts';

export interface CodeOfRuns {
  /** As the last run emitted it. */
  readonly former: readonly CodeFile[];
  readonly present: ReadonlyMap<string, CodeFile>;
}

/** Whether a file has the same exports as a former one, and most of its words. */
export function isSameCode(was: CodeFile, is: CodeFile): boolean {
  return hasSameExports(was, is) && areMostlyIn(listWords(was.text), listWords(is.text));
}

/**
 * Whether a file still imports most of the files that the former one imported, and a former importer still imports it.
 * A copy that became another file has the imports but no importer. False for files without imports and importers, and
 * for copies that were made together with their neighbours.
 */
export function isBesideNeighbours(
  { was, is }: CodePair,
  pairs: readonly CodePair[],
  { former, present }: CodeOfRuns,
) {
  const listFormerPaths = (path: string) => [
    ...(present.has(path) ? [path] : []),
    ...pairs.filter((it) => it.was.path === path).map((it) => it.is.path),
  ];
  const isBeside = ({ path }: CodeFile) =>
    listFormerPaths(path).some((it) => is.imports.includes(it));
  const used = former.filter(
    ({ path }) => was.imports.includes(path) && listFormerPaths(path).length > 0,
  );
  const lost = used.filter((it) => !isBeside(it));
  const others = is.imports.flatMap((path) => present.get(path) ?? []);
  if (lost.some((it) => others.some((other) => isSameCode(it, other)))) return false;
  const users = former.filter(({ imports }) => imports.includes(was.path));
  const isUsed = users
    .flatMap(({ path }) => listFormerPaths(path))
    .some((path) => present.get(path)?.imports.includes(is.path));
  const areUsed = used.length === 0 || lost.length * 2 < used.length;
  return areUsed && (users.length === 0 ? used.length > 0 : isUsed);
}

/** Whether a file has most exports of a former one; without exports, whether it has the same file name. */
export function hasSameExports(was: CodeFile, is: CodeFile): boolean {
  if (was.exports.length > 0) return areMostlyIn(was.exports, is.exports);
  return is.exports.length === 0 && posix.basename(was.path) === posix.basename(is.path);
}

export function areMostlyIn(some: readonly string[], others: readonly string[]): boolean {
  return some.length === 0 || sharedCount(some, others) * 2 > some.length;
}

/** A file of code and its relations to others. */
export interface CodeFile {
  readonly path: string;
  readonly exports: readonly string[];
  /** Files that it imports. */
  readonly imports: readonly string[];
  /** Without its imports. */
  readonly text: string;
  /** Whether it exports what others do. */
  readonly isBarrel: boolean;
}

export function readCode(
  path: string,
  text: string,
  isThere: IsThere,
  aliases: readonly Alias[] = [],
): CodeFile {
  return {
    path,
    exports: [...exportedNames(text)],
    imports: importedBy(path, text, isThere, aliases),
    text: replaceImports(text, () => ''),
    isBarrel: linksIn(text).some(({ isExport }) => isExport),
  };
}

export interface CodePair {
  readonly was: CodeFile;
  readonly is: CodeFile;
}
