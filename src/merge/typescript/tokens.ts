import { ts } from 'ts-morph';
import type { Source, Token } from '../keyed/tree.ts';

/** The tokens of a file as its formatter cannot change them: the same for any quotes, semicolons, commas and widths. */
export function readTokens(file: ts.SourceFile): Source {
  const tokens: Token[] = [];
  const frozenLines = new Set<number>();
  const { text } = file;
  let end = 0;

  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file);
    if (children.length > 0) {
      children.forEach(visit);
      if (endsByItself(node)) tokens.push({ text: ';', start: end, end });
      return;
    }
    const start = node.getStart(file);
    addComments(start);
    if (node.end > start && !isLayout(node, file)) {
      tokens.push({ text: spell(node, file), start, end: node.end });
      if (isTemplate(node)) freeze(start, node.end);
    }
    end = Math.max(end, node.end);
  };
  const addComments = (until: number): void => {
    for (const found of text.slice(end, until).matchAll(comment)) {
      const start = end + found.index;
      tokens.push({ text: spellComment(found[0]), start, end: start + found[0].length });
    }
  };
  const freeze = (from: number, to: number): void => {
    for (const found of text.slice(from, to).matchAll(/\n/g))
      frozenLines.add(from + found.index + 1);
  };

  visit(file);
  return { text, tokens: tokens.toSorted(byPlace), frozenLines };
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The end of a statement counts, its semicolon does not. */
function endsByItself(node: ts.Node): boolean {
  return ts.isStatement(node) || ts.isTypeElement(node) || ts.isClassElement(node);
}

/** Tokens that formatters put and take as they like. */
function isLayout(node: ts.Node, file: ts.SourceFile): boolean {
  const { parent } = node;
  if (node.kind === ts.SyntaxKind.SemicolonToken) return !ts.isForStatement(parent);
  if (node.kind === ts.SyntaxKind.CommaToken)
    return ts.isTypeElement(parent) || isTrailing(node, file);
  if (node.kind === ts.SyntaxKind.BarToken || node.kind === ts.SyntaxKind.AmpersandToken)
    return isLeading(node, file);
  if (node.kind === ts.SyntaxKind.OpenParenToken || node.kind === ts.SyntaxKind.CloseParenToken)
    return ts.isArrowFunction(parent) ? isBare(parent) : isWrapping(parent);
  return false;
}

/** Parentheses around an expression that stands for itself: formatters put them where it takes more than a line. */
export function isWrapping(node: ts.Node): node is ts.ParenthesizedExpression {
  const { parent } = node;
  if (!ts.isParenthesizedExpression(node) || isNeeded(node)) return false;
  return (
    ts.isReturnStatement(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isVariableDeclaration(parent) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  );
}

/** `() => ({ … })`, `() => (a, b)` */
function isNeeded({ expression }: ts.ParenthesizedExpression): boolean {
  return isComma(expression) || expression.getText().startsWith('{');
}

function isComma(node: ts.Expression): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken;
}

function isTrailing(node: ts.Node, file: ts.SourceFile): boolean {
  return siblings(node, file)?.at(-1) === node;
}

function isLeading(node: ts.Node, file: ts.SourceFile): boolean {
  return siblings(node, file)?.[0] === node;
}

/** The list that a separator stands in. */
function siblings(node: ts.Node, file: ts.SourceFile): readonly ts.Node[] | undefined {
  return node.parent
    .getChildren(file)
    .find((it) => it.kind === ts.SyntaxKind.SyntaxList && it.pos <= node.pos && it.end >= node.end)
    ?.getChildren(file);
}

/** `(x) => …`, which may as well be written `x => …`. */
function isBare({ parameters, type, typeParameters }: ts.ArrowFunction): boolean {
  const [only, second] = parameters;
  if (!only || second || type || typeParameters) return false;
  const { name, initializer, dotDotDotToken } = only;
  return ts.isIdentifier(name) && !only.type && !initializer && !dotDotDotToken;
}

function spell(node: ts.Node, file: ts.SourceFile): string {
  if (!ts.isStringLiteral(node)) return node.getText(file);
  if (isName(node) && /^[A-Za-z_$][\w$]*$/.test(node.text)) return node.text;
  return JSON.stringify(node.text);
}

function isName(node: ts.StringLiteral): boolean {
  const { parent } = node;
  return (ts.isTypeElement(parent) || ts.isObjectLiteralElement(parent)) && parent.name === node;
}

function spellComment(text: string): string {
  return text.replace(/\s*\n\s*/g, '\n').trimEnd();
}

function isTemplate(node: ts.Node): boolean {
  return (
    node.kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral ||
    node.kind === ts.SyntaxKind.TemplateHead ||
    node.kind === ts.SyntaxKind.TemplateMiddle ||
    node.kind === ts.SyntaxKind.TemplateTail
  );
}

function byPlace(left: Token, right: Token): number {
  return left.start - right.start || left.end - right.end;
}
