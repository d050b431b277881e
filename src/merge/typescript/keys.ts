import { ts } from 'ts-morph';
import type { Item } from '../keyed/tree.ts';
import type { ItemKey } from '../keyed/key.ts';
import { isWhole } from './policy.ts';

/** How an item is recognised. `words` reads the tokens of a node. */
export type Identity = Pick<Item, 'key' | 'alias' | 'declares'>;

export type WordsOf = (node: ts.Node) => readonly string[];

const makeKey = (kind: ItemKey['kind'], name: ItemKey['name'] = []): Identity => ({
  key: { kind, name },
});

export function identify(node: ts.Node, words: WordsOf): Identity {
  return (
    declared(node, words) ?? member(node, words) ?? statement(node, words) ?? value(node, words)
  );
}

function declared(node: ts.Node, words: WordsOf): Identity | undefined {
  if (ts.isImportDeclaration(node)) return makeKey('import', words(node.moduleSpecifier));
  if (ts.isExportDeclaration(node))
    return makeKey('export', node.moduleSpecifier && words(node.moduleSpecifier));
  if (ts.isExportAssignment(node)) return makeKey('export', ['default']);
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return { ...makeKey('type', words(node.name)), declares: 'type' };
  if (ts.isModuleDeclaration(node)) return makeKey('module', words(node.name));
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node))
    return { ...makeKey('value', node.name ? words(node.name) : ['default']), declares: 'value' };
  if (ts.isVariableStatement(node)) return variable(node.declarationList.declarations, words);
  return undefined;
}

/** Identified by its names, or by its value if the owner renamed it. */
function variable(declarations: readonly ts.VariableDeclaration[], words: WordsOf): Identity {
  const [first] = declarations;
  const begins = first?.initializer ? head(first.initializer, words) : { name: [] };
  const alias: ItemKey = { ...begins, kind: 'let' };
  if (first && !ts.isIdentifier(first.name)) return { key: alias };
  const names = declarations.flatMap(({ name }) => words(name));
  return { ...makeKey('value', names), alias, declares: 'value' };
}

function member(node: ts.Node, words: WordsOf): Identity | undefined {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
    const name = words(node.propertyName ?? node.name);
    const given = node.propertyName ? [...name, 'as', ...words(node.name)] : name;
    return { ...makeKey('given', given), alias: { kind: 'given', name } };
  }
  if (ts.isVariableDeclaration(node)) return variable([node], words);
  if (ts.isBindingElement(node)) return makeKey('given', words(node.propertyName ?? node.name));
  if (ts.isParameter(node)) return makeKey('member', words(node.name));
  if (ts.isSpreadAssignment(node)) return makeKey('...', words(node.expression));
  if (ts.isConstructorDeclaration(node)) return makeKey('constructor');
  if (ts.isTypeElement(node) || ts.isClassElement(node) || ts.isObjectLiteralElement(node)) {
    const parts = [
      ...(ts.isClassElement(node) && ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static
        ? ['static']
        : []),
      ...(ts.isGetAccessor(node) ? ['get'] : ts.isSetAccessor(node) ? ['set'] : []),
      ...words(node.name ?? node),
    ];
    return makeKey('member', parts);
  }
  return ts.isEnumMember(node) ? makeKey('member', words(node.name)) : undefined;
}

function statement(node: ts.Node, words: WordsOf): Identity | undefined {
  if (ts.isExpressionStatement(node)) return expression(node.expression, words);
  if (ts.isReturnStatement(node)) return makeKey('return');
  if (ts.isThrowStatement(node)) return makeKey('throw');
  if (ts.isTryStatement(node)) return makeKey('try');
  if (ts.isIfStatement(node)) return byCondition('if', words(node.expression));
  if (ts.isSwitchStatement(node)) return byCondition('switch', words(node.expression));
  if (ts.isForOfStatement(node)) return byCondition('for', words(node.expression));
  if (ts.isWhileStatement(node)) return byCondition('while', words(node.expression));
  if (ts.isCaseClause(node)) return makeKey('case', words(node.expression));
  return ts.isDefaultClause(node) ? makeKey('default') : undefined;
}

