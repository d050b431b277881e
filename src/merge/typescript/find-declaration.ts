import { bareName } from '../keyed/tree.ts';
import { typescriptLanguage } from './parse.ts';

/**
 * A top-level declaration with its comments, and the rest of the file. Undefined if there is none or if it declares
 * another name too. `dependsOn`: names that it uses and the rest of the file declares, except imports.
 */
export function findDeclaration(text: string, name: string) {
  const tree = typescriptLanguage.parse(text);
  const found = tree?.root.items.find(
    ({ bindings, isImport }) => !isImport && bindings.some((it) => bareName(it) === name),
  );
  if (!tree || !found || found.bindings.length !== 1) return undefined;
  const { start, end } = found.full;
  const own = text.slice(start, end).trim();
  const used = typescriptLanguage.readNames(own)?.used ?? new Set();
  const others = tree.root.items.filter((it) => it !== found && !it.isImport);
  const dependsOn = others.flatMap(({ bindings }) =>
    bindings.map(bareName).filter((it) => used.has(it)),
  );
  const rest = `${text.slice(0, start).trimEnd()}\n\n${text.slice(end).trimStart()}`;
  return { text: own, rest: `${rest.trim()}\n`, dependsOn };
}
