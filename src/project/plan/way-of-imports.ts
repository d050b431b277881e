import { type Alias, pathsBehind, readAliases } from '../aliases.ts';
import type { Disk } from '../disk.ts';
import { listCode } from '../moved/list-code.ts';
import { findFile } from '../relative-imports.ts';

/** How the project imports from other folders. */
export interface Way {
  /** Those by which most of its files do; none when they do so by paths. */
  readonly aliases: readonly Alias[];
  /** Those for one file; undefined where it imports nothing from elsewhere. */
  readonly aliasesOf: (text: string) => readonly Alias[] | undefined;
}

export function readWay(folder: string, disk: Disk): Way {
  const all = readAliases(disk);
  if (all.length === 0) return { aliases: [], aliasesOf: () => [] };
  const isThere = (path: string) => disk(path)?.kind === 'text';
  const aliasFor = (specifier: string) =>
    all.find((alias) =>
      pathsBehind(specifier, [alias]).some((target) => findFile(target, isThere) !== undefined),
    );
  const used = new Set<Alias>();
  const balanceOf = (text: string, isRelative: (specifier: string) => boolean) => {
    const found = specifiersIn(text).map((specifier) => ({
      specifier,
      alias: aliasFor(specifier),
    }));
    const aliases = found.flatMap(({ alias }) => alias ?? []);
    const relative = found.filter(({ specifier, alias }) => !alias && isRelative(specifier));
    return { aliases, relative: relative.length };
  };
  let balance = 0;
  for (const path of listCode(folder)) {
    const found = disk(path);
    if (found?.kind !== 'text') continue;
    const { aliases, relative } = balanceOf(found.text, isFromAbove);
    for (const alias of aliases) used.add(alias);
    balance += aliases.length - relative;
  }
  return {
    aliases: balance > 0 ? [...used] : [],
    aliasesOf(text) {
      const { aliases, relative } = balanceOf(text, leadsElsewhere);
      if (aliases.length + relative === 0) return undefined;
      return aliases.length > relative ? [...new Set([...aliases, ...used])] : [];
    },
  };
}

export const isFromAbove = (specifier: string) => specifier.startsWith('../');

/** Not to a file beside. */
export const leadsElsewhere = (specifier: string) =>
  /^\.\.?\/.*\//.test(specifier) || isFromAbove(specifier);

export function specifiersIn(text: string): readonly string[] {
  const found = text.matchAll(/\bfrom\s*(['"])([^'"\n]+)\1/g);
  return [...found].map(([, , specifier = '']) => specifier);
}
