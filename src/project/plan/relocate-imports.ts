import { isModuleFile } from '../code-files.ts';
import type { Disk } from '../disk.ts';
import {
  findFile,
  type IsThere,
  replaceImports,
  resolveImport,
  relativeImport,
} from '../imports.ts';
import type { FileChange } from '../plan.ts';

/** Rewrites relative imports in files that move, so that they still lead to the same files. */
export function relocateImports(changes: readonly FileChange[], disk: Disk): readonly FileChange[] {
  const isThere = filesAfter(changes, disk);
  const leads = (path: string) => findFile(path, isThere) !== undefined;
  return changes.map((change) => {
    const { path, from, after } = change;
    if (from === undefined || after === undefined || !isModuleFile(path)) return change;
    const text = replaceImports(after, (specifier) => {
      const target = resolveImport(specifier, from);
      const isFound = leads(resolveImport(specifier, path)) || !leads(target);
      return isFound ? specifier : relativeImport(target, path);
    });
    return { ...change, after: text };
  });
}

/** Whether a file will exist after the changes. */
function filesAfter(changes: readonly FileChange[], disk: Disk): IsThere {
  const written = new Set(changes.flatMap((it) => (it.after === undefined ? [] : [it.path])));
  const left = new Set(
    changes.flatMap(({ path, from, after }) => [from, after === undefined ? path : undefined]),
  );
  return (path) => written.has(path) || (!left.has(path) && disk(path)?.kind === 'text');
}
