import { ts } from 'ts-morph';
import { isWhole } from './policy.ts';

/** What tells an item from its neighbours; `words` spells a node in tokens. */
export interface Identity {
  readonly key: string;
  readonly alias?: string;
  readonly declares?: 'value' | 'type';
}

export type Words = (node: ts.Node) => string;

export function identify(node: ts.Node, words: Words): Identity {
  return (
    declared(node, words) ?? member(node, words) ?? statement(node, words) ?? value(node, words)
  );
}

function declared(node: ts.Node, words: Words): Identity | undefined {
  if (ts.isImportDeclaration(node)) return { key: `import ${words(node.moduleSpecifier)}` };
  if (ts.isExportDeclaration(node))
    return { key: `export ${node.moduleSpecifier ? words(node.moduleSpecifier) : ''}` };
  if (ts.isExportAssignment(node)) return { key: 'export default' };
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return { key: `type ${words(node.name)}`, declares: 'type' };
  if (ts.isModuleDeclaration(node)) return { key: `module ${words(node.name)}` };
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
    return { key: `value ${node.name ? words(node.name) : 'default'}`, declares: 'value' };
  if (ts.isEnumDeclaration(node)) return { key: `value ${words(node.name)}`, declares: 'value' };
  if (ts.isVariableStatement(node)) return variable(node.declarationList.declarations, words);
  return undefined;
}

/** Known by its names, or, when the user chose others, by what it is set to. */
function variable(declarations: readonly ts.VariableDeclaration[], words: Words): Identity {
  const [first] = declarations;
  const alias = `let ${first?.initializer ? head(first.initializer, words) : ''}`;
  if (first && !ts.isIdentifier(first.name)) return { key: alias };
  const names = declarations.map(({ name }) => words(name)).join(' ');
  return { key: `value ${names}`, alias, declares: 'value' };
}

function member(node: ts.Node, words: Words): Identity | undefined {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
    const alias = words(node.propertyName ?? node.name);
    return { key: node.propertyName ? `${alias} as ${words(node.name)}` : alias, alias };
  }
  if (ts.isVariableDeclaration(node)) return variable([node], words);
  if (ts.isBindingElement(node)) return { key: words(node.propertyName ?? node.name) };
  if (ts.isParameter(node)) return { key: words(node.name) };
  if (ts.isSpreadAssignment(node)) return { key: `... ${words(node.expression)}` };
  if (ts.isConstructorDeclaration(node)) return { key: 'constructor ( )' };
  if (ts.isTypeElement(node) || ts.isClassElement(node) || ts.isObjectLiteralElement(node)) {
    const parts = [
      ts.canHaveModifiers(node) && isStatic(node) ? 'static' : '',
      ts.isGetAccessor(node) ? 'get' : '',
      ts.isSetAccessor(node) ? 'set' : '',
      node.name ? words(node.name) : words(node),
    ];
    return { key: parts.filter(Boolean).join(' ') };
  }
  if (ts.isEnumMember(node)) return { key: words(node.name) };
  return undefined;
}

function isStatic(node: ts.HasModifiers): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}

function statement(node: ts.Node, words: Words): Identity | undefined {
  if (ts.isExpressionStatement(node)) return expression(node.expression, words);
  if (ts.isReturnStatement(node)) return { key: 'return' };
  if (ts.isThrowStatement(node)) return { key: 'throw' };
  if (ts.isTryStatement(node)) return { key: 'try' };
  if (ts.isIfStatement(node)) return { key: `if ${words(node.expression)}`, alias: 'if' };
  if (ts.isSwitchStatement(node))
    return { key: `switch ${words(node.expression)}`, alias: 'switch' };
  if (ts.isForOfStatement(node)) return { key: `for ${words(node.expression)}`, alias: 'for' };
  if (ts.isWhileStatement(node)) return { key: `while ${words(node.expression)}`, alias: 'while' };
  if (ts.isCaseClause(node)) return { key: `case ${words(node.expression)}` };
  if (ts.isDefaultClause(node)) return { key: 'default' };
  return undefined;
}

function expression(node: ts.Expression, words: Words): Identity {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return { key: `set ${words(node.left)}` };
  const call = awaited(node);
  if (!ts.isCallExpression(call)) return { key: words(node) };
  const [first] = call.arguments;
  const alias = head(call, words);
  return { key: first && isPlain(first) ? `${alias} ${words(first)}` : alias, alias };
}

/** A value in a list: calls and braces are known by their head, so that they can be merged inside. */
function value(node: ts.Node, words: Words): Identity {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return { key: 'function' };
  if (ts.isObjectLiteralExpression(node)) return { key: `{ ${nameOf(node, words)}` };
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    const start = head(node, words);
    if (isWhole(node)) return { key: start };
    return { key: first && ts.isStringLiteralLike(first) ? `${start} ${words(first)}` : start };
  }
  return { key: words(node) };
}

const naming = new Set(['id', 'name', 'key', 'path', 'url', 'method']);

/** `{ name: 'posts', … }` is known by that name, `{ who: owner('author_id'), … }` by whom it admits. */
function nameOf({ properties }: ts.ObjectLiteralExpression, words: Words): string {
  const found = properties.find(
    (it) =>
      ts.isPropertyAssignment(it) &&
      ts.isIdentifier(it.name) &&
      (it.name.text === 'who' ||
        (naming.has(it.name.text) && ts.isStringLiteralLike(it.initializer))),
  );
  return found ? words(found) : '';
}

function head(node: ts.Expression, words: Words): string {
  const call = awaited(node);
  if (ts.isCallExpression(call)) return `${callee(call, words)} (`;
  if (ts.isArrowFunction(call) || ts.isFunctionExpression(call)) return '=>';
  return ts.isObjectLiteralExpression(call) ? '{' : words(call);
}

/** What is called; of a chain, where it begins and ends: what is between may change, and it is the same chain. */
function callee(node: ts.CallExpression, words: Words): string {
  const { expression: called } = node;
  if (!ts.isPropertyAccessExpression(called)) return words(called);
  const [first, second] = chainOf(node);
  return first === undefined || second === undefined || second === node
    ? words(called)
    : `${words(first)} . ${words(called.name)}`;
}

/** The calls of a chain, `open.selectFrom('posts').where(…)`: of something else than a call's answer first. */
export function chainOf(node: ts.Node): readonly ts.CallExpression[] {
  const object = objectOf(node);
  if (!object || !ts.isCallExpression(node)) return [];
  const calls = chainOf(object);
  return ts.isCallExpression(object) && calls.length === 0 ? [object, node] : [...calls, node];
}

/** What a call is a method of: a call, where there is one before it. */
export function objectOf(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  const object = node.expression.expression;
  let call = object;
  while (ts.isPropertyAccessExpression(call)) call = call.expression;
  return ts.isCallExpression(call) ? call : object;
}

/** A call in a chain is known by its name and by what it is first given: `.where("posts.id"`, `.$call(isDeleted`. */
export function identifyLink(
  call: ts.CallExpression,
  object: ts.Expression,
  words: Words,
): Identity {
  const alias = `${words(call.expression).slice(words(object).length).trim()} (`;
  const [first] = call.arguments;
  return { key: first ? `${alias} ${wordOf(first, words)}`.trim() : alias, alias };
}

/** Nothing of what is merged inside. */
function wordOf(node: ts.Expression, words: Words): string {
  if (ts.isCallExpression(node)) return head(node, words);
  const isList = ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);
  return isList ? '' : words(node);
}

function awaited(node: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(node) ? awaited(node.expression) : node;
}

function isPlain(node: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node)
  );
}
