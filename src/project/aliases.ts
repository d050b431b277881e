import { posix } from 'node:path';
import type { Disk } from './disk.ts';
import { parseJson } from './paths.ts';

/** A name that a project gave to paths of its own: `#core/*` is `src/core/*.ts`. */
export interface Alias {
  /** What stands before and after the `*` in an import; of a name without one, the whole of it and nothing. */
  readonly name: readonly [before: string, after: string];
  /** The same of the path, below the project. */
  readonly path: readonly [before: string, after: string];
  readonly hasStar: boolean;
}

/** Those of `imports` in package.json, and of `paths` in tsconfig.json. */
export function readAliases(disk: Disk): readonly Alias[] {
  const { imports } = member(readJson(disk, 'package.json'));
  const { compilerOptions } = member(readJson(disk, 'tsconfig.json'));
  const { paths, baseUrl } = member(compilerOptions);
  const base = typeof baseUrl === 'string' ? baseUrl : '.';
  // A package may stand behind the first.
  const own = aliasesIn(imports, '.').filter(({ target }) => target.startsWith('./'));
  return [...own, ...aliasesIn(paths, base)].map(({ name, target, base: from }) => ({
    name: parts(name),
    path: parts(posix.join(from, target)),
    hasStar: name.includes('*'),
  }));
}

/** The paths that an import may mean, as far as they are of the project. */
export function pathsBehind(specifier: string, aliases: readonly Alias[]): readonly string[] {
  return aliases.flatMap((alias) => {
    const between = fill(specifier, alias.name, alias.hasStar);
    return between === undefined ? [] : alias.path.join(between);
  });
}

/** How a path is imported by an alias. */
export function nameOf(path: string, alias: Alias): string | undefined {
  const between = fill(path, alias.path, alias.hasStar);
  return between === undefined ? undefined : alias.name.join(between);
}

function fill(
  text: string,
  [before, after]: readonly [string, string],
  hasStar: boolean,
): string | undefined {
  if (!hasStar) return text === before ? '' : undefined;
  const isLong = text.length >= before.length + after.length;
  if (!isLong || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.slice(before.length, text.length - after.length);
}

function aliasesIn(table: unknown, base: string) {
  return Object.entries(member(table)).flatMap(([name, target]) =>
    name === '*' ? [] : textsIn(target).map((text) => ({ name, target: text, base })),
  );
}

function parts(text: string): readonly [string, string] {
  const at = text.indexOf('*');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** A target may depend on conditions: any of them may be meant. */
function textsIn(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  return Object.values(member(target)).flatMap(textsIn);
}

function member(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(value)));
}

/** Of people, so with comments. */
function readJson(disk: Disk, path: string): unknown {
  const found = disk(path);
  if (found?.kind !== 'text') return undefined;
  const strings = /"(?:[^"\\\n]|\\.)*"/;
  const bare = found.text
    .replace(/^\uFEFF/, '')
    .replace(new RegExp(`(${strings.source})|//[^\\n]*|/\\*[^]*?\\*/`, 'g'), '$1')
    .replace(new RegExp(`(${strings.source})|,(?=\\s*[}\\]])`, 'g'), '$1');
  return parseJson(bare);
}
