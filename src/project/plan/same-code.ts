import { wordsOf } from '../../words.ts';
import { posix } from 'node:path';
import { sharedCount } from '../../merge/text.ts';
import { exportedNames } from '../../merge/exported-names.ts';
import { type Alias, importedBy, type IsThere, replaceImports } from '../imports.ts';

export interface Neighbours {
  /** What was emitted last. */
  readonly made: readonly CodeFile[];
  readonly present: ReadonlyMap<string, CodeFile>;
}

/** It has most of the exports, or the same name if there were none, and most of the words. */
export function isAlike(was: CodeFile, is: CodeFile): boolean {
  return isKnownAs(was, is) && isMostIn(wordsOf(was.text), wordsOf(is.text));
}

/**
 * It is beside most of the files that it imported, and beside one that imported it, wherever these are now. A copy that
 * somebody turned into another file has the former, but no importer. Files without neighbours are ambiguous, and copies
 * whose neighbours were copied too are ignored.
 */
export function isAtHome(
  { was, is }: CodePair,
  pairs: readonly CodePair[],
  { made, present }: Neighbours,
) {
  const placesOf = (path: string) => [
    ...(present.has(path) ? [path] : []),
    ...pairs.filter((it) => it.was.path === path).map((it) => it.is.path),
  ];
  const isBeside = ({ path }: CodeFile) => placesOf(path).some((it) => is.imports.includes(it));
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

export function isKnownAs(was: CodeFile, is: CodeFile): boolean {
  if (was.exports.length > 0) return isMostIn(was.exports, is.exports);
  return is.exports.length === 0 && posix.basename(was.path) === posix.basename(is.path);
}

export function isMostIn(some: readonly string[], others: readonly string[]): boolean {
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
    isBarrel: /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*['"]/m.test(text),
  };
}

export interface CodePair {
  readonly was: CodeFile;
  readonly is: CodeFile;
}
