import { displayWidth } from '../display-width.ts';
import {
  type Brackets,
  findBracketPairs,
  findEndOfString,
  isEmpty,
  splitList,
  topLevel,
} from './brackets.ts';

/** The lines of a statement; undefined if the rule does not apply. */
type BreakRule = (code: string, fits: Fits) => readonly string[] | undefined;

/** Whether a line fits with the indentation of the statement. */
type Fits = (line: string) => boolean;

export const rules: readonly BreakRule[] = [
  breakImport,
  breakFunctions,
  breakPattern,
  breakSignature,
  breakTypeAlias,
  breakParameter,
  breakChain,
  breakArrow,
  breakAssignment,
  breakLastArrow,
  breakBrackets,
];

function breakImport(code: string): readonly string[] | undefined {
  if (!/^(?:import|export)(?: type)? \{ .* \} from /.test(code)) return undefined;
  const braces = { open: code.indexOf('{'), close: code.lastIndexOf('}') };
  const isAlone = splitList(code.slice(braces.open + 1, braces.close)).length === 1;
  return isAlone ? [code] : broken(code, braces);
}

/** Gives each argument of a call with several functions a line of its own. */
function breakFunctions(code: string): readonly string[] | undefined {
  const call = findCallOfFunctions(code);
  return call && broken(code, call);
}

