import { ts } from 'ts-morph';
import type { Dice } from '../dice.ts';
import type { Found } from './anchors.ts';
import { handlerOf } from './function-changes.ts';
import { splice } from './splice.ts';

/** A variable, wherever the function that holds it mentions it. */
export function renameVariable(
  text: string,
  { node }: Found,
  { detail }: Dice,
): string | undefined {
  if (!ts.isVariableStatement(node) || !ts.isBlock(node.parent)) return undefined;
  const name = node.declarationList.declarations[0]?.name;
  if (!name || !ts.isIdentifier(name) || name.text === 'app') return undefined;
  return renameIn(text, node.parent, { from: name.text, to: `mine${detail}` });
}

/** What a function or a handler is given first. */
export function renameParameter(
  text: string,
  { node }: Found,
  { detail }: Dice,
): string | undefined {
  const holder = ts.isFunctionDeclaration(node) ? node : handlerOf(node);
  const name = holder?.parameters[0]?.name;
  if (!holder || !name || !ts.isIdentifier(name)) return undefined;
  return renameIn(text, holder, { from: name.text, to: `mine${detail}` });
}

/** A function, here and wherever it is used. */
export function renameFunction(
  text: string,
  { node }: Found,
  { detail }: Dice,
): string | undefined {
  if (!ts.isFunctionDeclaration(node) || !node.name) return undefined;
  return renameIn(text, node.getSourceFile(), { from: node.name.text, to: `mine${detail}` });
}

/** One of the imported names, here and wherever it is used. */
export function renameImport(text: string, { node }: Found, { detail }: Dice): string | undefined {
  if (!ts.isImportDeclaration(node)) return undefined;
  const bindings = node.importClause?.namedBindings;
  const names = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  const chosen = names[detail % Math.max(1, names.length)];
  if (!chosen || chosen.propertyName) return undefined;
  const { text: from } = chosen.name;
  const renamed = renameIn(text, node.getSourceFile(), { from, to: `mine${detail}` });
  return splice(renamed, chosen.name.getStart(), chosen.name.end, `${from} as mine${detail}`);
}

interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** Every use but those in imports; what a property is called stays. Nothing else may have the name. */
function renameIn(text: string, scope: ts.Node, { from, to }: Renaming): string {
  const edits: { start: number; end: number; by: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && node.text === from && !isProperty(node)) {
      const by = ts.isShorthandPropertyAssignment(node.parent) ? `${from}: ${to}` : to;
      edits.push({ start: node.getStart(), end: node.end, by });
    }
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return edits
    .toReversed()
    .reduce((renamed, { start, end, by }) => splice(renamed, start, end, by), text);
}

function isProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  const isNamed =
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isTypeElement(parent) ||
    ts.isClassElement(parent);
  return isNamed && parent.name === node;
}
