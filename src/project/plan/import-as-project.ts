import { listWords } from '../../words.ts';
import { loadTypeScript } from '../../merge/load-typescript.ts';
import { exportedNames, linksIn } from '../../merge/modules.ts';
import { isModuleFile } from '../code-files.ts';
import { hasText, readText } from '../disk.ts';
import {
  type Alias,
  findAliasedPath,
  readAliases,
  replaceImports,
  findImported,
  isRelative,
  resolveImport,
  resolveSpecifier,
} from '../imports.ts';
import { listCode } from '../list-code.ts';
import type { FileChange } from '../plan.ts';
import type { Project } from '../read-project.ts';

/** Makes new imports use the project's aliases and the owner's renamed exports. `made`: rendered texts, by path. */
export function importAsProject(
  changes: readonly FileChange[],
  project: Project,
  made: ReadonlyMap<string, string>,
): Promise<readonly FileChange[]> {
  const planned = new Map(changes.map(({ path, after }) => [path, after]));
  const read = (path: string) =>
    planned.has(path) ? planned.get(path) : readText(project.disk, path);
  const aliasesFor = readImportStyle(project);
  const importing = changes.map(async (change) => {
    const { path, action, before, after } = change;
    const isNew = action === 'create';
    const isOwn = before !== undefined && after !== made.get(path);
    if (after === undefined || !isModuleFile(path) || !(isNew || isOwn)) return change;
    const known = new Set(specifiersIn(before ?? ''));
    const isMeant = (it: string) => leadsElsewhere(it) && !known.has(it);
    const text = isNew ? await withOwnNames({ path, text: after }, read, made) : after;
    if (!specifiersIn(text).some(isMeant)) return { ...change, after: text };
    const aliases = aliasesFor({ path, text: before ?? '' });
    const byAlias = replaceImports(text, (specifier) => {
      const target = resolveImport(specifier, path);
      const names = isMeant(specifier)
        ? aliases.flatMap((it) => findAliasedPath(target, it) ?? [])
        : [];
      return names[0] ?? specifier;
    });
    return { ...change, after: byAlias };
  });
  return Promise.all(importing);
}

interface File {
  readonly path: string;
  readonly text: string;
}

/** Imports an export that its owner renamed under the name used here. */
async function withOwnNames(
  { path, text }: File,
  read: (path: string) => string | undefined,
  made: ReadonlyMap<string, string>,
): Promise<string> {
  const lost = linksIn(text).flatMap(({ specifier, names }) => {
    const target = resolveImport(specifier, path);
    const current = read(target);
    const rendered = made.get(target);
    if (current === undefined || rendered === undefined || current === rendered) return [];
    const currentExports = exportedNames(current);
    const renderedExports = exportedNames(rendered);
    const addedExports = [...currentExports].filter((name) => !renderedExports.has(name));
    return names
      .filter(({ name }) => renderedExports.has(name) && !currentExports.has(name))
      .map((it) => ({ ...it, current, rendered, addedExports }));
  });
  if (lost.length === 0) return text;
  const { findDeclaration } = await loadTypeScript();
  const declared = (module: string, name: string) =>
    listWords(findDeclaration(module, name)?.text ?? '').filter((word) => word !== name);
  return lost.reduceRight((all, { name, alias, at, current, rendered, addedExports }) => {
    const newName = addedExports.find((it) =>
      isSameDeclaration(declared(current, it), declared(rendered, name)),
    );
    const spelled = alias === name ? `${newName} as ${name}` : newName;
    return newName === undefined
      ? all
      : `${all.slice(0, at)}${spelled}${all.slice(at + name.length)}`;
  }, text);
}

/** Whether two declarations share most of their words. */
function isSameDeclaration(current: readonly string[], rendered: readonly string[]): boolean {
  const words = new Set(current);
  const isBoth = current.length > 0 && rendered.length > 0;
  return isBoth && rendered.filter((word) => words.has(word)).length > rendered.length * 0.8;
}

/**
 * The aliases by which a file imports from other folders; none if it mostly uses relative paths. A file without such
 * imports follows the rest of the project. Paths that no alias covers are not counted.
 */
function readImportStyle({ folder, disk }: Project): (file: File) => readonly Alias[] {
  const all = readAliases(disk);
  const isReached = (path: string) =>
    all.some((alias) => findAliasedPath(path, alias) !== undefined);
  const countAliases = ({ path, text }: File) => {
    const found = specifiersIn(text);
    const aliases = found
      .filter((it) => !isRelative(it))
      .flatMap(
        (it) =>
          all.find((one) => findImported(resolveSpecifier(it, '', [one]), hasText(disk))) ?? [],
      );
    const relative = found.filter((it) => leadsElsewhere(it) && isReached(resolveImport(it, path)));
    return { aliases, balance: aliases.length - relative.length, relative };
  };
  const readAll = () => {
    const files = listCode(folder).map((path) =>
      countAliases({ path, text: readText(disk, path) ?? '' }),
    );
    const balance = files.reduce((sum, it) => sum + it.balance, 0);
    return { aliases: [...new Set(files.flatMap((it) => it.aliases))], balance };
  };
  let known: ReturnType<typeof readAll> | undefined;
  return (file) => {
    if (all.length === 0) return [];
    const { aliases, balance, relative } = countAliases(file);
    known ??= readAll();
    const isSilent = aliases.length + relative.length === 0;
    if ((isSilent ? known.balance : balance) <= 0) return [];
    return [...new Set([...aliases, ...known.aliases])];
  };
}

/** Whether a relative specifier leads to another folder. */
const leadsElsewhere = (specifier: string) => /^(?:\.\.\/|\.\/.*\/)/.test(specifier);

const specifiersIn = (text: string) => linksIn(text).map(({ specifier }) => specifier);
