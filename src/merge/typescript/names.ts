import { ts } from 'ts-morph';
import type { Bound, Names, Span } from '../keyed/tree.ts';

/** Names that a statement, a parameter or an import name declares; types have names of their own. */
export function bindsOf(node: ts.Node): Bound[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }, index) =>
      patternNames(name, `${index}`),
    );
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return [named(`type ${node.name.text}`)];
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
    return node.name ? [{ name: node.name.text, of: 'value' }] : [];
  if (ts.isEnumDeclaration(node)) return [named(node.name.text), named(`type ${node.name.text}`)];
  if (ts.isImportDeclaration(node)) return importedNames(node);
  if (ts.isImportSpecifier(node)) return [imported(node)];
  if (ts.isParameter(node)) return patternNames(node.name, '');
  if (ts.isBindingElement(node))
    return patternNames(node.name, (node.propertyName ?? node.name).getText());
  return [];
}

function named(name: string): Bound {
  return { name, of: name };
}

function imported({ name, propertyName }: ts.ImportSpecifier): Bound {
  return { name: name.text, of: (propertyName ?? name).text };
}

function patternNames(name: ts.BindingName, of: string): Bound[] {
  if (ts.isIdentifier(name)) return [{ name: name.text, of }];
  return name.elements.flatMap((it, index) => {
    if (!ts.isBindingElement(it)) return [];
    const isNamed = ts.isObjectBindingPattern(name) && !it.dotDotDotToken;
    return patternNames(
      it.name,
      `${of}.${isNamed ? (it.propertyName ?? it.name).getText() : index}`,
    );
  });
}

/** Of `import { a, b as c } from`, the names between the brackets. */
export function namedIn({ importClause }: ts.ImportDeclaration): readonly ts.ImportSpecifier[] {
  const bindings = importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
}

function importedNames(node: ts.ImportDeclaration): Bound[] {
  const { importClause: clause } = node;
  const bindings = clause?.namedBindings;
  return [
    ...(clause?.name ? [{ name: clause.name.text, of: 'default' }] : []),
    ...(bindings && ts.isNamespaceImport(bindings) ? [{ name: bindings.name.text, of: '*' }] : []),
    ...namedIn(node).map(imported),
  ];
}

/** Every name that a file declares, in whatever scope, and every one that it uses. */
export function namesOf(file: ts.SourceFile): Names {
  const bound = new Set<string>();
  const used = new Set<string>();
  for (const node of variablesIn(file)) (isDeclaration(node) ? bound : used).add(node.text);
  const own = file.statements.flatMap(bindsOf).map(({ name }) => name);
  const doubled = own.filter((name, index) => own.indexOf(name) !== index);
  return { bound, used, doubled };
}

/** Where a variable of a name is declared or used in a file, or in a stretch of it. */
export function identifiers(
  name: string,
  file: ts.SourceFile,
  within?: Span,
): readonly ts.Identifier[] {
  return variablesIn(file, within).filter(({ text }) => text === name);
}

/** Wherever a variable is declared or used. */
function variablesIn(file: ts.SourceFile, { start, end }: Span = { start: 0, end: file.end }) {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (node.end <= start || node.pos >= end) return;
    if (ts.isIdentifier(node)) found.push(node);
    ts.forEachChild(node, (child) => {
      if (!isMemberName(child, node)) visit(child);
    });
  };
  visit(file);
  return found;
}

/** Among the variables of a file: a name of a property is none of them. */
export function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node;
  const isUse = ts.isShorthandPropertyAssignment(parent) || ts.isExportSpecifier(parent);
  return 'name' in parent && parent.name === node && !isUse;
}

/** `row` in `page.row`, `{ row: 1 }` and `import { row as it }` names no variable. */
function isMemberName(child: ts.Node, parent: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name === child;
  if (ts.isQualifiedName(parent)) return parent.right === child;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent))
    return parent.propertyName === child;
  if (ts.isExportSpecifier(parent)) {
    // Re-exports of another module are not names of this one.
    const isPassedOn = parent.parent.parent.moduleSpecifier !== undefined;
    return isPassedOn || (parent.propertyName !== undefined && parent.name === child);
  }
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  return (
    (ts.isTypeElement(parent) || ts.isClassElement(parent) || ts.isObjectLiteralElement(parent)) &&
    parent.name === child &&
    ts.isIdentifier(child)
  );
}

/** Whether control may leave a statement for elsewhere than the next one. */
export function leaves(node: ts.Node): boolean {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  if (
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isBreakOrContinueStatement(node)
  )
    return true;
  return ts.forEachChild(node, leaves) ?? false;
}

/** Imports, types and functions can be used before they are declared. */
export function isPlaced(element: ts.Node): boolean {
  return !(
    ts.isImportDeclaration(element) ||
    ts.isExportDeclaration(element) ||
    ts.isFunctionDeclaration(element) ||
    ts.isInterfaceDeclaration(element) ||
    ts.isTypeAliasDeclaration(element) ||
    ts.isModuleDeclaration(element)
  );
}
