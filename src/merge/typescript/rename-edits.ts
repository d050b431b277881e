import { ts } from 'ts-morph';
import { listIdentifiers, isDeclaration, collectNames } from './names.ts';

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let offset = 0;
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    result += text.slice(offset, edit.start) + edit.text;
    offset = edit.end;
  }
  return result + text.slice(offset);
}

export function replaceNode(node: ts.Node, text: string): Edit {
  return { start: node.getStart(), end: node.end, text };
}

/** Renames a member. In `{ title }`, the variable keeps its name. */
export function renameMember(node: ts.Identifier, name: string): Edit {
  const { parent } = node;
  if (findVariable(node)?.text === name) return replaceNode(parent, name);
  const isBoth = ts.isShorthandPropertyAssignment(parent) || isShortBinding(node);
  return replaceNode(node, isBoth ? `${name}: ${node.text}` : name);
}

/** Whether an identifier is both: `title` in `const { title } = post`. */
export function isShortBinding(node: ts.Identifier): boolean {
  const { parent } = node;
  const isOne = ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent);
  return isOne && !parent.propertyName && !parent.dotDotDotToken && parent.name === node;
}

/** The variable in `{ title: heading }`. */
function findVariable({ parent }: ts.Identifier): ts.Identifier | undefined {
  if (ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.initializer)) {
    return parent.initializer;
  }
  const isPlain = ts.isBindingElement(parent) && parent.propertyName && !parent.initializer;
  return isPlain && ts.isIdentifier(parent.name) ? parent.name : undefined;
}

/** Renames a variable or type, where members and exports keep the old name. */
export function renameUse(node: ts.Identifier, name: string): Edit {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return replaceNode(node, `${node.text}: ${name}`);
  if (ts.isExportSpecifier(parent) && parent.propertyName === undefined) {
    return replaceNode(node, `${name} as ${node.text}`);
  }
  return replaceNode(node, name);
}

/** Renames an imported name and its uses. Imports it under its old name if the new one is taken. */
export function renameImported(specifier: ts.ImportSpecifier, name: string): readonly Edit[] {
  const imported = specifier.propertyName ?? specifier.name;
  if (specifier.propertyName !== undefined) return [replaceNode(imported, name)];
  const file = specifier.getSourceFile();
  const all = listIdentifiers(specifier.name.text, file);
  const uses = all.filter(({ parent }) => !ts.isImportSpecifier(parent));
  const { declared } = collectNames(file);
  if (uses.some(isDeclaration) || declared.has(name)) {
    return [replaceNode(imported, `${name} as ${specifier.name.text}`)];
  }
  return [replaceNode(imported, name), ...uses.map((use) => renameUse(use, name))];
}
