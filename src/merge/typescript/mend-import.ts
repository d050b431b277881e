import { ts } from 'ts-morph';
import { renameImported, replaceNode, type Edit } from './rename-edits.ts';

/** Where an import leads to now. */
export interface ImportedFile {
  readonly specifier: string;
  readonly exports: (name: string) => boolean;
}

/** Whether a string names a module: in an import, an export or a call that takes one. */
export function isModuleName(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

/** The path, and with it the names that the file at its end calls otherwise now. */
export function mendImport(
  node: ts.StringLiteralLike,
  file: ImportedFile,
  respell: (word: string) => readonly string[],
): readonly Edit[] {
  const quote = node.getText()[0] ?? `'`;
  return [
    replaceNode(node, `${quote}${file.specifier}${quote}`),
    ...specifiersOf(node.parent).flatMap((specifier) => {
      const { text } = specifier.propertyName ?? specifier.name;
      const name = file.exports(text) ? undefined : respell(text).find(file.exports);
      if (name === undefined) return [];
      if (ts.isImportSpecifier(specifier)) return renameImported(specifier, name);
      return [replaceNode(specifier, `${name} as ${specifier.name.text}`)];
    }),
  ];
}

type Specifier = ts.ImportSpecifier | ts.ExportSpecifier;

function specifiersOf(node: ts.Node): readonly Specifier[] {
  if (ts.isImportDeclaration(node)) {
    const bindings = node.importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  }
  if (!ts.isExportDeclaration(node) || !node.exportClause) return [];
  return ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
}