function byCondition(kind: ItemKey['kind'], condition: ItemKey['name']): Identity {
  return { ...makeKey(kind, condition), alias: { kind, name: [] } };
}

function expression(node: ts.Expression, words: WordsOf): Identity {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return makeKey('set', words(node.left));
  const call = awaited(node);
  if (!ts.isCallExpression(call)) return makeKey('text', words(node));
  const [first] = call.arguments;
  const alias = head(call, words);
  return { key: first && isPlain(first) ? { ...alias, argument: words(first) } : alias, alias };
}

/** The key of a value in a list. Calls and objects are identified by their beginning, and merged inside. */
function value(node: ts.Node, words: WordsOf): Identity {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return makeKey('function');
  if (ts.isObjectLiteralExpression(node)) return makeKey('object', objectName(node, words));
  if (!ts.isCallExpression(node)) return makeKey('text', words(node));
  const [first] = node.arguments;
  const start = head(node, words);
  const isNamed = first && ts.isStringLiteralLike(first) && !isWhole(node);
  return { key: isNamed ? { ...start, argument: words(first) } : start };
}

const naming = new Set(['id', 'name', 'key', 'path', 'url', 'method']);

/** Identifies `{ name: 'posts', … }` by that name, and `{ who: owner('author_id'), … }` by who is admitted. */
function objectName({ properties }: ts.ObjectLiteralExpression, words: WordsOf): ItemKey['name'] {
  const found = properties.find(
    (it): it is ts.PropertyAssignment =>
      ts.isPropertyAssignment(it) &&
      ts.isIdentifier(it.name) &&
      (it.name.text === 'who' ||
        (naming.has(it.name.text) && ts.isStringLiteralLike(it.initializer))),
  );
  return found ? words(found.initializer) : [];
}

function head(node: ts.Expression, words: WordsOf): ItemKey {
  const call = awaited(node);
  if (ts.isCallExpression(call)) return { kind: 'call', name: callee(call, words), argument: [] };
  if (ts.isArrowFunction(call) || ts.isFunctionExpression(call))
    return { kind: 'function', name: ['=>'] };
  return { kind: 'text', name: ts.isObjectLiteralExpression(call) ? ['{'] : words(call) };
}

/** The called function. A chain is identified by its beginning and its last call. */
function callee(node: ts.CallExpression, words: WordsOf): ItemKey['name'] {
  const { expression: called } = node;
  if (!ts.isPropertyAccessExpression(called)) return words(called);
  const [first, second] = listChainedCalls(node);
  return first === undefined || second === undefined || second === node
    ? words(called)
    : [...words(first), '.', ...words(called.name)];
}

/** The calls of a chain such as `open.selectFrom('posts').where(…)`, from the first to the last. */
export function listChainedCalls(node: ts.Node): readonly ts.CallExpression[] {
  const object = findReceiver(node);
  if (!object || !ts.isCallExpression(node)) return [];
  const calls = listChainedCalls(object);
  return ts.isCallExpression(object) && calls.length === 0 ? [object, node] : [...calls, node];
}

/** The object that a method is called on; undefined if no call comes before. */
export function findReceiver(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  const object = node.expression.expression;
  let call = object;
  while (ts.isPropertyAccessExpression(call)) call = call.expression;
  return ts.isCallExpression(call) ? call : object;
}

/** A call in a chain is identified by its name and its first argument: `.where("posts.id"`, `.$call(isDeleted`. */
export function identifyLink(
  call: ts.CallExpression,
  object: ts.Expression,
  words: WordsOf,
): Identity {
  const name = words(call.expression).slice(words(object).length);
  const [first] = call.arguments;
  const alias: ItemKey = { kind: 'call', name, argument: [] };
  return { key: first ? { ...alias, argument: readArgument(first, words) } : alias, alias };
}

/** The tokens of an argument, without what is merged inside it. */
function readArgument(node: ts.Expression, words: WordsOf): ItemKey['name'] {
  if (ts.isCallExpression(node)) return [...callee(node, words), '('];
  const isList = ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);
  return isList ? [] : words(node);
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
