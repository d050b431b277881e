import { posix } from 'node:path';
import { exportedNames } from '../../../merge/exported-names.ts';
import type { ImportedFile } from '../../../merge/typescript/fix-imports.ts';
import type { Plan } from '../../../project/plan.ts';
import { wayTo } from '../../../project/relative-imports.ts';

/** The text of a file as the plan leaves it; undefined: no file. */
export type Read = (path: string) => string | undefined;

/** Finds where a relative import leads to, after files have moved: that which imports, and that which is imported. */
export function importFinder({ changes }: Plan, read: Read) {
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
