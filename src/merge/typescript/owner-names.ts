import { ts } from 'ts-morph';
import type { OwnerRename, Three, Tree } from '../keyed/tree.ts';
import { listIdentifiers, isDeclaration } from './names.ts';
import { applyEdits, isShortBinding, renameUse, replaceNode, type Edit } from './rename-edits.ts';
import { parseSourceFile } from './source-file.ts';

/** Base and theirs with the names that the owner gave to local declarations, where these names are free. */
export function withOwnerNames(
  { base, ours, theirs }: Three<Tree>,
  names: readonly OwnerRename[],
): Pick<Three<string>, 'base' | 'theirs'> {
  const files = {
    base: parseSourceFile(base.source.text),
    ours: parseSourceFile(ours.source.text),
    theirs: parseSourceFile(theirs.source.text),
  };
  const edits = { base: new Map<number, Edit>(), theirs: new Map<number, Edit>() };
  for (const { names: named, within } of names) {
    const listUses = (side: keyof Three<string>, name: string) =>
      listIdentifiers(name, files[side], within[side]);
    const uses = { base: listUses('base', named.base), theirs: listUses('theirs', named.theirs) };
    const isTaken =
      uses.base.filter(isDeclaration).length !== 1 ||
      uses.theirs.filter(isDeclaration).length > 1 ||
      listUses('ours', named.base).length > 0 ||
      [...listUses('base', named.ours), ...listUses('theirs', named.ours)].length > 0;
    if (isTaken) continue;
    for (const side of ['base', 'theirs'] as const)
      for (const use of uses[side]) edits[side].set(use.pos, renameLocal(use, named.ours));
  }
  return {
    base: applyEdits(base.source.text, [...edits.base.values()]),
    theirs: applyEdits(theirs.source.text, [...edits.theirs.values()]),
  };
}

/**
 * Base and ours with the new names of imports and top-level declarations. Applies where each side declares the old name
 * once and theirs does not have it.
 */
export function withNewNames(
  { base, ours, theirs }: Three<Tree>,
  rename: (token: string) => string,
): Pick<Three<string>, 'base' | 'ours'> {
  const [was, own] = [base.source.text, ours.source.text];
  const edits = { base: new Array<Edit>(), ours: new Array<Edit>() };
  for (const { name } of base.root.items.flatMap(({ bindings }) => bindings)) {
    const to = rename(name);
    const isRenamed = theirs.names.declared.has(to) && !theirs.names.declared.has(name);
    if (to === name || !isRenamed || [base, ours].some(({ names }) => names.declared.has(to)))
      continue;
    const uses = { base: usesIn(was, name), ours: usesIn(own, name) };
    if (Object.values(uses).some((it) => it.filter(isDeclaration).length !== 1)) continue;
    edits.base.push(...uses.base.map((it) => renameBound(it, to)));
    edits.ours.push(...uses.ours.map((it) => renameBound(it, to)));
  }
  return { base: applyEdits(was, edits.base), ours: applyEdits(own, edits.ours) };
}

function usesIn(text: string, name: string): readonly ts.Identifier[] {
  return listIdentifiers(name, parseSourceFile(text));
}

function renameBound(node: ts.Identifier, name: string): Edit {
  return isDeclaration(node) ? replaceNode(node, name) : renameUse(node, name);
}

/** Keeps the property or import that the name stands for: `{ title }` becomes `{ title: heading }`. */
function renameLocal(node: ts.Identifier, name: string): Edit {
  const { parent } = node;
  if (ts.isImportSpecifier(parent)) {
    const { text } = parent.propertyName ?? node;
    const start = (parent.propertyName ?? node).getStart();
    return { start, end: node.end, text: text === name ? name : `${text} as ${name}` };
  }
  return isShortBinding(node) ? replaceNode(node, `${node.text}: ${name}`) : renameUse(node, name);
}
