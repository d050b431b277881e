import { ts } from 'ts-morph';
import type { Source, Span, Token } from '../keyed/tree.ts';
import { spellHtml } from './html.ts';

/** Reads tokens in a form that no formatter changes: independent of quotes, semicolons, commas and line width. */
export function readTokens(file: ts.SourceFile): Source {
  const { text } = file;
  const tokens: Token[] = [];
  const frozenLines = new Set<number>();
  let end = 0;
  const addComments = (until: number): void => {
    for (const found of text.slice(end, until).matchAll(commentPattern)) {
      const start = end + found.index;
      const spelled = found[0].replace(/\s*\n\s*/g, '\n').trimEnd();
      tokens.push({ text: spelled, start, end: start + found[0].length });
    }
  };
  const freeze = (span: Span): void => {
    for (const found of text.slice(span.start, span.end).matchAll(/\n/g))
      frozenLines.add(span.start + found.index + 1);
  };
  walk(file, {
    token(span, spelled) {
      addComments(span.start);
      if (spelled !== undefined && span.end > span.start) tokens.push({ text: spelled, ...span });
      end = Math.max(end, span.end);
    },
    template: freeze,
    end: () => void tokens.push({ text: ';', start: end, end }),
  });
  const sorted = tokens.toSorted((one, other) => one.start - other.start || one.end - other.end);
  return { text, tokens: sorted, frozenLines };
}

interface TokenVisitor {
  /** Called in the order of the text. `spelled` is undefined for a token that only serves the layout. */
  readonly token: (span: Span, spelled: string | undefined) => void;
  readonly template: (span: Span) => void;
  /** Called at the end of a statement or member, with a semicolon or without. */
  readonly end: () => void;
}

function walk(file: ts.SourceFile, visitor: TokenVisitor): void {
  const visitMarks = readMarks(file, visitor);
  const visit = (node: ts.Node): void => {
    if (ts.isToken(node)) return visitToken(file, node, visitor);
    let offset = node.pos;
    const isWord = (kind: ts.SyntaxKind) => !isLayout(kind, node);
    const toChild = (child: ts.Node): void => {
      visitMarks(offset, child.pos, isWord);
      visit(child);
      offset = child.end;
    };
    const toList = (list: ts.NodeArray<ts.Node>): void => {
      const [first] = list;
      visitMarks(offset, list.pos, isWord);
      offset = list.pos;
      visitMarks(offset, first?.pos ?? offset, (kind) => isWord(kind) && !isOperator(kind));
      offset = first?.pos ?? offset;
      list.forEach(toChild);
      visitMarks(offset, list.end, (kind) => isWord(kind) && !isComma(kind));
      offset = list.end;
    };
    ts.forEachChild(node, toChild, toList);
    visitMarks(offset, node.end, isWord);
    if (endsByItself(node)) visitor.end();
  };
  visit(file);
}

/** Visits tokens that are not nodes: brackets, separators, keywords. */
function readMarks({ text }: ts.SourceFile, visitor: TokenVisitor) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true);
  scanner.setText(text);
  return (from: number, to: number, isWord: (kind: ts.SyntaxKind) => boolean): void => {
    scanner.resetTokenState(from);
    while (scanner.getTokenEnd() < to) {
      const kind = scanner.scan();
      const span = { start: scanner.getTokenStart(), end: scanner.getTokenEnd() };
      if (span.end > to) return;
      visitor.token(span, isWord(kind) ? text.slice(span.start, span.end) : undefined);
    }
  };
}

function visitToken(file: ts.SourceFile, node: ts.Node, visitor: TokenVisitor): void {
  const span = { start: node.getStart(file), end: node.end };
  visitor.token(span, isLayout(node.kind, node.parent) ? undefined : spellToken(node, file));
  if (isTemplateToken(node)) visitor.template(span);
}

const commentPattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The end of a statement is a token; its semicolon is not. */
function endsByItself(node: ts.Node): boolean {
  return ts.isStatement(node) || ts.isTypeElement(node) || ts.isClassElement(node);
}

/** Whether formatters may add or remove a token. */
function isLayout(kind: ts.SyntaxKind, parent: ts.Node): boolean {
  if (kind === ts.SyntaxKind.SemicolonToken) return !ts.isForStatement(parent);
  if (isComma(kind)) return ts.isTypeElement(parent);
  if (kind === ts.SyntaxKind.OpenParenToken || kind === ts.SyntaxKind.CloseParenToken)
    return ts.isArrowFunction(parent) ? isBare(parent) : isParenthesized(parent);
  return false;
}

/** Whether a token joins types. It may also precede the first one. */
function isOperator(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.BarToken || kind === ts.SyntaxKind.AmpersandToken;
}

/** Whether parentheses enclose a whole expression, as formatters put them around long ones. */
export function isParenthesized(node: ts.Node): node is ts.ParenthesizedExpression {
  const { parent } = node;
  if (!ts.isParenthesizedExpression(node) || isNeededAround(node)) return false;
  return (
    ts.isReturnStatement(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isVariableDeclaration(parent) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  );
}

/** `() => ({ … })`, `() => (a, b)` */
function isNeededAround({ expression }: ts.ParenthesizedExpression): boolean {
  const isPair = ts.isBinaryExpression(expression) && isComma(expression.operatorToken.kind);
  return isPair || expression.getText().startsWith('{');
}

function isComma(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.CommaToken;
}

/** Whether an arrow function may be written without parentheses: `x => …`. */
function isBare({ parameters, type, typeParameters }: ts.ArrowFunction): boolean {
  const [only, second] = parameters;
  if (!only || second || type || typeParameters) return false;
  const { name, initializer, dotDotDotToken } = only;
  return ts.isIdentifier(name) && !only.type && !initializer && !dotDotDotToken;
}

function spellToken(node: ts.Node, file: ts.SourceFile): string {
  if (isTemplateToken(node)) return spellHtml(node) ?? node.getText(file);
  if (!ts.isStringLiteral(node)) return node.getText(file);
  if (isQuotedMemberName(node) && /^[A-Za-z_$][\w$]*$/.test(node.text)) return node.text;
  return JSON.stringify(node.text);
}

function isQuotedMemberName(node: ts.StringLiteral): boolean {
  const { parent } = node;
  return (ts.isTypeElement(parent) || ts.isObjectLiteralElement(parent)) && parent.name === node;
}

function isTemplateToken(node: ts.Node): boolean {
  return (
    node.kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral ||
    node.kind === ts.SyntaxKind.TemplateHead ||
    node.kind === ts.SyntaxKind.TemplateMiddle ||
    node.kind === ts.SyntaxKind.TemplateTail
  );
}
