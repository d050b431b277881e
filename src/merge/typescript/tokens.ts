import { ts } from 'ts-morph';
import type { Source, Token } from '../keyed/tree.ts';

/** The tokens of a file as its formatter cannot change them: the same for any quotes, semicolons, commas and widths. */
export function readTokens(file: ts.SourceFile): Source {
  const tokens: Token[] = [];
  const frozenLines = new Set<number>();
  const { text } = file;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true);
  scanner.setText(text);
  let end = 0;

  const visit = (node: ts.Node): void => {
    if (ts.isToken(node)) return addToken(node);
    let place = node.pos;
    const isWord = ({ kind }: Mark) => !isLayout(kind, node);
    const toChild = (child: ts.Node): void => {
      addMarks({ from: place, to: child.pos }, isWord);
      visit(child);
      place = child.end;
    };
    const toList = (list: ts.NodeArray<ts.Node>): void => {
      addMarks({ from: place, to: list.pos }, isWord);
      place = list.pos;
      const isLeading = ({ kind }: Mark) => place === list.pos && isOperator(kind);
      for (const child of list) {
        addMarks({ from: place, to: child.pos }, (mark) => isWord(mark) && !isLeading(mark));
        visit(child);
        place = child.end;
      }
      addMarks({ from: place, to: list.end }, (mark) => isWord(mark) && !isComma(mark.kind));
      place = list.end;
    };
    ts.forEachChild(node, toChild, toList);
    addMarks({ from: place, to: node.end }, isWord);
    if (endsByItself(node)) tokens.push({ text: ';', start: end, end });
  };
  /** What the compiler keeps no nodes for: brackets, separators, keywords. */
  const addMarks = (gap: { readonly from: number; readonly to: number }, isWord: IsWord): void => {
    scanner.resetTokenState(gap.from);
    while (scanner.getTokenEnd() < gap.to) {
      const mark = { kind: scanner.scan(), start: scanner.getTokenStart() };
      const after = scanner.getTokenEnd();
      if (after > gap.to) return;
      add(mark.start, after, isWord(mark) && text.slice(mark.start, after));
    }
  };
  const addToken = (node: ts.Node): void => {
    const start = node.getStart(file);
    add(start, node.end, !isLayout(node.kind, node.parent) && spell(node, file));
    if (isTemplate(node)) freeze(start, node.end);
  };
  const add = (start: number, after: number, word: string | false): void => {
    addComments(start);
    if (word && after > start) tokens.push({ text: word, start, end: after });
    end = Math.max(end, after);
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

interface Mark {
  readonly kind: ts.SyntaxKind;
  readonly start: number;
}

/** Whether a mark says something, or is there for the layout. */
type IsWord = (mark: Mark) => boolean;

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The end of a statement counts, its semicolon does not. */
function endsByItself(node: ts.Node): boolean {
  return ts.isStatement(node) || ts.isTypeElement(node) || ts.isClassElement(node);
}

/** Tokens that formatters put and take as they like, wherever they stand in their parent. */
function isLayout(kind: ts.SyntaxKind, parent: ts.Node): boolean {
  if (kind === ts.SyntaxKind.SemicolonToken) return !ts.isForStatement(parent);
  if (isComma(kind)) return ts.isTypeElement(parent);
  if (kind === ts.SyntaxKind.OpenParenToken || kind === ts.SyntaxKind.CloseParenToken)
    return ts.isArrowFunction(parent) ? isBare(parent) : isWrapping(parent);
  return false;
}

/** What joins the types of a union or an intersection, and may stand before the first of them, too. */
function isOperator(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.BarToken || kind === ts.SyntaxKind.AmpersandToken;
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
  const isPair = ts.isBinaryExpression(expression) && isComma(expression.operatorToken.kind);
  return isPair || expression.getText().startsWith('{');
}

function isComma(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.CommaToken;
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
