import { isDeepStrictEqual } from 'node:util';
import { toUnixLines } from '../../../merge/line-endings.ts';
import { isDeclarationFile, isTypeScriptFile } from '../../../project/code-files.ts';
import { quotedIn, resolveImport } from '../../../project/imports.ts';
import { hashText } from '../../../project/paths.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../project/disk.ts';
import { readManifest } from '../../../system/package-manager.ts';
import { readSources } from './places.ts';

/**
 * What scaffold generates type-checks on its own, but may not together with the owner's code. `trusted`: files that
 * are as they were made and import only such files. `isWhole`: the compiler reads nothing of the owner's.
 */
export function findTrustedFiles(
  project: Pick<Project, 'folder' | 'disk'> & { readonly record: Pick<Project['record'], 'files'> },
  { nextTexts }: Pick<Regeneration, 'nextTexts'>,
  texts: Texts,
) {
  const sources = [...readSources(project, texts)];
  const files = new Map(
    sources.filter(([path]) => isReadByCompiler(path) || isDeclarationFile(path)),
  );
  const own = [...files].filter(([path, text]) => {
    const isAsMade = toUnixLines(text) === nextTexts.get(path);
    return !isAsMade && hashText(text) !== project.record.files[path]?.base;
  });
  const doubtful = own.some(([path, text]) => reachesAll(path, text, nextTexts.get(path)))
    ? new Set(files.keys())
    : withImporters(own.map(pathOf), files);
  const trusted = [...files.keys()].filter((path) => isTypeScriptFile(path) && !doubtful.has(path));
  return { trusted: new Set(trusted), isWhole: !own.map(pathOf).some(isReadByCompiler) };
}

const pathOf = ([path]: readonly [string, string]) => path;

/** What a compiler reads and looks at. */
export function isReadByCompiler(path: string): boolean {
  return isTypeScriptFile(path) || /(?:^|\/)(?:tsconfig[^/]*|package)\.json$/.test(path);
}

/** Settings, and declarations that hold in files that do not import them. */
function reachesAll(path: string, text: string, rendered: string | undefined): boolean {
  if (path === 'package.json' && rendered !== undefined) return !onlyAddsPackages(text, rendered);
  if (path.endsWith('.json')) return true;
  return /\bdeclare\s+(?:global|module)\b/.test(text) || !/^\s*(?:import|export)\b/m.test(text);
}

/** A missing import counts as the owner's, who deleted it. */
function withImporters(
  own: readonly string[],
  files: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of files) {
    for (const specifier of quotedIn(text).filter((it) => /\.[cm]?tsx?$/.test(it))) {
      const target = resolveImport(specifier, path);
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  const missing = [...importers.keys()].filter((path) => !files.has(path));
  const found = new Set([...own, ...missing]);
  // Iterating over a Set also visits what the loop adds.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return found;
}

/** Whether a `package.json` is as it was made, apart from added packages. */
function onlyAddsPackages(text: string, rendered: string): boolean {
  const [ours, theirs] = [readManifest(text), readManifest(rendered)];
  return (
    isDeepStrictEqual(pickModuleKeys(ours), pickModuleKeys(theirs)) &&
    Object.entries(theirs.packages).every(([name, version]) => ours.packages[name] === version)
  );
}

/** What decides how modules are found, and which versions. */
const pickModuleKeys = ({ rest }: ReturnType<typeof readManifest>) =>
  ['type', 'imports', 'exports', 'overrides', 'resolutions', 'pnpm'].map((key) => rest[key]);
