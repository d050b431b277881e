import { exportedNames } from '../../merge/modules.ts';
import { toUnixLines } from '../../merge/line-endings.ts';
import { loadTypeScript } from '../../merge/load-typescript.ts';
import { withoutLayout } from '../../merge/text.ts';
import { type Disk, readText } from '../disk.ts';
import { replaceImports, resolveImport, relativeImport } from '../imports.ts';
import type { BaseOf, BaseAndOurs, MovedDeclaration, MergedFile, MatchedFile } from './outcome.ts';

/** Declarations with edits that this version emits in another existing file. */
export async function listMovedDeclarations(
  matched: readonly MatchedFile[],
  disk: Disk,
  baseOf: BaseOf,
): Promise<readonly MovedDeclaration[]> {
  const code = matched.flatMap(({ file, former }) => {
    const ours = former && readText(disk, former.path);
    const base = former && file.kind === 'ts' ? baseOf(former) : undefined;
    if (ours === undefined || base === undefined || base === file.content) return [];
    return [{ file, base, ours: toUnixLines(ours), gained: namesOnlyIn(file.content, base) }];
  });
  const moves = code
    .filter(({ base, ours }) => base !== ours)
    .flatMap((from) =>
      namesOnlyIn(from.base, from.file.content).flatMap((name) => {
        const [to, another] = code.filter(({ gained }) => gained.includes(name));
        return to && !another ? [{ name, from, to }] : [];
      }),
    );
  if (moves.length === 0) return [];
  const { findDeclaration } = await loadTypeScript();
  return moves.flatMap(({ name, from, to }): readonly MovedDeclaration[] => {
    const base = findDeclaration(from.base, name);
    const ours = findDeclaration(from.ours, name);
    if (!base || !ours || withoutLayout(base.text) === withoutLayout(ours.text)) return [];
    // What it depends on would stay behind.
    if (ours.dependsOn.length > 0) return [];
    const [here, there] = [from.file.path, to.file.path];
    const source = replaceImports(from.ours, (specifier) =>
      relativeImport(resolveImport(specifier, here), there),
    );
    return [{ name, from: here, to: there, base: base.text, ours: ours.text, source }];
  });
}

/** Merges a file as if its moved declarations had always been where they are now. */
export async function mergeMovedDeclarations(
  path: string,
  texts: BaseAndOurs,
  carried: readonly MovedDeclaration[],
  merge: (texts: BaseAndOurs) => Promise<MergedFile>,
): Promise<MergedFile> {
  const gone = carried.filter(({ from }) => from === path);
  const came = carried.filter(({ to }) => to === path);
  if (gone.length + came.length === 0) return merge(texts);
  const { addNeededImports, findDeclaration } = await loadTypeScript();
  const moved = (side: keyof BaseAndOurs) => {
    const rest = gone.reduce(
      (text, { name }) => findDeclaration(text, name)?.rest ?? text,
      texts[side],
    );
    return came.reduce((text, it) => `${text.trimEnd()}\n\n${it[side]}\n`, rest);
  };
  const merged = await merge({ base: moved('base'), ours: moved('ours') });
  if (merged.conflicts.length > 0) return merged;
  const text = came.reduce((all, { source }) => addNeededImports(all, source), merged.text);
  return { ...merged, text };
}

function namesOnlyIn(text: string, other: string): readonly string[] {
  const names = exportedNames(other);
  return [...exportedNames(text)].filter((name) => !names.has(name));
}
