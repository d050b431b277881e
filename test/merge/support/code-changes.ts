import { ts } from 'ts-morph';
import type { Found } from './anchors.ts';
import type { Dice } from './dice.ts';

export function splice(text: string, start: number, end: number, added: string): string {
  return text.slice(0, start) + added + text.slice(end);
}

export function indent(text: string, place: number): string {
  const line = text.slice(text.lastIndexOf('\n', place - 1) + 1);
  return /^ */.exec(line)?.[0] ?? '';
}

export function isFirstOnLine(text: string, place: number): boolean {
  return text.slice(text.lastIndexOf('\n', place - 1) + 1, place).trim() === '';
}

export function deleteNode(text: string, { start, end }: Found): string | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const isAlone =
    /^\s*$/.test(text.slice(lineStart, start)) && /^[;,]?$/.test(text.slice(end, lineEnd));
  return isAlone ? splice(text, lineStart, lineEnd + 1, '') : undefined;
}

export function changeValue(
  text: string,
  { start, end }: Found,
  { detail }: Dice,
): string | undefined {
  const values = [...text.slice(start, end).matchAll(/'[^'\n]*'|\b\d+\b|\b(?:true|false)\b/g)];
  const found = values[detail % Math.max(1, values.length)];
  if (!found) return undefined;
  const place = start + found.index;
  const value = found[0].startsWith("'") ? `'mine ${detail}'` : `${1000 + detail}`;
  return splice(text, place, place + found[0].length, value);
}

/** The first argument of a call gets a call around it. */
export function wrapValue(text: string, { node }: Found, { detail }: Dice): string | undefined {
  const calls: ts.CallExpression[] = [];
  const visit = (it: ts.Node): void => {
    if (ts.isCallExpression(it) && it.arguments.length > 0) calls.push(it);
    if (!ts.isFunctionLike(it)) ts.forEachChild(it, visit);
  };
  visit(node);
  const argument = calls[detail % Math.max(1, calls.length)]?.arguments.at(-1);
  if (!argument || ts.isFunctionLike(argument)) return undefined;
  const value = argument.getText();
  return splice(text, argument.getStart(), argument.end, `checked${detail}(${value})`);
}

export function renameVariable(
  text: string,
  { node }: Found,
  { detail }: Dice,
): string | undefined {
  if (!ts.isVariableStatement(node) || !ts.isBlock(node.parent)) return undefined;
  const name = node.declarationList.declarations[0]?.name;
  if (!name || !ts.isIdentifier(name) || name.text === 'app') return undefined;
  const { pos, end } = node.parent;
  const body = text.slice(pos, end);
  return splice(
    text,
    pos,
    end,
    body.replace(new RegExp(`\\b${name.text}\\b`, 'g'), `mine${detail}`),
  );
}

/** The last argument of a call gets a name of its own. */
export function takeOut(
  text: string,
  { node, start }: Found,
  { detail }: Dice,
): string | undefined {
  const calls: ts.CallExpression[] = [];
  const visit = (it: ts.Node): void => {
    if (ts.isCallExpression(it) && it.arguments.length > 0) calls.push(it);
    if (!ts.isFunctionLike(it)) ts.forEachChild(it, visit);
  };
  visit(node);
  const argument = calls[detail % Math.max(1, calls.length)]?.arguments.at(-1);
  if (!argument || ts.isFunctionLike(argument)) return undefined;
  const value = argument.getText();
  const after = splice(text, argument.getStart(), argument.end, `mine${detail}`);
  return splice(after, start, start, `const mine${detail} = ${value};\n${indent(text, start)}`);
}

/** One of the imported names gets another, here and wherever it is used. */
export function renameImport(
  text: string,
  { node, start, end }: Found,
  { detail }: Dice,
): string | undefined {
  if (!ts.isImportDeclaration(node)) return undefined;
  const names = [...text.slice(start, end).matchAll(/(?<=\{.*)\b(?!type\b)\w+(?=,| \})/g)];
  const [name = ''] = names[detail % Math.max(1, names.length)] ?? [];
  if (name === '') return undefined;
  const word = new RegExp(`\\b${name}\\b`, 'g');
  const clause = text.slice(start, end).replace(word, `${name} as mine${detail}`);
  return text.slice(0, start) + clause + text.slice(end).replace(word, `mine${detail}`);
}

export function moveUp(text: string, { node, start, end }: Found): string | undefined {
  if (!ts.isBlock(node.parent) || !ts.isStatement(node)) return undefined;
  const before = node.parent.statements[node.parent.statements.indexOf(node) - 1];
  if (!before || ts.isReturnStatement(node)) return undefined;
  const between = text.slice(before.end, start);
  if (between.trim() !== '') return undefined;
  const above = before.getStart();
  return splice(text, above, end, text.slice(start, end) + between + text.slice(above, before.end));
}

export function wrapBody(text: string, { node }: Found, { detail }: Dice): string | undefined {
  const block = node.parent;
  if (!ts.isBlock(block) || !ts.isArrowFunction(block.parent)) return undefined;
  const [first, last] = [block.statements[0], block.statements.at(-1)];
  if (!first || !last) return undefined;
  const depth = indent(text, first.getStart());
  const body = text.slice(first.getStart(), last.end).replaceAll('\n', '\n  ');
  const wrapped = `try {\n${depth}  ${body}\n${depth}} catch (error) {\n${depth}  throw explain${detail}(error);\n${depth}}`;
  return splice(text, first.getStart(), last.end, wrapped);
}

export function sortImports(text: string): string | undefined {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (/^import .*;$/.test(line) ? [index] : []));
  const sorted = places.map((index) => lines[index] ?? '').toSorted();
  for (const [index, place] of places.entries()) lines[place] = sorted[index] ?? '';
  return lines.join('\n');
}

export function moveToEnd(text: string, { start, end }: Found): string | undefined {
  const rest = splice(text, start, end, '').replace(/\n{3,}/g, '\n\n');
  return `${rest.trimEnd()}\n\n${text.slice(start, end)}\n`;
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
