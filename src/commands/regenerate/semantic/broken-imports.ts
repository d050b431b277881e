import type { loadTypeScript } from '../../../merge/load-typescript.ts';
import { exportedNames, exportsMore, linksIn } from '../../../merge/modules.ts';
import { isModuleFile } from '../../../project/code-files.ts';
import {
  type Alias,
  findImported,
  readAliases,
  resolveSpecifier,
} from '../../../project/imports.ts';
import { listCode } from '../../../project/list-code.ts';
import { readMoves, type Plan } from '../../../project/plan.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../project/disk.ts';
import type { TypeProblem } from '../../../system/project-compiler.ts';
import { listConflicted, placeAt, readWith, type ReadText } from './places.ts';

/**
 * Imports that the plan breaks, reported like compiler errors, for projects without a compiler. Exports that cannot be
 * read are assumed to exist.
 */
export function listBrokenImports(
  { folder, disk }: Pick<Project, 'folder' | 'disk'>,
  plan: Plan,
  texts: Texts,
): readonly TypeProblem[] {
  const aliases = readAliases(disk);
  const paths = new Set([...listCode(folder), ...[...texts.keys()].filter(isModuleFile)]);
  const open = listConflicted(plan);
  const { cameFrom } = readMoves(plan);
  return [...paths].toSorted().flatMap((path) => {
    if (open.has(path)) return [];
    const found = brokenIn(path, readWith(disk, texts), aliases);
    if (found.length === 0) return [];
    const before = brokenIn(cameFrom.get(path) ?? path, readWith(disk, new Map()), aliases);
    const former = new Set(before.map(({ message }) => message));
    return found.filter(({ message }) => !former.has(message));
  });
}

function brokenIn(path: string, read: ReadText, aliases: readonly Alias[]): readonly TypeProblem[] {
  const text = read(path) ?? '';
  return linksIn(text).flatMap(({ specifier, at, names }): readonly TypeProblem[] => {
    const targets = resolveSpecifier(specifier, path, aliases);
    if (targets.length === 0) return [];
    const place = { path, ...placeAt(text, at) };
    const target = findImported(targets, (file) => read(file) !== undefined);
    if (target === undefined) {
      return [{ ...place, code: 'TS2307', message: `Cannot find module '${specifier}'.` }];
    }
    const there = read(target) ?? '';
    if (!isModuleFile(target) || exportsMore(there)) return [];
    const exported = exportedNames(there);
    return names
      .filter(({ name }) => name !== 'default' && !exported.has(name))
      .map(({ name }) => {
        const message = `Module '"${specifier}"' has no exported member '${name}'.`;
        return { ...place, code: 'TS2305', message };
      });
  });
}

/** Names that a merged file uses but no longer imports, reported like compiler errors. */
export function listUndeclaredUses(
  { plan: { changes }, nextTexts }: Pick<Regeneration, 'plan' | 'nextTexts'>,
  undeclaredUses: Awaited<ReturnType<typeof loadTypeScript>>['undeclaredUses'],
): readonly TypeProblem[] {
  return changes.flatMap(({ path, before, after, conflicts }): readonly TypeProblem[] => {
    if (before === undefined || after === undefined || before === after) return [];
    if (conflicts.length > 0 || !isModuleFile(path) || nextTexts.get(path) === after) return [];
    return undeclaredUses(after, before).map(({ name, at }) => {
      const message = `Cannot find name '${name}'.`;
      return { path, ...placeAt(after, at), code: 'TS2304', message };
    });
  });
}
