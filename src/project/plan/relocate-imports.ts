import { posix } from 'node:path';
import type { Disk } from '../disk.ts';
import type { Change } from '../plan.ts';

/** A file that moves still finds what its owner imports from beside its former place, which stays where it is. */
export function relocateImports(changes: readonly Change[], disk: Disk): readonly Change[] {
  const isThere = lookAhead(changes, disk);
  return changes.map((change) => {
    const { path, from, after } = change;
    if (from === undefined || after === undefined || !path.endsWith('.ts')) return change;
    const text = after.replace(relativePath, (whole, quote: string, specifier: string) => {
      const target = posix.join(posix.dirname(from), specifier);
      if (leads(posix.join(posix.dirname(path), specifier), isThere) || !leads(target, isThere)) {
        return whole;
      }
      const way = posix.relative(posix.dirname(path), target);
      return `${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`;
    });
    return { ...change, after: text };
  });
}

type IsThere = (path: string) => boolean;

/** What the project will have. */
function lookAhead(changes: readonly Change[], disk: Disk): IsThere {
  const written = new Set(changes.flatMap((it) => (it.after === undefined ? [] : [it.path])));
  const left = new Set(
    changes.flatMap(({ path, from, after }) => [from, after === undefined ? path : undefined]),
  );
  return (path) => written.has(path) || (!left.has(path) && disk(path)?.kind === 'text');
}

/** In quotes, and beginning with `./` or `../`: whatever it is, it is one only when a file is there. */
const relativePath = /(['"])(\.\.?\/[^'"\n]+)\1/g;

/** How the end of a file's name may be written in an import. */
const endings = [
  ['', ''],
  ['.js', '.ts'],
  ['', '.ts'],
  ['', '/index.ts'],
] as const;

function leads(path: string, isThere: IsThere): boolean {
  return endings.some(
    ([written, real]) =>
      path.endsWith(written) && isThere(path.slice(0, path.length - written.length) + real),
  );
}
