import { parseJson } from '../json.ts';
import { posix } from 'node:path';
import { type Disk, readText } from './disk.ts';

/** A project's alias for its own paths: `#core/*` is `src/core/*.ts`, below the project. */
export interface Alias {
  readonly name: string;
  readonly path: string;
}

/** The aliases in `imports` of package.json, and in `paths` of tsconfig.json. */
export function readAliases(disk: Disk): readonly Alias[] {
  const { imports } = member(readJson(disk, 'package.json'));
  const { compilerOptions } = member(readJson(disk, 'tsconfig.json'));
  const { paths, baseUrl } = member(compilerOptions);
  const base = typeof baseUrl === 'string' ? baseUrl : '.';
  // A later target may be a package.
  const own = aliasesIn(imports, '.').filter(({ target }) => target.startsWith('./'));
  return [...own, ...aliasesIn(paths, base)].map(({ name, target, base: from }) => ({
    name,
    path: posix.join(from, target),
  }));
}

export const isRelative = (specifier: string) => /^\.\.?\//.test(specifier);

/** The path that a relative import means. */
export function resolveImport(specifier: string, importer: string): string {
  return posix.join(posix.dirname(importer), specifier);
}

/** The paths in the project that an import may mean. */
export function targetsOf(
  specifier: string,
  importer: string,
  aliases: readonly Alias[],
): readonly string[] {
  if (isRelative(specifier)) return [resolveImport(specifier, importer)];
  return aliases.flatMap(({ name, path }) => rewrite(specifier, name, path) ?? []);
}

/** How a path is imported by an alias. */
export function findAliasedPath(path: string, alias: Alias): string | undefined {
  return rewrite(path, alias.path, alias.name);
}

/** The text with the part matched by `*` in one pattern put into the other. */
function rewrite(text: string, pattern: string, other: string): string | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return text === pattern ? other.replace('*', '') : undefined;
  const isLong = text.length >= before.length + after.length;
  if (!isLong || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  return other.replace('*', () => text.slice(before.length, text.length - after.length));
}

function aliasesIn(table: unknown, base: string) {
  return Object.entries(member(table)).flatMap(([name, target]) =>
    name === '*' ? [] : textsIn(target).map((text) => ({ name, target: text, base })),
  );
}

/** A target may depend on conditions: any of them may be meant. */
function textsIn(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  return Object.values(member(target)).flatMap(textsIn);
}

function member(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(value)));
}

/** People write these files, and comments in them. */
function readJson(disk: Disk, path: string): unknown {
  const strings = /"(?:[^"\\\n]|\\.)*"/;
  const bare = (readText(disk, path) ?? '')
    .replace(/^\uFEFF/, '')
    .replace(new RegExp(`(${strings.source})|//[^\\n]*|/\\*[^]*?\\*/`, 'g'), '$1')
    .replace(new RegExp(`(${strings.source})|,(?=\\s*[}\\]])`, 'g'), '$1');
  return parseJson(bare);
}

/** Whether a file is, or will be, at a path. */
export type IsThere = (path: string) => boolean;

/** Any quoted text that begins with `./` or `../`; it counts only if there is such a file. */
const relativePath = /(['"])(\.\.?\/[^'"\n]+)\1/g;

/** A text with other paths for its relative ones. */
export function replaceImports(text: string, replace: (specifier: string) => string): string {
  return text.replace(
    relativePath,
    (_, quote: string, specifier: string) => `${quote}${replace(specifier)}${quote}`,
  );
}

/** The files that a text imports, by relative paths and by aliases. */
export function importedBy(
  importer: string,
  text: string,
  isThere: IsThere,
  aliases: readonly Alias[] = [],
): readonly string[] {
  const form = aliases.length === 0 ? relativePath : anyText;
  return [...text.matchAll(form)].flatMap(
    ([, , specifier = '']) => findImported(targetsOf(specifier, importer, aliases), isThere) ?? [],
  );
}

/** A text with relative paths in place of aliases. */
export function withoutAliases(
  { path, text }: { readonly path: string; readonly text: string },
  aliases: readonly Alias[],
  isThere: IsThere,
): string {
  if (aliases.length === 0) return text;
  return text.replace(anyText, (whole, quote: string, specifier: string) => {
    if (isRelative(specifier)) return whole;
    const found = findImported(targetsOf(specifier, path, aliases), isThere);
    return found === undefined ? whole : `${quote}${relativeImport(found, path)}${quote}`;
  });
}

const anyText = /(['"])([^'"\n]+)\1/g;

/** The first file that exists at one of these paths. */
export function findImported(paths: readonly string[], isThere: IsThere): string | undefined {
  return paths.flatMap((path) => findFile(path, isThere) ?? [])[0];
}

/** The file that an import of this path means. */
export function findFile(path: string, isThere: IsThere): string | undefined {
  return filesMeant(path).find(({ file }) => isThere(file))?.file;
}

/** The files that an import of this path may mean, and how a file elsewhere is written in the same way. */
export function filesMeant(path: string) {
  return endings
    .filter(([written]) => path.endsWith(written))
    .map(([written, real]) => ({
      file: path.slice(0, path.length - written.length) + real,
      spell: (other: string) => other.slice(0, other.length - real.length) + written,
    }));
}

/** Extensions in imports, and the extensions of files that they stand for. */
const endings = [
  ['', ''],
  ['.js', '.ts'],
  ['', '.ts'],
  ['', '/index.ts'],
] as const;

/** A path as a file at another one imports it. */
export function relativeImport(path: string, importer: string): string {
  const way = posix.relative(posix.dirname(importer), path);
  return way.startsWith('.') ? way : `./${way}`;
}
