import { ts } from 'ts-morph';
import type { ListRule } from '../keyed/tree.ts';
import { isRuleSet } from './policy.ts';

interface RuleOfList {
  readonly rule: ListRule;
  readonly bracketed: boolean;
}

/** How the list with a role in a node is merged; undefined if it is merged as text. */
export function listRule(parent: ts.Node, role: string): RuleOfList | undefined {
  return listRules[role]?.(parent);
}

const free = { order: 'free', byPosition: false, allowsBothNew: true } as const;
const fixed = { order: 'fixed', byPosition: false, allowsBothNew: true } as const;

export const statements: ListRule = { separator: '', ...fixed };
const members = { separator: '', ...free } as const;
const signatures = { separator: ';', ...free } as const;
const nameList = { separator: ',', ...free } as const;
const values = { separator: ',', ...fixed, byPosition: true } as const;
const positionList = { separator: ',', ...fixed, byPosition: true, allowsBothNew: false } as const;
const alternativeList = { separator: '|', ...free } as const;

/** Each call uses the result of the one before, but theirs may insert calls between others. */
export const chainRule: ListRule = { separator: '.', ...free };

const listRules: Readonly<Record<string, (parent: ts.Node) => RuleOfList | undefined>> = {
  statements: (parent) => ({
    rule: statements,
    bracketed: ts.isBlock(parent) || ts.isModuleBlock(parent),
  }),
  members: (parent) => ({ rule: memberRule(parent), bracketed: true }),
  properties: (parent) => ({
    rule: hasSpread(parent) ? { ...nameList, order: 'fixed' } : nameList,
    bracketed: true,
  }),
  elements: (parent) => ({
    rule: ts.isArrayLiteralExpression(parent) || ts.isTupleTypeNode(parent) ? values : nameList,
    bracketed: true,
  }),
  arguments: (parent) => ({ rule: isRuleSet(parent) ? nameList : positionList, bracketed: true }),
  parameters: (parent) => ({
    rule: positionList,
    bracketed: !ts.isArrowFunction(parent) || hasParentheses(parent),
  }),
  types: (parent) =>
    ts.isUnionTypeNode(parent) ? { rule: alternativeList, bracketed: false } : undefined,
  declarations: () => ({ rule: positionList, bracketed: false }),
  clauses: () => ({ rule: statements, bracketed: true }),
};

function memberRule(parent: ts.Node): ListRule {
  if (ts.isEnumDeclaration(parent)) return nameList;
  return ts.isClassLike(parent) ? members : signatures;
}

/** Properties after `...values` override it, so their order matters. */
function hasSpread(parent: ts.Node): boolean {
  return ts.isObjectLiteralExpression(parent) && parent.properties.some(ts.isSpreadAssignment);
}

function hasParentheses(node: ts.ArrowFunction): boolean {
  return node.getChildren().some(({ kind }) => kind === ts.SyntaxKind.OpenParenToken);
}

/** Nodes that consist of one list. */
export const brackets: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Block,
  ts.SyntaxKind.ModuleBlock,
  ts.SyntaxKind.CaseBlock,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.NamedImports,
  ts.SyntaxKind.NamedExports,
  ts.SyntaxKind.TypeLiteral,
  ts.SyntaxKind.UnionType,
  ts.SyntaxKind.ObjectBindingPattern,
]);

export function isMergedByParts(node: ts.Node): boolean {
  return (
    brackets.has(node.kind) ||
    expressions.has(node.kind) ||
    ts.isStatement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node)
  );
}

/** Expressions whose content is merged, and parts of statements. */
const expressions: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ClassExpression,
  ts.SyntaxKind.EnumMember,
  ts.SyntaxKind.VariableDeclarationList,
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.NewExpression,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.DefaultClause,
  ts.SyntaxKind.ImportClause,
]);

/** Arguments whose content is merged. */
export const mergedInside: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
]);
