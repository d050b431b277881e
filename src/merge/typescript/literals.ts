import { ts } from 'ts-morph';

/** The text between quotes, or between backticks with its placeholders; or the key of a property. */
export interface Literal {
  readonly text: string;
  /** The offset of `text` in the file. */
  readonly start: number;
  readonly isKey: boolean;
  /** Whether its object is spread into another one: the compiler accepts any key there. */
  readonly isSpread: boolean;
  /** The name of the function that it is a template or the first argument of: `sql`, `sql.raw`. */
  readonly tag: string | undefined;
  /** The text of the statement that has it, without the bodies of functions. */
  readonly around: string;
}

/** Every string and key of a file except module names. */
export function listLiterals(path: string, text: string): readonly Literal[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const literals: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const quote = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? 1 : 0;
    if (quote > 0 || isPropertyName(node)) {
      const written = node.getText();
      literals.push({
        text: written.slice(quote, written.length - quote),
        start: node.getStart() + quote,
        isKey: quote === 0,
        isSpread: quote === 0 && isSpread(node.parent.parent),
        tag: findTag(node),
        around: textWithoutBodies(statementAround(node, quote === 0)),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return literals;
}

function isPropertyName(node: ts.Node): boolean {
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) &&
    parent.name === node
  );
}

/** Whether a value ends up in a spread: `...(name && { name })` */
function isSpread({ parent }: ts.Node): boolean {
  if (ts.isSpreadAssignment(parent)) return true;
  const isInside =
    ts.isParenthesizedExpression(parent) ||
    ts.isBinaryExpression(parent) ||
    ts.isConditionalExpression(parent);
  return isInside && isSpread(parent);
}

function findTag(node: ts.Node): string | undefined {
  const { parent } = node;
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag.getText();
  if (ts.isArrayLiteralExpression(parent) || ts.isAsExpression(parent)) return findTag(parent);
  return ts.isCallExpression(parent) && parent.arguments[0] === node
    ? parent.expression.getText()
    : undefined;
}

/** A key is not near what is around a function that only has an expression: `test('posts', () => expect(it))`. */
function statementAround(node: ts.Node, isKey: boolean): ts.Node {
  const { parent } = node;
  const isBody = isKey && ts.isArrowFunction(parent) && !ts.isParenthesizedExpression(node);
  if (ts.isStatement(node) || ts.isSourceFile(parent) || isBody) return node;
  return statementAround(parent, isKey);
}

function textWithoutBodies(node: ts.Node): string {
  let text = '';
  let from = node.getStart();
  const visit = (inner: ts.Node): void => {
    if (!ts.isBlock(inner)) return void ts.forEachChild(inner, visit);
    text += inner.getSourceFile().text.slice(from, inner.pos);
    from = inner.end;
  };
  ts.forEachChild(node, visit);
  return text + node.getSourceFile().text.slice(from, node.end);
}
