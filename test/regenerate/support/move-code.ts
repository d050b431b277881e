import { posix } from 'node:path';
import type { Tree } from './edit.ts';

/** Old path → new path, of a file, or of a folder, with a `/` at its end. */
export type Moves = Readonly<Record<string, string>>;

/** As an editor moves files: what imports them, and what they import, is found as before. */
export function moveCode(tree: Tree, moves: Moves): void {
  const paths = tree.paths().filter((path) => /^(?!\.).*\.ts$/.test(path));
  const places = new Map(paths.map((path) => [path, placeOf(path, moves)]));
  for (const [path, place] of places) {
    const before = tree.read(path);
    const after = before.replace(imported, (_, word: string, specifier: string) => {
      const target = posix.join(posix.dirname(path), specifier);
      const way = posix.relative(posix.dirname(place), places.get(target) ?? target);
      return `${word}'${way.startsWith('.') ? way : `./${way}`}'`;
    });
    if (place !== path) tree.remove(path);
    if (place !== path || after !== before) tree.write(place, after);
  }
}

const imported = /(from |import\()'(\.[^']*)'/g;

function placeOf(path: string, moves: Moves): string {
  const found = Object.entries(moves).find(
    ([from]) => path === from || (from.endsWith('/') && path.startsWith(from)),
  );
  return found ? path.replace(found[0], found[1]) : path;
}
