import { ts } from 'ts-morph';

/** Whether a selected column could take the place of another value of its query if its name changed. */
export function mayCollide(column: ts.StringLiteralLike, isName: (name: string) => boolean) {
  const query = queryAround(column);
  if (query === undefined) return false;
  const calls = listCalls(query);
  const selected = calls
    .filter(({ name }) => selects.test(name))
    .flatMap(({ call }) => call.arguments);
  const others = selected.flatMap(listValues).filter((it) => it !== column);
  return (
    calls.some(({ name }) => name.endsWith('All')) ||
    others.map(selectedName).some((name) => name === undefined || isName(name))
  );
}

const selects = /^(?:select|returning)$/;

/** The chain of calls of which one selects this value, as far as it is in one place. */
function queryAround(value: ts.Node): ts.Node | undefined {
  let list = value.parent;
  while (ts.isArrayLiteralExpression(list) || ts.isArrowFunction(list)) list = list.parent;
  if (!ts.isCallExpression(list) || !selects.test(calledName(list))) return undefined;
  let query: ts.Node = list;
  while (isLink(query.parent) && query.parent.expression === query) query = query.parent;
  return query;
}

const isLink = (node: ts.Node) => ts.isCallExpression(node) || ts.isPropertyAccessExpression(node);

function listCalls(node: ts.Node): readonly { name: string; call: ts.CallExpression }[] {
  if (ts.isPropertyAccessExpression(node)) return listCalls(node.expression);
  if (!ts.isCallExpression(node)) return [];
  return [...listCalls(node.expression), { name: calledName(node), call: node }];
}

function calledName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

function listValues(node: ts.Node): readonly ts.Node[] {
  if (ts.isArrowFunction(node)) return listValues(node.body);
  if (ts.isParenthesizedExpression(node)) return listValues(node.expression);
  return ts.isArrayLiteralExpression(node) ? node.elements.flatMap(listValues) : [node];
}

/** The name of a value: `'posts.title'`, `'title as heading'`, `sum('views').as('views')`. */
function selectedName(value: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(value)) return /\w+$/.exec(value.text)?.[0];
  if (!ts.isCallExpression(value) || calledName(value) !== 'as') return undefined;
  const [name] = value.arguments;
  return name && selectedName(name);
}
