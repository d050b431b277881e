import { ts } from 'ts-morph';
import type { Binding, DeclaredAndUsed, Span } from '../keyed/tree.ts';

/** Names that a node declares. Names of types have a prefix. */
export function listBindings(node: ts.Node): Binding[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }, index) =>
      patternNames(name, `${index}`),
    );
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return [makeBinding(`type ${node.name.text}`)];
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
    return node.name ? [{ name: node.name.text, of: 'value' }] : [];
  if (ts.isEnumDeclaration(node))
    return [makeBinding(node.name.text), makeBinding(`type ${node.name.text}`)];
  if (ts.isImportDeclaration(node)) return importedNames(node);
  if (ts.isImportSpecifier(node)) return [imported(node)];
  if (ts.isParameter(node)) return patternNames(node.name, '');
  if (ts.isBindingElement(node))
    return patternNames(node.name, (node.propertyName ?? node.name).getText());
  return [];
}

function makeBinding(name: string): Binding {
  return { name, of: name };
}

function imported({ name, propertyName }: ts.ImportSpecifier): Binding {
  return { name: name.text, of: (propertyName ?? name).text };
}

function patternNames(name: ts.BindingName, of: string): Binding[] {
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

/** The specifiers between the brackets of an import. */
export function namedIn({ importClause }: ts.ImportDeclaration): readonly ts.ImportSpecifier[] {
  const bindings = importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
}

function importedNames(node: ts.ImportDeclaration): Binding[] {
  const { importClause: clause } = node;
  const bindings = clause?.namedBindings;
  return [
    ...(clause?.name ? [{ name: clause.name.text, of: 'default' }] : []),
    ...(bindings && ts.isNamespaceImport(bindings) ? [{ name: bindings.name.text, of: '*' }] : []),
    ...namedIn(node).map(imported),
  ];
}

/** All names that a file declares, in any scope, and all that it uses. */
export function collectNames(file: ts.SourceFile): DeclaredAndUsed {
  const declared = new Set<string>();
  const used = new Set<string>();
  for (const node of variablesIn(file)) (isDeclaration(node) ? declared : used).add(node.text);
  const own = file.statements.flatMap(listBindings).map(({ name }) => name);
  const declaredTwice = own.filter((name, index) => own.indexOf(name) !== index);
  return { declared, used, declaredTwice };
}

/** All places where a variable is declared or used. */
export function listIdentifiers(
  name: string,
  file: ts.SourceFile,
  within?: Span,
): readonly ts.Identifier[] {
  return variablesIn(file, within).filter(({ text }) => text === name);
}

/** All identifiers that name a variable. */
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

export function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node;
  const isUse = ts.isShorthandPropertyAssignment(parent) || ts.isExportSpecifier(parent);
  return 'name' in parent && parent.name === node && !isUse;
}

/** Whether an identifier names a member: `row` in `page.row`, `{ row: 1 }` and `import { row as it }`. */
function isMemberName(child: ts.Node, parent: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name === child;
  if (ts.isQualifiedName(parent)) return parent.right === child;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent))
    return parent.propertyName === child;
  if (ts.isExportSpecifier(parent)) {
    // A re-export of another module declares nothing here.
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

/** Whether a statement may leave its block. */
export function mayExit(node: ts.Node): boolean {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  if (
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isBreakOrContinueStatement(node)
  )
    return true;
  return ts.forEachChild(node, mayExit) ?? false;
}

/** Imports, types and functions can be used before their declaration; the order of others matters. */
export function isOrdered(element: ts.Node): boolean {
  return !(
    ts.isImportDeclaration(element) ||
    ts.isExportDeclaration(element) ||
    ts.isFunctionDeclaration(element) ||
    ts.isInterfaceDeclaration(element) ||
    ts.isTypeAliasDeclaration(element) ||
    ts.isModuleDeclaration(element)
  );
}
