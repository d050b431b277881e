import { exportedNames } from '../../merge/exported-names.ts';
import { normalized } from '../../merge/line-endings.ts';
import { loadTypeScript } from '../../merge/load-typescript.ts';
import { squeeze } from '../../merge/text.ts';
import { type Disk, readText } from '../disk.ts';
import { replaceImports, resolveImport, relativeImport } from '../imports.ts';
import type { DecisionFacts, BaseAndMine, Carried, MergedFile, Meeting } from './outcome.ts';

/** Edits in declarations that a new version moved into another existing file. */
export async function findCarried(
  meetings: readonly Meeting[],
  disk: Disk,
  baseOf: DecisionFacts['baseOf'],
): Promise<readonly Carried[]> {
  const code = meetings.flatMap(({ file, was }) => {
    const mine = was && readText(disk, was.path);
    const base = was && file.kind === 'ts' ? baseOf(was) : undefined;
    if (mine === undefined || base === undefined || base === file.content) return [];
    return [{ file, base, mine: normalized(mine), gained: minus(file.content, base) }];
  });
  const moves = code
    .filter(({ base, mine }) => base !== mine)
    .flatMap((from) =>
      minus(from.base, from.file.content).flatMap((name) => {
        const [to, another] = code.filter(({ gained }) => gained.includes(name));
        return to && !another ? [{ name, from, to }] : [];
      }),
    );
  if (moves.length === 0) return [];
  const { findDeclaration } = await loadTypeScript();
  return moves.flatMap(({ name, from, to }): readonly Carried[] => {
    const base = findDeclaration(from.base, name);
    const mine = findDeclaration(from.mine, name);
    if (!base || !mine || squeeze(base.text) === squeeze(mine.text)) return [];
    // What it depends on stays where it is.
    if (mine.leansOn.length > 0) return [];
    const [here, there] = [from.file.path, to.file.path];
    const source = replaceImports(from.mine, (specifier) =>
      relativeImport(resolveImport(specifier, here), there),
    );
    return [{ name, from: here, to: there, base: base.text, mine: mine.text, source }];
  });
}

/** Merges as if the last run had made each declaration where it is made now, and its owner had edited it there. */
export async function mergeCarried(
  path: string,
  texts: BaseAndMine,
  carried: readonly Carried[],
  merge: (texts: BaseAndMine) => Promise<MergedFile>,
): Promise<MergedFile> {
  const gone = carried.filter(({ from }) => from === path);
  const came = carried.filter(({ to }) => to === path);
  if (gone.length + came.length === 0) return merge(texts);
  const { addNeededImports, findDeclaration } = await loadTypeScript();
  const moved = (side: keyof BaseAndMine) => {
    const rest = gone.reduce(
      (text, { name }) => findDeclaration(text, name)?.rest ?? text,
      texts[side],
    );
    return came.reduce((text, it) => `${text.trimEnd()}\n\n${it[side]}\n`, rest);
  };
  const merged = await merge({ base: moved('base'), mine: moved('mine') });
  if (merged.conflicts.length > 0) return merged;
  const text = came.reduce((all, { source }) => addNeededImports(all, source), merged.text);
  return { ...merged, text };
}

/** The names that only one of two texts exports. */
function minus(text: string, other: string): readonly string[] {
  const names = exportedNames(other);
  return [...exportedNames(text)].filter((name) => !names.has(name));
}
