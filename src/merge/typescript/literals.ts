import { ts } from 'ts-morph';

/** The text between quotes, or between backticks with its placeholders. */
export interface Literal {
  readonly text: string;
  /** The offset of `text` in the file. */
  readonly start: number;
  /** The name of the function that it is a template or the first argument of: `sql`, `sql.raw`. */
  readonly tag: string | undefined;
  /** The text of the statement that has it, without nested blocks. */
  readonly around: string;
}

/** Every string of a file except module names. */
export function listLiterals(path: string, text: string): readonly Literal[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const literals: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      literals.push({
        text: node.getText().slice(1, -1),
        start: node.getStart() + 1,
        tag: findTag(node),
        around: statementAround(node).getText(),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return literals;
}

function findTag(node: ts.Node): string | undefined {
  const { parent } = node;
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag.getText();
  if (ts.isArrayLiteralExpression(parent) || ts.isAsExpression(parent)) return findTag(parent);
  return ts.isCallExpression(parent) && parent.arguments[0] === node
    ? parent.expression.getText()
    : undefined;
}

function statementAround(node: ts.Node): ts.Node {
  const { parent } = node;
  return ts.isStatement(node) || ts.isSourceFile(parent) ? node : statementAround(parent);
}
