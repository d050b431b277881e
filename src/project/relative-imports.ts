import { posix } from 'node:path';

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

/** The files that a text leads to. */
export function importedBy(importer: string, text: string, isThere: IsThere): readonly string[] {
  return [...text.matchAll(relativePath)].flatMap(([, , specifier = '']) => {
    const found = findFile(posix.join(posix.dirname(importer), specifier), isThere);
    return found ?? [];
  });
}

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
