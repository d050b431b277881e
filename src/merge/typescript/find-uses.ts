import { ts } from 'ts-morph';
import { isModuleName } from './fix-imports.ts';

/** A place where a member is named: behind a dot, as a key, in quotes. */
interface MemberUse {
  readonly word: string;
  readonly start: number;
  readonly isText: boolean;
}

/** Every place that names one of these members, or that holds one of these words in whatever role. */
export function findMemberUses(
  { path, text }: { readonly path: string; readonly text: string },
  isMember: (word: string) => boolean,
  isMeantAnywhere: (word: string) => boolean,
): readonly MemberUse[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const uses: MemberUse[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { text: word } = node;
      if ((isMember(word) && namesMember(node)) || isMeantAnywhere(word)) {
        uses.push({ word, start: node.getStart(), isText: false });
      }
    } else if (ts.isStringLiteralLike(node) && !isModuleName(node)) {
      const [, before = '', word = ''] = inText.exec(node.text) ?? [];
      if (isMember(word) || isMeantAnywhere(word)) {
        uses.push({ word, start: node.getStart() + 1 + before.length, isText: true });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

/** `dose`, `-dose`, `prescriptions.dose`, `dose as amount` */
const inText = /^(-?(?:[\w$]+\.)*)([\w$]+)(?:\s+as\s+[\w$]+)?$/;

function namesMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) {
    if (!ts.isObjectBindingPattern(parent.parent)) return false;
    return (parent.propertyName ?? parent.name) === node;
  }
  return (
    ts.isShorthandPropertyAssignment(parent) ||
    ((ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isGetAccessor(parent) ||
      ts.isSetAccessor(parent)) &&
      parent.name === node)
  );
}

/** What stands between quotes, or between backticks with its gaps. */
export interface Literal {
  readonly text: string;
  /** Where `text` begins in the file. */
  readonly start: number;
  /** Name of the function that it is tagged with or given to first, alone or in a list: `sql`, `sql.raw`. */
  readonly tag: string | undefined;
  /** The text of its statement, as far as the block that it is in. */
  readonly around: string;
}

/** Every string of a file but those that name modules. */
export function literalsOf(path: string, text: string): readonly Literal[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const literals: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      literals.push({
        text: node.getText().slice(1, -1),
        start: node.getStart() + 1,
        tag: tagOf(node),
        around: statementOf(node).getText(),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return literals;
}

function tagOf(node: ts.Node): string | undefined {
  const { parent } = node;
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag.getText();
  if (ts.isArrayLiteralExpression(parent) || ts.isAsExpression(parent)) return tagOf(parent);
  return ts.isCallExpression(parent) && parent.arguments[0] === node
    ? parent.expression.getText()
    : undefined;
}

function statementOf(node: ts.Node): ts.Node {
  const { parent } = node;
  return ts.isStatement(node) || ts.isSourceFile(parent) ? node : statementOf(parent);
}
