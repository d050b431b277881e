import { fitsIn } from '../display-width.ts';
import { type Brackets, findBracketPairs, splitList, findOpenBrackets } from './brackets.ts';
import { remember } from '../remember.ts';
import { chainedCalls, findCallOfFunctions, rules } from './break-rules.ts';

/** The maximum length of a line of emitted code. */
export const lineWidth = 100;

/**
 * Breaks lines that are too long, as prettier would. Names in a schema may have any length, so templates and views
 * write a statement in one line and leave the breaks to this function.
 */
export const breakLines = remember((text) => {
  const lines = withoutGaps(text).split('\n');
  for (let index = 0; index < lines.length; index += 1) openCall(lines, index);
  return lines.flatMap(fit).join('\n');
}, 500);

/** Drops lines of spaces, where a view printed nothing, merges empty lines, and closes what is empty. */
const withoutGaps = (text: string) =>
  text
    .replace(/\{\n\s*\}/g, '{}')
    .replace(/\(\n *\{\},\n *(.*),\n *\);$/gm, '({}, $1);')
    .replace(/^ +\n/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n(?= *[}\])])/g, '\n');

/** If `f(a, b, {` is too long and continues until `});`, gives each argument a line of its own. */
function openCall(lines: string[], index: number): void {
  const first = lines[index] ?? '';
  const code = first.trimStart();
  const indent = first.slice(0, first.length - code.length);
  if (!code.endsWith('{') || fitsIn(lineWidth, first) || keptLine.test(code)) return;
  const [brace, call = -1] = findOpenBrackets(code);
  const args = splitList(code.slice(call + 1));
  const end = lines.findIndex((line, at) => at > index && line.startsWith(`${indent}})`));
  if (brace !== code.length - 1 || code[call] !== '(' || args.length < 2 || end === -1) return;
  const inner = lines.slice(index + 1, end).map((line) => (line === '' ? line : `  ${line}`));
  const [last = '', ...others] = args.toReversed();
  const opened = [
    code.slice(0, call + 1),
    ...others.toReversed().map((it) => `  ${it},`),
    `  ${last}`,
  ];
  const closing = [`${indent}  },`, `${indent}${lines[end]?.slice(indent.length + 1)}`];
  lines.splice(index, end - index + 1, ...opened.map((it) => indent + it), ...inner, ...closing);
}

function fit(line: string): readonly string[] {
  const code = line.trimStart();
  const indent = line.slice(0, line.length - code.length);
  const fits = (part: string) => fitsIn(lineWidth, indent + part);
  if ((fits(code) && !isNeverOnOneLine(code)) || keptLine.test(code)) return [line];
  for (const rule of rules) {
    const lines = rule(code, fits);
    if (lines) return lines.flatMap((part) => (part === code ? line : fit(indent + part)));
  }
  return [line];
}

/** Comments and first lines of tests are never broken. */
const keptLine = /^(?:\/\/|\/\*|\*|(?:it|test|describe)(?:\.\w+)*\(['"`].*=> \{$)/;

const isNeverOnOneLine = (code: string) =>
  (hasTwoArrows.test(code) && findCallOfFunctions(code) !== undefined) ||
  hasGrid(code) ||
  (hasNestedCalls.test(code) && chainedCalls(code).length > 2);

const hasTwoArrows = / => .* => /;

/** Prettier breaks a chain of three calls if their arguments contain calls. */
const hasNestedCalls = /\.[\w$]+\([\w$.]+\([\w$.]+\(\w/;

/** Whether a list contains several lists or objects of two or more items, which prettier always breaks. */
function hasGrid(code: string): boolean {
  return code.includes('[[') || code.includes('[{')
    ? findBracketPairs(code).some((pair) => isOrHoldsGrid(code, pair))
    : false;
}

function isOrHoldsGrid(code: string, { open, close }: Brackets): boolean {
  const inside = code.slice(open + 1, close);
  const items = splitList(inside);
  const isGrid =
    code[open] === '[' &&
    items.length > 1 &&
    ['[', '{'].some((bracket) =>
      items.every((item) => item[0] === bracket && splitList(item.slice(1, -1)).length > 1),
    );
  return isGrid || findBracketPairs(inside).some((pair) => isOrHoldsGrid(inside, pair));
}
