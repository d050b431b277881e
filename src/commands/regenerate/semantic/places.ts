import { type Disk, readText, type Texts } from '../../../project/disk.ts';
import type { Plan } from '../../../project/plan.ts';
import type { Project } from '../../../project/read-project.ts';
import { listSources } from '../../../system/mirror.ts';

/** A place in a text, as compilers count it: from 1, without a byte-order mark. */
interface LineColumn {
  readonly line: number;
  readonly column: number;
}

export interface CodePlace extends LineColumn {
  readonly path: string;
}

export function offsetAt(text: string, { line, column }: LineColumn): number {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

export function placeAt(text: string, offset: number): LineColumn {
  const above = text.slice(0, offset).split('\n');
  return { line: above.length, column: (above.at(-1) ?? '').length + 1 };
}

export type ReadText = (path: string) => string | undefined;

/** Reads files with these texts in place of those on disk. */
export function readWith(disk: Disk, texts: Texts): ReadText {
  return (path) => (texts.has(path) ? texts.get(path) : readText(disk, path));
}

/** The texts of files after a plan; undefined for no file. */
export function plannedTexts({ changes }: Plan): Texts {
  const left = changes.flatMap(({ from }) => (from === undefined ? [] : [from]));
  const written = changes.filter(
    ({ before, after }) => before !== undefined || after !== undefined,
  );
  return new Map([
    ...left.map((path) => [path, undefined] as const),
    ...written.map(({ path, after }) => [path, after] as const),
  ]);
}

/** Files that have conflicts after a plan. */
export function listConflicted({ changes }: Plan): ReadonlySet<string> {
  return new Set(changes.flatMap((it) => (it.conflicts.length > 0 ? [it.path] : [])));
}

/** What a compiler may read, with these texts in place of those on disk. */
export function readSources(
  { folder, disk }: Pick<Project, 'folder' | 'disk'>,
  texts: Texts,
): ReadonlyMap<string, string> {
  const read = readWith(disk, texts);
  const paths = new Set([...listSources(folder).files, ...texts.keys()]);
  return new Map(
    [...paths].toSorted().flatMap((path) => {
      const text = read(path);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}
