import type { App } from '../../../model/app.ts';
import { openDisk, type Disk } from '../../../project/disk.ts';
import type { Change, Plan } from '../../../project/plan.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { NoTypeCheck, withTypeCheck } from '../../../system/own-tools.ts';
import { exchangeByThirdNames, exchangeOwnUses, type OwnUse } from './own-uses.ts';
import { newNames } from './new-names.ts';
import { newProblemFinder } from './new-problem-finder.ts';
import { plannedTexts } from './places.ts';
import { trustedFiles } from './trusted-files.ts';
import { posix } from 'node:path';
import { exportedNames } from '../../../merge/exported-names.ts';
import type { ImportedFile } from '../../../merge/typescript/fix-imports.ts';
import { wayTo } from '../../../project/imports.ts';

/** The same run with another app in the place of the one that the schema means. */
export type Replan = (change: (after: App, before: App) => App) => Promise<Regeneration>;

interface Given {
  readonly interruption: AbortSignal;
  readonly replan?: Replan;
}

interface Renamed {
  readonly regeneration: Regeneration;
  /** Where names mean another thing, and it is not plain which is meant; absent: nobody has looked. */
  readonly left?: readonly OwnUse[];
}

/** The same run, with the owner's own code calling by its new name what the schema has renamed. */
export async function renameUses(
  project: Project,
  regeneration: Regeneration,
  { interruption, replan }: Given,
): Promise<Renamed> {
  const first = plannedTexts(regeneration.plan);
  const disk = openDisk(project.folder);
  const fix = (of: Regeneration, texts: Texts) => fixIn({ project, disk, interruption }, of, texts);
  const withFixed = (texts: Texts) => ({
    ...regeneration,
    plan: withTexts(regeneration.plan, { project, texts, disk }),
  });
  try {
    const third =
      replan && (await exchangeByThirdNames({ project, regeneration, disk }, replan, fix));
    const planned = new Map([...first, ...(third?.texts ?? [])]);
    const texts = await fix(regeneration, planned);
    return { regeneration: withFixed(texts), ...(third && { left: third.left }) };
  } catch (error) {
    if (!(error instanceof NoTypeCheck)) throw error;
    const exchanged = await exchangeOwnUses(project, regeneration, first);
    const planned = new Map([...first, ...exchanged]);
    return { regeneration: exchanged.size > 0 ? withFixed(planned) : regeneration };
  }
}

interface Surroundings {
  readonly project: Project;
  readonly disk: Disk;
  readonly interruption: AbortSignal;
}

async function fixIn(
  { project, disk, interruption }: Surroundings,
  regeneration: Regeneration,
  texts: Texts,
): Promise<Texts> {
  const { trusted } = trustedFiles(project, regeneration, texts);
  const at = { folder: project.folder, trusted, interruption };
  // The compiler takes a third of a second to load.
  const { fixUses } = await import('./codemod.ts');
  return withTypeCheck(at, (check) =>
    fixUses(texts, {
      find: newProblemFinder(check, { project, regeneration }),
      ...ownerOf(project, regeneration, disk),
    }),
  );
}

/** What is theirs: files that are not as they are made, without open conflicts. */
function ownerOf({ app }: Project, regeneration: Regeneration, disk: Disk) {
  const { plan, rendered } = regeneration;
  const made = new Map(rendered.map(({ path, content }) => [path, content]));
  const open = new Set(
    plan.changes.filter((it) => it.conflicts.length > 0).map(({ path }) => path),
  );
  const respell = newNames(app, regeneration);
  const read = (path: string, texts: Texts): string | undefined => {
    const found = disk(path);
    if (texts.has(path)) return texts.get(path);
    return found?.kind === 'text' && !found.isReadOnly ? found.text : undefined;
  };
  return {
    readOwn(path: string, texts: Texts) {
      const text = read(path, texts);
      return open.has(path) || text === made.get(path) ? undefined : text;
    },
    namesFor(path: string, texts: Texts) {
      const find = importFinder(plan, (other) => read(other, texts));
      return { respell, findImported: (specifier: string) => find(path, specifier) };
    },
  };
}

interface Fixed {
  readonly project: Project;
  readonly texts: Texts;
  readonly disk: Disk;
}

function withTexts(plan: Plan, { project, texts, disk }: Fixed): Plan {
  const planned = new Map(plan.changes.map((change) => [change.path, change]));
  const fixed = [...texts].flatMap(([path, after]): Change[] => {
    const change = planned.get(path);
    const found = disk(path);
    if (after === undefined || after === (change?.after ?? textOf(found))) return [];
    const model = project.record.files[path]?.model;
    const facts = {
      path,
      ...(model && { model }),
      reason: 'Your code says the new names.',
      conflicts: [],
    };
    if (change === undefined) {
      return found?.kind === 'text'
        ? [{ ...facts, action: 'merge', before: found.text, after, mode: found.mode }]
        : [];
    }
    const isWritten = change.before !== change.after || change.from !== undefined;
    return [isWritten ? { ...change, after } : { ...change, ...facts, action: 'merge', after }];
  });
  const paths = new Set(fixed.map(({ path }) => path));
  const kept = fixed.filter(({ path }) => !planned.has(path) && project.record.files[path]);
  return {
    ...plan,
    changes: [...plan.changes.filter(({ path }) => !paths.has(path)), ...fixed].toSorted(
      (left, right) => (left.path < right.path ? -1 : 1),
    ),
    kept: plan.kept - kept.length,
  };
}

function textOf(found: ReturnType<Disk>): string | undefined {
  return found?.kind === 'text' ? found.text : undefined;
}

/** What the codemod did beside the plan that it was given: the owner's own code, before and after. */
export function renamedUses(planned: Plan, fixed: Plan): readonly Change[] {
  const before = new Map(planned.changes.map(({ path, after }) => [path, after]));
  return fixed.changes.flatMap((change) => {
    const text = before.has(change.path) ? before.get(change.path) : change.before;
    const { from: _, ...inPlace } = change;
    return text === undefined || text === change.after ? [] : [{ ...inPlace, before: text }];
  });
}

/** The text of a file as the plan leaves it; undefined: no file. */
type Read = (path: string) => string | undefined;

/** Finds where a relative import leads to, after files have moved: that which imports, and that which is imported. */
function importFinder({ changes }: Plan, read: Read) {
  const moves = changes.flatMap(({ path, from }) =>
    from === undefined ? [] : [{ path, from } as const],
  );
  const movedTo = new Map(moves.map(({ path, from }) => [from, path]));
  const cameFrom = new Map(moves.map(({ path, from }) => [path, from]));
  return (importer: string, specifier: string): ImportedFile | undefined => {
    if (!/^\.\.?\//.test(specifier)) return undefined;
    const former = posix.join(posix.dirname(cameFrom.get(importer) ?? importer), specifier);
    for (const [written, real] of spellings) {
      if (!former.endsWith(written)) continue;
      const file = former.slice(0, former.length - written.length) + real;
      const path = movedTo.get(file) ?? file;
      const text = read(path);
      if (text === undefined) continue;
      const target = path.slice(0, path.length - real.length) + written;
      const names = exportedNames(text);
      return { specifier: wayTo(target, importer), exports: (name) => names.has(name) };
    }
    return undefined;
  };
}

/** How the end of a file's name may be written in an import, and what it stands for. */
const spellings = [
  ['.ts', '.ts'],
  ['.js', '.ts'],
  ['', ''],
  ['', '.ts'],
  ['', '/index.ts'],
] as const;
