import { exportedNames } from '../../merge/modules.ts';
import type { ImportedFile } from '../../merge/typescript/list-fixes.ts';
import { resolveFiles, isRelative, resolveImport, relativeImport } from '../../project/imports.ts';
import { byPath } from '../../project/paths.ts';
import { isWritten, readMoves, type Plan, type FileChange } from '../../project/plan.ts';
import { unwrittenChange } from '../../project/plan/outcome.ts';
import type { Project } from '../../project/read-project.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import type { Texts } from '../../project/disk.ts';
import { tryTypeCheck } from '../../system/project-compiler.ts';
import { listRemovedWords } from './semantic/removed-words.ts';
import { listReusedNames } from './semantic/reused-names.ts';
import type { OwnerCode } from './semantic/owner-code.ts';
import { listConflicted, plannedTexts, type ReadText, readWith } from './semantic/places.ts';

/** Renames in the owner's code, as the schema did. */
export async function renameUses(
  code: OwnerCode,
  regeneration: Regeneration,
): Promise<Regeneration> {
  const { project, listProblems, needsNoLook } = code;
  const planned = plannedTexts(regeneration.plan);
  const look = await tryTypeCheck(async () => {
    if (needsNoLook) return planned;
    // Loads the compiler: see `loadTypeScript`.
    const { fixUses } = await import('./semantic/codemod.ts');
    return fixUses(planned, { listProblems, ...readOwnerCode(code, regeneration) });
  });
  const texts = 'found' in look ? look.found : planned;
  return { ...regeneration, plan: withTexts(regeneration.plan, project, texts) };
}

/** The owner's code: files that differ from what scaffold emitted and have no open conflicts. */
function readOwnerCode({ project, newNames }: OwnerCode, regeneration: Regeneration) {
  const { app, disk } = project;
  const { plan, nextTexts } = regeneration;
  const open = listConflicted(plan);
  const ambiguous = new Set(listReusedNames(app, regeneration.app).map(({ word }) => word));
  // A name with a new meaning is only reported, because only the owner knows which meaning is right.
  const columns = listRemovedWords(app, regeneration.app).filter(
    ({ word, tables: [table], isValue }) => word !== table && !isValue,
  );
  const tablesWith = (word: string, newName: string) =>
    columns.flatMap((it) => (it.word === word && it.newName === newName ? it.tables : []));
  const respell = (word: string) => (ambiguous.has(word) ? [] : newNames(word));
  const read = (path: string, texts: Texts): string | undefined => {
    const found = disk(path);
    const isFixed = !texts.has(path) && found?.kind === 'text' && found.isReadOnly;
    return isFixed ? undefined : readWith(disk, texts)(path);
  };
  return {
    readOwn(path: string, texts: Texts) {
      const text = read(path, texts);
      return open.has(path) || text === nextTexts.get(path) ? undefined : text;
    },
    namesFor(path: string, texts: Texts) {
      const find = importFinder(plan, (other) => read(other, texts));
      return { respell, tablesWith, findImported: (specifier: string) => find(path, specifier) };
    },
  };
}

function withTexts(plan: Plan, { disk, record }: Project, texts: Texts): Plan {
  const planned = new Map(plan.changes.map((change) => [change.path, change]));
  const renamed = { action: 'merge', reason: 'Your code uses the new names.' } as const;
  const fixed = [...texts].flatMap(([path, after]): readonly FileChange[] => {
    const change = planned.get(path) ?? unwrittenChange(path, disk, record.files[path]);
    if (!change || after === undefined || after === change.after) return [];
    return [{ ...change, ...(!isWritten(change) && renamed), after }];
  });
  const paths = new Set(fixed.map(({ path }) => path));
  const kept = fixed.filter(({ path }) => !planned.has(path) && record.files[path]);
  const changes = [...plan.changes.filter(({ path }) => !paths.has(path)), ...fixed];
  return { ...plan, changes: changes.toSorted(byPath), kept: plan.kept - kept.length };
}

/** Returns a function that finds where a relative import leads after files have moved. */
function importFinder(plan: Plan, read: ReadText) {
  const { movedTo, cameFrom } = readMoves(plan);
  return (importer: string, specifier: string): ImportedFile | undefined => {
    if (!isRelative(specifier)) return undefined;
    const former = resolveImport(specifier, cameFrom.get(importer) ?? importer);
    for (const { file, spell } of resolveFiles(former)) {
      const path = movedTo.get(file) ?? file;
      const text = read(path);
      if (text === undefined) continue;
      const names = exportedNames(text);
      return {
        specifier: relativeImport(spell(path), importer),
        exports: (name) => names.has(name),
      };
    }
    return undefined;
  };
}
