import { parseJson } from '../json.ts';
import { posix } from 'node:path';
import { type Disk, readText } from './disk.ts';

/** An alias for paths of the project: `#core/*` stands for `src/core/*.ts`. */
export interface Alias {
  readonly name: string;
  readonly path: string;
}

/** Reads `imports` of package.json and `paths` of tsconfig.json. */
export function readAliases(disk: Disk): readonly Alias[] {
  const { imports } = readObject(readJsonFile(disk, 'package.json'));
  const { compilerOptions } = readObject(readJsonFile(disk, 'tsconfig.json'));
  const { paths, baseUrl } = readObject(compilerOptions);
  const base = typeof baseUrl === 'string' ? baseUrl : '.';
  // Leaves out targets that are packages.
  const own = aliasesIn(imports, '.').filter(({ target }) => target.startsWith('./'));
  return [...own, ...aliasesIn(paths, base)].map(({ name, target, base: from }) => ({
    name,
    path: posix.join(from, target),
  }));
}

export const isRelative = (specifier: string) => /^\.\.?\//.test(specifier);

/** The path that a relative import leads to. */
export function resolveImport(specifier: string, importer: string): string {
  return posix.join(posix.dirname(importer), specifier);
}

/** The paths in the project that an import may lead to. */
export function resolveSpecifier(
  specifier: string,
  importer: string,
  aliases: readonly Alias[],
): readonly string[] {
  if (isRelative(specifier)) return [resolveImport(specifier, importer)];
  return aliases.flatMap(({ name, path }) => mapByPattern(specifier, name, path) ?? []);
}

/** The specifier by which an alias leads to a path. */
export function findAliasedPath(path: string, alias: Alias): string | undefined {
  return mapByPattern(path, alias.path, alias.name);
}

/** Matches a text with one pattern, and puts what `*` matched into the other. */
function mapByPattern(text: string, pattern: string, other: string): string | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return text === pattern ? other.replace('*', '') : undefined;
  const isLong = text.length >= before.length + after.length;
  if (!isLong || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  return other.replace('*', () => text.slice(before.length, text.length - after.length));
}

function aliasesIn(table: unknown, base: string) {
  return Object.entries(readObject(table)).flatMap(([name, target]) =>
    name === '*' ? [] : textsIn(target).map((text) => ({ name, target: text, base })),
  );
}

/** A target may depend on conditions. Returns the targets of all of them. */
function textsIn(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  return Object.values(readObject(target)).flatMap(textsIn);
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(value)));
}

/** Allows comments, which people write into these files. */
function readJsonFile(disk: Disk, path: string): unknown {
  const strings = /"(?:[^"\\\n]|\\.)*"/;
  const bare = (readText(disk, path) ?? '')
    .replace(/^\uFEFF/, '')
    .replace(new RegExp(`(${strings.source})|//[^\\n]*|/\\*[^]*?\\*/`, 'g'), '$1')
    .replace(new RegExp(`(${strings.source})|,(?=\\s*[}\\]])`, 'g'), '$1');
  return parseJson(bare);
}

/** Whether there is, or will be, a file at a path. */
export type IsThere = (path: string) => boolean;

/** Any quoted text that begins with `./` or `../`. Callers ignore those that lead to no file. */
const relativePath = /(['"])(\.\.?\/[^'"\n]+)\1/g;

/** The quoted texts of a form, without their quotes: relative paths by default. */
export const quotedIn = (text: string, form = relativePath) =>
  [...text.matchAll(form)].map(([, , quoted = '']) => quoted);

/** Replaces the relative paths in a text. */
export function replaceImports(text: string, replace: (specifier: string) => string): string {
  return text.replace(
    relativePath,
    (_, quote: string, specifier: string) => `${quote}${replace(specifier)}${quote}`,
  );
}

/** The files that a text imports, by relative paths or aliases. */
export function importedBy(
  importer: string,
  text: string,
  isThere: IsThere,
  aliases: readonly Alias[] = [],
): readonly string[] {
  return quotedIn(text, aliases.length === 0 ? relativePath : anyText).flatMap(
    (specifier) => findImported(resolveSpecifier(specifier, importer, aliases), isThere) ?? [],
  );
}

export function withoutAliases(
  { path, text }: { readonly path: string; readonly text: string },
  aliases: readonly Alias[],
  isThere: IsThere,
): string {
  if (aliases.length === 0) return text;
  return text.replace(anyText, (whole, quote: string, specifier: string) => {
    if (isRelative(specifier)) return whole;
    const found = findImported(resolveSpecifier(specifier, path, aliases), isThere);
    return found === undefined ? whole : `${quote}${relativeImport(found, path)}${quote}`;
  });
}

const anyText = /(['"])([^'"\n]+)\1/g;

export function findImported(paths: readonly string[], isThere: IsThere): string | undefined {
  return paths.flatMap((path) => findFile(path, isThere) ?? [])[0];
}

/** The file that an import of a path leads to. */
export function findFile(path: string, isThere: IsThere): string | undefined {
  return resolveFiles(path).find(({ file }) => isThere(file))?.file;
}

/** The files that an import of a path may lead to, each with a function that writes another path in the same style. */
export function resolveFiles(path: string) {
  return endings
    .filter(([written]) => path.endsWith(written))
    .map(([written, real]) => ({
      file: path.slice(0, path.length - written.length) + real,
      spell: (other: string) => other.slice(0, other.length - real.length) + written,
    }));
}

/** Extensions in imports, and the extensions of the files that they stand for. */
const endings = [
  ['', ''],
  ['.js', '.ts'],
  ['', '.ts'],
  ['', '/index.ts'],
] as const;

/** The specifier by which one file imports another. */
export function relativeImport(path: string, importer: string): string {
  const way = posix.relative(posix.dirname(importer), path);
  return way.startsWith('.') ? way : `./${way}`;
}
