import { normalized } from '../../../merge/line-endings.ts';
import { type Disk, readText, type Texts } from '../../../project/disk.ts';
import { gitIgnores } from '../../../project/list-code.ts';
import type { Plan } from '../../../project/plan.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import { listSources } from '../../../system/mirror.ts';

/** A place in a text, as compilers count: both from 1; a byte-order mark is not a column. */
interface LineColumn {
  readonly line: number;
  readonly column: number;
}

export function offsetOf(text: string, { line, column }: LineColumn): number {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

export function placeAt(text: string, offset: number): LineColumn {
  const above = text.slice(0, offset).split('\n');
  return { line: above.length, column: (above.at(-1) ?? '').length + 1 };
}

/** The text of a file; undefined: no file. */
export type ReadText = (path: string) => string | undefined;

/** Files as they would be with these texts. */
export function readWith(disk: Disk, texts: Texts): ReadText {
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

/** What a compiler may read, with these texts in place of those on the disk. */
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

/**
 * Code with lines of its owner's in it and no open conflict, which git does not ignore, as it would be with these texts; `rendered`: what
 * scaffold makes there, or made last of a file that is the owner's alone from now on; empty where it is all theirs.
 */
export function ownCode(
  project: Project,
  { plan, nextTexts, baseOf }: Pick<Regeneration, 'plan' | 'nextTexts' | 'baseOf'>,
  texts: Texts,
) {
  const open = openFiles(plan);
  const isIgnored = gitIgnores(project.folder);
  const ejected = new Map(
    plan.changes.flatMap(({ path, action }) => {
      const recorded = project.record.files[path];
      return action === 'eject' && recorded ? [[path, recorded] as const] : [];
    }),
  );
  return [...readSources(project, texts)].flatMap(([path, text]) => {
    if (open.has(path) || !/(?<!\.d)\.[cm]?[jt]sx?$/.test(path) || isIgnored(path)) return [];
    if (normalized(text) === nextTexts.get(path)) return [];
    const recorded = ejected.get(path);
    const last = recorded && baseOf({ path, recorded });
    return [{ path, text, rendered: last ?? nextTexts.get(path) ?? '' }];
  });
}
