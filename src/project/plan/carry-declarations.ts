import { posix } from 'node:path';
import { plain } from '../../merge/line-endings.ts';
import { exportedNames } from '../../merge/exported-names.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { type Disk, readText } from '../disk.ts';
import { replaceImports, wayTo } from '../imports.ts';
import type { BaseAndMine, Carriage, FormerFile, Meeting } from './outcome.ts';

/** What its owner edited in a declaration that another file has now. */
interface Carried {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly base: string;
  readonly mine: string;
  /** The owner's file that it was in, as its neighbour would import. */
  readonly source: string;
}

/** Where a new version has moved declarations from one file into another that was there. */
export async function carryDeclarations(
  meetings: readonly Meeting[],
  disk: Disk,
  baseOf: (file: FormerFile) => string | undefined,
): Promise<Carriage> {
  const code = meetings.flatMap(({ file, was }) => {
    const mine = was && readText(disk, was.path);
    const base = was && file.kind === 'ts' ? baseOf(was) : undefined;
    if (mine === undefined || base === undefined || base === file.content) return [];
    return [{ file, base, mine: plain(mine) }];
  });
  const carried = await findCarried(code);
  const into = (path: string) => carried.filter((it) => it.to === path);
  return {
    isTarget: (path) => into(path).length > 0,
    reasonFor(path) {
      const came = into(path).map(({ name, from }) => `\`${name}\` came from \`${from}\``);
      return came.length === 0 ? undefined : `${came.join(', ')}, with your edits.`;
    },
    async merge(path, texts, merge) {
      const gone = carried.filter((it) => it.from === path);
      const came = into(path);
      if (gone.length + came.length === 0) return merge(texts);
      const { findDeclaration } = await import('../../merge/typescript/declarations.ts');
      const { addNeededImports } = await import('../../merge/typescript/needed-imports.ts');
      const without = (text: string) =>
        gone.reduce((rest, { name }) => findDeclaration(rest, name)?.rest ?? rest, text);
      const withAll = (text: string, side: 'base' | 'mine') =>
        came.reduce((all, it) => `${all.trimEnd()}\n\n${it[side]}\n`, without(text));
      const merged = await merge({
        base: withAll(texts.base, 'base'),
        mine: withAll(texts.mine, 'mine'),
      });
      if (merged.conflicts.length > 0) return merged;
      const text = came.reduce((all, { source }) => addNeededImports(all, source), merged.text);
      return { ...merged, text };
    },
  };
}

async function findCarried(
  code: readonly (BaseAndMine & { readonly file: RenderedFile })[],
): Promise<readonly Carried[]> {
  const gains = code.map((it) => ({ it, names: minus(it.file.content, it.base) }));
  const moves = code
    .filter(({ base, mine }) => base !== mine)
    .flatMap((it) =>
      minus(it.base, it.file.content).flatMap((name) => {
        const [to, another] = gains.filter(({ names }) => names.includes(name));
        return to && !another ? [{ name, from: it, to: to.it }] : [];
      }),
    );
  if (moves.length === 0) return [];
  // The compiler takes a third of a second to load.
  const { findDeclaration } = await import('../../merge/typescript/declarations.ts');
  return moves.flatMap(({ name, from, to }): readonly Carried[] => {
    const base = findDeclaration(from.base, name);
    const mine = findDeclaration(from.mine, name);
    if (!base || !mine || squeeze(base.text) === squeeze(mine.text)) return [];
    // What it leans on stays where it is.
    if (mine.leansOn.length > 0) return [];
    const [here, there] = [from.file.path, to.file.path];
    const source = replaceImports(from.mine, (specifier) =>
      wayTo(posix.join(posix.dirname(here), specifier), there),
    );
    return [{ name, from: here, to: there, base: base.text, mine: mine.text, source }];
  });
}

/** What one text exports and the other does not. */
function minus(text: string, other: string): readonly string[] {
  const names = exportedNames(other);
  return [...exportedNames(text)].filter((name) => !names.has(name));
}

function squeeze(text: string): string {
  return text.replace(/[\s;,'"`]/g, '');
}
