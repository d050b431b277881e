import { bareName } from '../keyed/tree.ts';
import { typescript } from './parse.ts';

/**
 * The declaration of a name in a file's own scope, with the comments that belong to it, and the rest of the file;
 * undefined where there is none, or another name is declared with it. `leansOn`: names that it uses and the rest of the
 * file declares without importing them.
 */
export function findDeclaration(text: string, name: string) {
  const tree = typescript.parse(text);
  const found = tree?.root.items.find(
    ({ binds, unites }) => !unites && binds.some((it) => bareName(it) === name),
  );
  if (!tree || !found || found.binds.length !== 1) return undefined;
  const { start, end } = found.full;
  const own = text.slice(start, end).trim();
  const used = typescript.readNames(own)?.used ?? new Set();
  const others = tree.root.items.filter((it) => it !== found && !it.unites);
  const leansOn = others.flatMap(({ binds }) => binds.map(bareName).filter((it) => used.has(it)));
  const rest = `${text.slice(0, start).trimEnd()}\n\n${text.slice(end).trimStart()}`;
  return { text: own, rest: `${rest.trim()}\n`, leansOn };
}
