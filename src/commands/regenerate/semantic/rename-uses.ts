import type { App } from '../../../model/app.ts';
import { openDisk, readText } from '../../../project/disk.ts';
import type { Change, Plan } from '../../../project/plan.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { NoTypeCheck, withTypeCheck } from '../../../system/own-tools.ts';
import { exchangeByThirdNames, exchangeOwnUses, type OwnUse } from './own-uses.ts';
import { newNames } from './new-names.ts';
import { newProblemFinder } from './new-problem-finder.ts';
import { openFiles, plannedTexts, readWith, type Read } from './places.ts';
import { trustedFiles } from './trusted-files.ts';
import { posix } from 'node:path';
import { exportedNames } from '../../../merge/exported-names.ts';
import type { ImportedFile } from '../../../merge/typescript/fix-imports.ts';
import { endings, wayTo } from '../../../project/imports.ts';
import { modelOf } from '../../../project/plan/outcome.ts';
import { byPath } from '../../../project/paths.ts';

/** The same run with another app in the place of the one that the schema means. */
export type Replan = (change: (after: App, before: App) => App) => Promise<Regeneration>;

/**
 * The same run, with the owner's own code calling by its new name what the schema has renamed. `left`: where names mean
 * another thing, and it is not plain which is meant; absent: nobody has looked.
 */
export async function renameUses(
  project: Project,
  regeneration: Regeneration,
  interruption: AbortSignal,
  replan?: Replan,
): Promise<{ readonly regeneration: Regeneration; readonly left?: readonly OwnUse[] }> {
  const first = plannedTexts(regeneration.plan);
  const fix = (of: Regeneration, texts: Texts) => fixIn(project, of, texts, interruption);
  const withFixed = (texts: Texts) => ({
    ...regeneration,
    plan: withTexts(regeneration.plan, project, texts),
  });
  try {
    const third = replan && (await exchangeByThirdNames(project, regeneration, replan, fix));
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

async function fixIn(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
  interruption: AbortSignal,
): Promise<Texts> {
  const { folder } = project;
  const { trusted } = trustedFiles(project, regeneration, texts);
  // The compiler takes a third of a second to load.
  const { fixUses } = await import('./codemod.ts');
  return withTypeCheck({ folder, trusted, interruption }, (check) =>
    fixUses(texts, {
      find: newProblemFinder(check, project, regeneration),
      ...ownerOf(project, regeneration),
    }),
  );
}

/** What is theirs: files that are not as they are made, without open conflicts. */
function ownerOf({ app, folder }: Project, regeneration: Regeneration) {
  const { plan, rendered } = regeneration;
  const disk = openDisk(folder);
  const made = new Map(rendered.map(({ path, content }) => [path, content]));
  const open = openFiles(plan);
  const respell = newNames(app, regeneration);
  const read = (path: string, texts: Texts): string | undefined => {
    const found = disk(path);
    const isFixed = !texts.has(path) && found?.kind === 'text' && found.isReadOnly;
    return isFixed ? undefined : readWith(disk, texts)(path);
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

function withTexts(plan: Plan, { folder, record }: Project, texts: Texts): Plan {
  const disk = openDisk(folder);
  const planned = new Map(plan.changes.map((change) => [change.path, change]));
  const fixed = [...texts].flatMap(([path, after]): Change[] => {
    const change = planned.get(path);
    const found = disk(path);
    if (after === undefined || after === (change?.after ?? readText(disk, path))) return [];
    const merged = {
      path,
      ...modelOf(record.files[path] ?? {}),
      action: 'merge',
      reason: 'Your code uses the new names.',
      after,
      conflicts: [],
    } as const;
    if (change !== undefined) {
      const isWritten = change.before !== change.after || change.from !== undefined;
      return [{ ...change, ...(isWritten ? { after } : merged) }];
    }
    return found?.kind === 'text' ? [{ ...merged, before: found.text, mode: found.mode }] : [];
  });
  const paths = new Set(fixed.map(({ path }) => path));
  const kept = fixed.filter(({ path }) => !planned.has(path) && record.files[path]);
  const changes = [...plan.changes.filter(({ path }) => !paths.has(path)), ...fixed];
  return { ...plan, changes: changes.toSorted(byPath), kept: plan.kept - kept.length };
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
    for (const [written, real] of endings) {
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
