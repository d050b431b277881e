import { ts } from 'ts-morph';
import { identifiers, isDeclaration, namesOf } from './names.ts';

/** New text for a stretch of a file. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let place = 0;
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    result += text.slice(place, edit.start) + edit.text;
    place = edit.end;
  }
  return result + text.slice(place);
}

export function replaceNode(node: ts.Node, text: string): Edit {
  return { start: node.getStart(), end: node.end, text };
}

/** A member by its new name. Where one word is member and variable, `{ title }`, the variable keeps the old one. */
export function renameMember(node: ts.Identifier, name: string): Edit {
  const { parent } = node;
  if (variableOf(node)?.text === name) return replaceNode(parent, name);
  const isBoth = ts.isShorthandPropertyAssignment(parent) || isShortBinding(node);
  return replaceNode(node, isBoth ? `${name}: ${node.text}` : name);
}

/** `title` in `const { title } = post` */
export function isShortBinding(node: ts.Identifier): boolean {
  const { parent } = node;
  const isOne = ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent);
  return isOne && !parent.propertyName && !parent.dotDotDotToken && parent.name === node;
}

/** In `{ title: heading }`, an object or its pattern, what follows the member. */
function variableOf({ parent }: ts.Identifier): ts.Identifier | undefined {
  if (ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.initializer)) {
    return parent.initializer;
  }
  const isPlain = ts.isBindingElement(parent) && parent.propertyName && !parent.initializer;
  return isPlain && ts.isIdentifier(parent.name) ? parent.name : undefined;
}

/** A variable or type by its new name, where members and exports keep the old one. */
export function renameUse(node: ts.Identifier, name: string): Edit {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return replaceNode(node, `${node.text}: ${name}`);
  if (ts.isExportSpecifier(parent) && parent.propertyName === undefined) {
    return replaceNode(node, `${name} as ${node.text}`);
  }
  return replaceNode(node, name);
}

/** An imported name and all its uses; under its old name when the file has a meaning of its own for one of them. */
export function renameImported(specifier: ts.ImportSpecifier, name: string): readonly Edit[] {
  const imported = specifier.propertyName ?? specifier.name;
  if (specifier.propertyName !== undefined) return [replaceNode(imported, name)];
  const file = specifier.getSourceFile();
  const all = identifiers(specifier.name.text, file);
  const uses = all.filter(({ parent }) => !ts.isImportSpecifier(parent));
  const { bound } = namesOf(file);
  if (uses.some(isDeclaration) || bound.has(name)) {
    return [replaceNode(imported, `${name} as ${specifier.name.text}`)];
  }
  return [replaceNode(imported, name), ...uses.map((use) => renameUse(use, name))];
}