/** A call with two functions or more among its arguments, which prettier always breaks. */
export function findCallOfFunctions(code: string): Brackets | undefined {
  return findBracketPairs(code).find(
    ({ open, close }) =>
      /[\w$]\($/.test(code.slice(0, open + 1)) &&
      splitList(code.slice(open + 1, close)).filter(isFunction).length > 1,
  );
}

const isFunction = (argument: string) => topLevel(argument, ' => ') !== -1;

/** Breaks the braces of `const { a, b } = c;`, unless the pattern is simple and the value can be broken instead. */
function breakPattern(code: string, fits: Fits): readonly string[] | undefined {
  const [braces, ...others] = findBracketPairs(code);
  if (!braces || !code.startsWith('const {')) return undefined;
  const value = others.find((pair) => !isEmpty(pair));
  const names = splitList(code.slice(braces.open + 1, braces.close));
  const isSimple = names.length < 3 || names.every((name) => topLevel(name, ' = ') === -1);
  if (isSimple && value && fits(code.slice(0, value.open + 1))) return undefined;
  return broken(code, braces).map((line) => (line.startsWith('  ...') ? line.slice(0, -1) : line));
}

function breakSignature(code: string): readonly string[] | undefined {
  const [parameters] = findBracketPairs(code);
  return parameters && /^(?:export )?(?:async )?function /.test(code)
    ? broken(code, parameters)
    : undefined;
}

/** Breaks `type A = B<…>` inside its angle brackets, and other type aliases after `=`. */
function breakTypeAlias(code: string, fits: Fits): readonly string[] | undefined {
  const match = /^((?:export )?type \w+ =)(?: (\w+<)(.*)(>;)| (.*))$/.exec(code);
  if (!match) return undefined;
  const [, sign = '', generic, types = '', end = '', plain = ''] = match;
  return generic ? [`${sign} ${generic}`, ...breakTypes(types, fits), end] : [sign, `  ${plain}`];
}

/** Breaks the type of a parameter, `input: Partial<A | B>,`, inside its angle brackets. */
function breakParameter(code: string, fits: Fits): readonly string[] | undefined {
  const [, start, types = '', end] = /^(\w+\??: \w+<)(.*)(>,)$/.exec(code) ?? [];
  return start === undefined || end === undefined
    ? undefined
    : [start, ...breakTypes(types, fits), end];
}

/** Gives each type between angle brackets a line of its own, or each part of it if it is a union that is too long. */
function breakTypes(types: string, fits: Fits): readonly string[] {
  return splitList(types).flatMap((type, index, all) => {
    const line = index === all.length - 1 ? type : `${type},`;
    const isWhole = fits(`  ${line}`) || topLevel(line, ' | ') === -1;
    return isWhole ? [`  ${line}`] : breakUnion(line);
  });
}

function breakUnion(type: string): readonly string[] {
  const bar = topLevel(type, ' | ');
  return bar === -1
    ? [`  | ${type}`]
    : [`  | ${type.slice(0, bar)}`, ...breakUnion(type.slice(bar + 3))];
}

/** Gives each call of a chain a line of its own. */
function breakChain(code: string): readonly string[] | undefined {
  const links = chainedCalls(code);
  if (links.length < 2) return undefined;
  const [first = 0] = links;
  const calls = links.map((start, index) => `  ${code.slice(start, links[index + 1])}`);
  return [code.slice(0, first), ...calls];
}

/** The offsets of the calls of a chain; empty if anything else has brackets too. */
export function chainedCalls(code: string): readonly number[] {
  const links = findBracketPairs(code)
    .filter(({ open }) => code[open] === '(')
    .map(({ open }) => code.slice(0, open).search(/\.[\w$]+$/));
  return links.includes(-1) ? [] : links;
}

/** Puts the body of `(…) => body` on a line of its own, or breaks its brackets. */
function breakArrow(code: string): readonly string[] | undefined {
  const body = topLevel(code, ' => ') + 4;
  if (body > 3 && /^\(\{.*\}\)[,;]?$/.test(code.slice(body))) {
    return broken(code, { open: body + 1, close: code.lastIndexOf('}') });
  }
  if (body === 3 || /^[[{(`]/.test(code.slice(body))) return undefined;
  return [code.slice(0, body - 1), `  ${code.slice(body)}`];
}

/** Puts a value on the next line if nothing in it can be broken, unless it is a template literal. */
function breakAssignment(code: string, fits: Fits): readonly string[] | undefined {
  const value = findValueStart(code);
  if (value === undefined) return undefined;
  if (isTemplateCode(code.slice(value))) return [code];
  const isJoined = [' ?? ', ' + '].some((sign) => topLevel(code.slice(value), sign) !== -1);
  const brackets = findBracketPairs(code.slice(value)).find((pair) => !isJoined && !isEmpty(pair));
  const unclosed = /[([{]$/.test(code);
  if (brackets && fits(code.slice(0, value + brackets.open + 1))) return undefined;
  if (!brackets && unclosed) return undefined;
  return [code.slice(0, value - 1), `  ${code.slice(value)}`];
}

/** Whether code is a template literal, complete or continued on the next line. */
function isTemplateCode(code: string): boolean {
  const start = code.search(/(?<=^\w*)`/);
  const end = findEndOfString(code, start);
  return start !== -1 && (end === undefined || /^[;,]?$/.test(code.slice(end)));
}

/** For a shorter key, prettier leaves the value on the line of the key. */
const shortest = 5;

/** The offset of the value in `name = value` or `name: value`. */
function findValueStart(code: string): number | undefined {
  const sign = topLevel(code, ' = ');
  if (sign !== -1) return sign + 3;
  // Members of types are not broken.
  if (code.endsWith(';')) return undefined;
  const [key = ''] = /^(?:[\w$]+|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")(?=: )/.exec(code) ?? [];
  return displayWidth(key) < shortest ? undefined : key.length + 2;
}

/** Breaks a call whose last argument is an arrow function: `f(a, () => body)`. */
function breakLastArrow(code: string, fits: Fits): readonly string[] | undefined {
  const call = findLastList(code);
  if (!call || code[call.open] !== '(') return undefined;
  const last = splitList(code.slice(call.open + 1, call.close)).at(-1) ?? '';
  const start = call.close - last.length;
  const [object] = /^\(\w*\) => \(\{(?=.*\}\)$)/.exec(last) ?? [];
  if (object !== undefined && fits(code.slice(0, start + object.length))) {
    return broken(code, { open: start + object.length - 1, close: call.close - 2 });
  }
  const [arrow] = /^\(\w*\) =>(?= [\w.]+\()/.exec(last) ?? [];
  const body = start + (arrow?.length ?? 0);
  if (arrow === undefined || !fits(code.slice(0, body))) return undefined;
  return [code.slice(0, body), `  ${code.slice(body + 1, call.close)},`, code.slice(call.close)];
}

const findLastList = (code: string) =>
  findBracketPairs(code).findLast((pair) => isListBracket(code, pair) && !isEmpty(pair));

/** Breaks the last brackets, or those of the last argument of a call. */
function breakBrackets(code: string, fits: Fits): readonly string[] | undefined {
  const outer = findLastList(code);
  if (!outer) return undefined;
  const inner = code[outer.open] === '(' ? findLastArgument(code, outer) : undefined;
  return broken(code, inner && fits(code.slice(0, inner.open + 1)) ? inner : outer, fits);
}

/** Whether brackets contain a list, unlike those around an expression or in `Post['title']`. */
function isListBracket(code: string, { open }: Brackets): boolean {
  const followsName = /[\w$)\]>]/.test(code[open - 1] ?? ' ');
  return code[open] === '{' || followsName === (code[open] === '(');
}

function findLastArgument(code: string, call: Brackets): Brackets | undefined {
  const args = splitList(code.slice(call.open + 1, call.close));
  const last = args.at(-1) ?? '';
  const kind = bracketOf(last);
  if (kind === undefined || kind === bracketOf(args.at(-2)) || last.length === 2) return undefined;
  return { open: call.close - last.length, close: call.close - 1 };
}

const bracketOf = (argument = '') => /^[{[]/.exec(argument)?.[0];

/** Puts each item on a line of its own. Numbers fill their lines. */
function broken(code: string, { open, close }: Brackets, fits?: Fits): readonly string[] {
  const items = splitList(code.slice(open + 1, close)).map((item) => `${item},`);
  const isNumbers =
    code[open] === '[' && items.every((item) => /^-?[\d.]+(?:e[+-]?\d+)?,$/.test(item));
  const lines = isNumbers && fits ? filled(items, fits) : items;
  return [code.slice(0, open + 1), ...lines.map((line) => `  ${line}`), code.slice(close)];
}

function filled(items: readonly string[], fits: Fits): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const longer = `${lines.at(-1)} ${item}`;
    if (lines.length > 0 && fits(`  ${longer}`)) lines.splice(-1, 1, longer);
    else lines.push(item);
  }
  return lines;
}
