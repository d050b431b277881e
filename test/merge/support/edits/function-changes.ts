import { ts } from 'ts-morph';
import type { Dice } from '../dice.ts';
import type { Found } from './anchors.ts';
import { splice } from './splice.ts';

/** With the comment above: left behind, it would be the owner's, about nothing that a change knows. */
export function moveToEnd(text: string, { start, end, comment }: Found): string | undefined {
  const above = start - comment.length;
  const rest = splice(text, above, end, '').replace(/\n{3,}/g, '\n\n');
  return append(rest, text.slice(above, end));
}

function append(text: string, added: string): string {
  return `${text.trimEnd()}\n\n${added}\n`;
}

export function addParameter(text: string, { node }: Found, { detail }: Dice): string | undefined {
  if (!ts.isFunctionDeclaration(node) || node.parameters.length === 0) return undefined;
  const { end } = node.parameters;
  return splice(text, end, end, `, extra${detail} = ${detail}`);
}

export function addReturnType(text: string, { node }: Found): string | undefined {
  if (!ts.isFunctionDeclaration(node) || node.type || !node.body) return undefined;
  const { end } = node.parameters;
  return splice(text, end + 1, end + 1, ': Promise<unknown>');
}

/** Below it, under a name of its own, to be changed from there. */
export function copyFunction(text: string, { node, end }: Found, { detail }: Dice) {
  if (!ts.isFunctionDeclaration(node) || !node.name) return undefined;
  const copy = node.getText().replace(`function ${node.name.text}`, `$&Of${detail}`);
  return splice(text, end, end, `\n\n${copy}`);
}

/** What a variable is set to comes from a function of the owner's at the end of the file. */
export function takeHelperOut(text: string, { node }: Found, { detail }: Dice) {
  if (!ts.isVariableStatement(node) || !ts.isBlock(node.parent)) return undefined;
  const value = node.declarationList.declarations[0]?.initializer;
  if (!value) return undefined;
  const [call, prefix] = ts.isAwaitExpression(value) ? ['await ', 'async '] : ['', ''];
  const after = splice(text, value.getStart(), value.end, `${call}helper${detail}()`);
  return append(after, `${prefix}function helper${detail}() {\n  return ${value.getText()};\n}`);
}

/** What a route does moves into a function of the owner's at the end of the file. */
export function takeHandlerOut(text: string, { node }: Found, { detail }: Dice) {
  const handler = handlerOf(node);
  if (!handler || !ts.isBlock(handler.body)) return undefined;
  const after = splice(text, handler.getStart(), handler.end, `handler${detail}`);
  const head = `${handler.modifiers ? 'async ' : ''}function handler${detail}`;
  const parameters = handler.parameters.map((it) => it.getText()).join(', ');
  return append(after, `${head}(${parameters}) ${handler.body.getText()}`);
}

/** The function that a call is given last. */
export function handlerOf(node: ts.Node): ts.ArrowFunction | undefined {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return undefined;
  const last = node.expression.arguments.at(-1);
  return last && ts.isArrowFunction(last) ? last : undefined;
}

export function turnIntoArrow(text: string, { node, start, end }: Found): string | undefined {
  if (!ts.isFunctionDeclaration(node) || !node.name || !node.body || node.asteriskToken)
    return undefined;
  const has = (kind: ts.SyntaxKind) => node.modifiers?.some((it) => it.kind === kind);
  const head = `${has(ts.SyntaxKind.ExportKeyword) ? 'export ' : ''}const ${node.name.text} = `;
  const prefix = has(ts.SyntaxKind.AsyncKeyword) ? 'async ' : '';
  const signature = text.slice(node.name.end, node.body.getStart()).trimEnd();
  return splice(text, start, end, `${head}${prefix}${signature} => ${node.body.getText()};`);
}
