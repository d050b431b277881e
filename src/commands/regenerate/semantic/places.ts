import { plain } from '../../../merge/line-endings.ts';
import { type Disk, readText } from '../../../project/disk.ts';
import type { Plan } from '../../../project/plan.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import { type Texts, listSources } from '../../../system/mirror.ts';

/** A place in a text, as compilers count: both from 1; the mark at the start is no column. */
interface Place {
  readonly line: number;
  readonly column: number;
}

export function offsetOf(text: string, { line, column }: Place): number {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

export function placeAt(text: string, offset: number): Place {
  const above = text.slice(0, offset).split('\n');
  return { line: above.length, column: (above.at(-1) ?? '').length + 1 };
}

/** The text of a file; undefined: no file. */
export type Read = (path: string) => string | undefined;

/** Files as they would be with these texts. */
export function readWith(disk: Disk, texts: Texts): Read {
  return (path) => (texts.has(path) ? texts.get(path) : readText(disk, path));
}

/** What the plan leaves of each file that it touches; undefined: no file. */
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

/** Files in which the plan leaves conflicts. */
export function openFiles({ changes }: Plan): ReadonlySet<string> {
  return new Set(changes.flatMap((it) => (it.conflicts.length > 0 ? [it.path] : [])));
}

/**
 * Code with lines of its owner's in it and no open conflict, as it would be with these texts; `made`: what scaffold makes
 * there, empty when it makes nothing.
 */
export function ownCode(
  folder: string,
  { plan, rendered }: Regeneration,
  texts: Texts,
  disk: Disk,
) {
  const made = new Map(rendered.map(({ path, content }) => [path, content]));
  const open = openFiles(plan);
  const read = readWith(disk, texts);
  const paths = new Set([...listSources(folder).files, ...texts.keys()]);
  return [...paths].toSorted().flatMap((path) => {
    if (open.has(path) || !/(?<!\.d)\.[cm]?[jt]sx?$/.test(path)) return [];
    const text = read(path);
    const isMade = text === undefined || plain(text) === made.get(path);
    return isMade ? [] : [{ path, text, made: made.get(path) ?? '' }];
  });
}
