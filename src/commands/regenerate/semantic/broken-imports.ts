import { exportedNames } from '../../../merge/exported-names.ts';
import { isModuleFile } from '../../../project/code-files.ts';
import { type Alias, findImported, readAliases, targetsOf } from '../../../project/imports.ts';
import { listCode } from '../../../project/list-code.ts';
import { movesOf, type Plan } from '../../../project/plan.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../project/disk.ts';
import type { TypeProblem } from '../../../system/project-compiler.ts';
import { openFiles, placeAt, readWith, type ReadText } from './places.ts';

/**
 * Imports that the plan breaks, reported like compiler errors, for projects without a compiler. Exports that cannot be
 * read are assumed to exist.
 */
export function findBrokenImports(
  { folder, disk }: Pick<Project, 'folder' | 'disk'>,
  plan: Plan,
  texts: Texts,
): readonly TypeProblem[] {
  const look = { aliases: readAliases(disk), exportsOf: exportsReader() };
  const paths = new Set([...listCode(folder), ...[...texts.keys()].filter(isModuleFile)]);
  const open = openFiles(plan);
  const { cameFrom } = movesOf(plan);
  return [...paths].toSorted().flatMap((path) => {
    if (open.has(path)) return [];
    const found = brokenIn(path, readWith(disk, texts), look);
    if (found.length === 0) return [];
    const before = brokenIn(cameFrom.get(path) ?? path, readWith(disk, new Map()), look);
    const former = new Set(before.map(({ message }) => message));
    return found.filter(({ message }) => !former.has(message));
  });
}

interface Look {
  readonly aliases: readonly Alias[];
  exportsOf(text: string): ReadonlySet<string> | undefined;
}

/** Returns the exports of a text; undefined if they cannot be read. Remembered, as many files import the same one. */
function exportsReader(): Look['exportsOf'] {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  return (text) => {
    if (!known.has(text))
      known.set(text, unreadableExport.test(text) ? undefined : exportedNames(text));
    return known.get(text);
  };
}

function brokenIn(
  path: string,
  read: ReadText,
  { aliases, exportsOf }: Look,
): readonly TypeProblem[] {
  const text = read(path) ?? '';
  return [...text.matchAll(statement)].flatMap((found): readonly TypeProblem[] => {
    const [whole, list = '', , specifier = ''] = found;
    const targets = targetsOf(specifier, path, aliases);
    if (targets.length === 0) return [];
    const offset = found.index + whole.length - specifier.length - 2;
    const place = { path, ...placeAt(text, offset) };
    const target = findImported(targets, (file) => read(file) !== undefined);
    if (target === undefined) {
      return [{ ...place, code: 'TS2307', message: `Cannot find module '${specifier}'.` }];
    }
    const exported = isModuleFile(target) ? exportsOf(read(target) ?? '') : undefined;
    return importedNames(list)
      .filter((name) => exported?.has(name) === false)
      .map((name) => {
        const message = `Module '"${specifier}"' has no exported member '${name}'.`;
        return { ...place, code: 'TS2305', message };
      });
  });
}

const statement = /^(?:import|export)\b(?:\s*|([^'"`;=]*?)\bfrom\s*)(['"])([^'"\n]+)\2/gm;

/** Exports that a regular expression cannot read. */
const unreadableExport =
  /^export\s+(?:=|(?:type\s+)?\*|(?:declare\s+)?(?:const|let|var)\s*[{[]|(?:declare\s+)?(?:namespace|module)\b|import\b)/m;

/** `find` of `{ type find as seek }` */
function importedNames(list: string): readonly string[] {
  const [, named = ''] = /\{([^}]*)\}/.exec(list) ?? [];
  return named
    .replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
    .split(',')
    .flatMap((it) => /^\s*(?:type\s+)?([\w$]+)/.exec(it)?.[1] ?? [])
    .filter((name) => name !== 'default');
}

/** Names that a merged file uses but no longer imports, reported like compiler errors. */
export function findUndeclaredUses(
  { plan: { changes }, nextTexts }: Pick<Regeneration, 'plan' | 'nextTexts'>,
  findUndeclaredNames: (text: string, before: string) => readonly string[],
): readonly TypeProblem[] {
  return changes.flatMap(({ path, before, after, conflicts }): readonly TypeProblem[] => {
    if (before === undefined || after === undefined || before === after) return [];
    if (conflicts.length > 0 || !isModuleFile(path) || nextTexts.get(path) === after) return [];
    return findUndeclaredNames(after, before).flatMap((name) =>
      placesOf(name, after).map((place) => ({
        path,
        ...place,
        code: 'TS2304',
        message: `Cannot find name '${name}'.`,
      })),
    );
  });
}

/** Where a line has a word outside of strings and comments. */
function placesOf(name: string, text: string) {
  const form = new RegExp(`(?<![\\w$.'"\`])${name.replaceAll('$', '\\$')}(?![\\w$'"\`])`, 'g');
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    return [...line.matchAll(form)].map((found) => ({ line: index + 1, column: found.index + 1 }));
  });
}
