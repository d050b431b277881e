import { posix } from 'node:path';
import { type Alias, pathsBehind } from './aliases.ts';

/** Whether a file is, or will be, at a path. */
export type IsThere = (path: string) => boolean;

/** In quotes, and beginning with `./` or `../`: whatever it is, it is one only when a file is there. */
const relativePath = /(['"])(\.\.?\/[^'"\n]+)\1/g;

/** A text with other paths for its relative ones. */
export function replaceImports(text: string, replace: (specifier: string) => string): string {
  return text.replace(
    relativePath,
    (_, quote: string, specifier: string) => `${quote}${replace(specifier)}${quote}`,
  );
}

/** The files that a text leads to, by relative paths and by the names that the project gave to its own. */
export function importedBy(
  importer: string,
  text: string,
  isThere: IsThere,
  aliases: readonly Alias[] = [],
): readonly string[] {
  const form = aliases.length === 0 ? relativePath : anyText;
  return [...text.matchAll(form)].flatMap(([, , specifier = '']) => {
    const paths = isRelative(specifier)
      ? [posix.join(posix.dirname(importer), specifier)]
      : pathsBehind(specifier, aliases);
    return paths.flatMap((path) => findFile(path, isThere) ?? []).slice(0, 1);
  });
}

const anyText = /(['"])([^'"\n]+)\1/g;

const isRelative = (specifier: string) => /^\.\.?\//.test(specifier);

/** The file that an import of this path means. */
export function findFile(path: string, isThere: IsThere): string | undefined {
  return endings
    .filter(([written]) => path.endsWith(written))
    .map(([written, real]) => path.slice(0, path.length - written.length) + real)
    .find(isThere);
}

/** How the end of a file's name may be written in an import. */
const endings = [
  ['', ''],
  ['.js', '.ts'],
  ['', '.ts'],
  ['', '/index.ts'],
] as const;

/** A path as a file at another one imports it. */
export function wayTo(path: string, importer: string): string {
  const way = posix.relative(posix.dirname(importer), path);
  return way.startsWith('.') ? way : `./${way}`;
}
