import { ts } from 'ts-morph';
import type { Dice } from '../dice.ts';
import type { Found } from './anchors.ts';
import { indent, splice } from './splice.ts';

/** With the comment above, which is about nothing then. */
export function deleteNode(text: string, { start, end, comment }: Found): string | undefined {
  const above = start - comment.length;
  const lineStart = text.lastIndexOf('\n', above - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const isAlone =
    /^\s*$/.test(text.slice(lineStart, above)) && /^[;,]?$/.test(text.slice(end, lineEnd));
  return isAlone ? splice(text, lineStart, lineEnd + 1, '') : undefined;
}

/** The last argument of a call gets a name of its own. */
export function takeOut(
  text: string,
  { node, start }: Found,
  { detail }: Dice,
): string | undefined {
  const argument = lastArgument(node, detail);
  if (!argument) return undefined;
  const value = argument.getText();
  const after = splice(text, argument.getStart(), argument.end, `mine${detail}`);
  return splice(after, start, start, `const mine${detail} = ${value};\n${indent(text, start)}`);
}

/** That of one of the calls in a statement, unless it is a function. */
export function lastArgument(statement: ts.Node, choice: number): ts.Expression | undefined {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.arguments.length > 0) calls.push(node);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(statement);
  const argument = calls[choice % Math.max(1, calls.length)]?.arguments.at(-1);
  return argument && !ts.isFunctionLike(argument) ? argument : undefined;
}

/** The same call once more, below it, with another path. */
export function copyCall(text: string, { start, end, text: call }: Found, { detail }: Dice) {
  const copy = call.replace(/^([^']*'[^']*)'/, `$1-mine-${detail}'`);
  return splice(text, end, end, `\n\n${indent(text, start)}${copy}`);
}

export function moveUp(text: string, { node, start, end }: Found): string | undefined {
  if (!ts.isBlock(node.parent) || !ts.isStatement(node) || ts.isReturnStatement(node))
    return undefined;
  const before = node.parent.statements[node.parent.statements.indexOf(node) - 1];
  return before && swap(text, before, { start, end });
}

export function moveMemberUp(text: string, { node, start, end }: Found): string | undefined {
  if (!ts.isInterfaceDeclaration(node.parent)) return undefined;
  const { members } = node.parent;
  const before = members[members.findIndex((it) => it === node) - 1];
  return before && swap(text, before, { start, end });
}

/** With the one before it, when nothing but space is between them. */
function swap(
  text: string,
  before: ts.Node,
  { start, end }: Pick<Found, 'start' | 'end'>,
): string | undefined {
  const between = text.slice(before.end, start);
  if (between.trim() !== '') return undefined;
  const above = before.getStart();
  return splice(text, above, end, text.slice(start, end) + between + text.slice(above, before.end));
}

/** Everything that a handler does, inside something of the owner's. */
export function wrapBody(open: string, close: string) {
  return (text: string, { node }: Found, { detail }: Dice): string | undefined => {
    const block = node.parent;
    if (!ts.isBlock(block) || !ts.isArrowFunction(block.parent)) return undefined;
    const [first, last] = [block.statements[0], block.statements.at(-1)];
    if (!first || !last) return undefined;
    const depth = indent(text, first.getStart());
    const body = text.slice(first.getStart(), last.end).replaceAll('\n', '\n  ');
    const end = close.replaceAll('#', `${detail}`).replaceAll('\n', `\n${depth}`);
    const wrapped = `${open.replace('#', `${detail}`)}\n${depth}  ${body}\n${depth}${end}`;
    return splice(text, first.getStart(), last.end, wrapped);
  };
}
