import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';

interface Pattern {
  readonly trials: readonly Trial[];
  /** The lengths of matching texts, in characters. */
  readonly shortest: number;
  readonly longest: number;
  /** The first one, as it is written. */
  readonly backreference?: string;
}

/** A search that an engine runs on its own: for the pattern, or for the body of a lookaround. */
export interface Trial {
  readonly expression: Expression;
  /** Whether it starts again at each character, because it is not anchored or is inside a loop. */
  readonly restarts: boolean;
  /** Whether it succeeds at its end, whatever follows. */
  readonly open: boolean;
  readonly everything: Characters;
}

/** Returns a reason if the source is not a regular expression. */
export function readPattern(source: string): Pattern | { readonly reason: string } {
  try {
    const pattern = new RegExpParser({ ecmaVersion: 2023 }).parsePattern(source, 0, source.length, {
      unicode: true,
    });
    // Both the parser and the engine of Node.js have to accept it.
    void new RegExp(source, 'u');
    return convertPattern(pattern);
  } catch (error) {
    const [, reason = 'it does not parse'] =
      /: ([^:]*)$/.exec(error instanceof Error ? error.message : '') ?? [];
    return { reason: reason.charAt(0).toLowerCase() + reason.slice(1) };
  }
}

function convertPattern(pattern: AST.Pattern): Pattern {
  const named: string[] = [];
  const backreferences: string[] = [];
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => named.push(...neighbours(value)),
    onBackreferenceEnter: ({ raw }) => backreferences.push(raw),
  });
  const characters = [...new Set([...ascii, ...others, ...named])];
  const trials: Trial[] = [];
  const everything = (1n << BigInt(characters.length)) - 1n;
  const alphabet = { characters, everything, trials, known: new Map<string, Characters>() };
  const restarts = !isAnchored(pattern, 'start');
  const open = !isAnchored(pattern, 'end');
  const expression = readChoice(pattern.alternatives, undefined, alphabet);
  trials.unshift({ expression, restarts, open, everything });
  const [backreference] = backreferences;
  return {
    trials,
    shortest: countCharacters(pattern.alternatives, Math.min),
    longest: restarts || open ? Infinity : countCharacters(pattern.alternatives, Math.max),
    ...(backreference === undefined ? {} : { backreference }),
  };
}

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code));

/** One character of each kind that a class or a property may distinguish. */
const others = 'éÉßǅʰ日٣٪Ωж😀\u00a0\u2028\u0301\u200d';

/** Characters at which ranges next to a character may end. */
function neighbours(value: number): string[] {
  return [value - 1, value, value + 1]
    .filter((code) => code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code));
}

function isAnchored(
  { alternatives }: Pick<AST.Pattern, 'alternatives'>,
  kind: 'start' | 'end',
): boolean {
  return alternatives.every(({ elements }) => {
    const edge = kind === 'start' ? elements[0] : elements.at(-1);
    if (edge?.type === 'Assertion') return edge.kind === kind;
    return (edge?.type === 'Group' || edge?.type === 'CapturingGroup') && isAnchored(edge, kind);
  });
}

/** The shortest or longest length, if `choose` is `Math.min` or `Math.max`. */
function countCharacters(ways: readonly AST.Alternative[], choose: typeof Math.min): number {
  const lengths = ways.map(({ elements }) =>
    elements.reduce((sum, element) => sum + lengthOfElement(element, choose), 0),
  );
  return lengths.reduce((best, length) => choose(best, length));
}

function lengthOfElement(element: AST.Element, choose: typeof Math.min): number {
  if (element.type === 'Assertion' || element.type === 'Backreference') return 0;
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return countCharacters(element.alternatives, choose);
  }
  if (element.type !== 'Quantifier') return 1;
  const length = lengthOfElement(element.element, choose);
  return length === 0 ? 0 : length * choose(element.min, element.max);
}

const empty: Expression = { kind: 'empty' };

/** A loop with at least this many repeats is treated like an endless one. */
const manyRepeats = 16;

/** State for turning a pattern into expressions. */
interface Alphabet {
  readonly characters: readonly string[];
  readonly everything: Characters;
  readonly trials: Trial[];
  /** By the text of the class or character. */
  readonly known: Map<string, Characters>;
}

function readChoice(
  ways: readonly AST.Alternative[],
  loop: Loop | undefined,
  alphabet: Alphabet,
): Expression {
  return {
    kind: 'choice',
    options: ways.map(({ elements }) => ({
      kind: 'sequence',
      parts: elements.map((element) => readExpression(element, loop, alphabet)),
    })),
  };
}

function readExpression(
  element: AST.Element,
  loop: Loop | undefined,
  alphabet: Alphabet,
): Expression {
  if (element.type === 'Quantifier') return repeatExpression(element, loop, alphabet);
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return readChoice(element.alternatives, loop, alphabet);
  if (element.type === 'Backreference') return empty;
  if (element.type !== 'Assertion')
    return { kind: 'one', characters: matchCharacters(element.raw, alphabet), loop };
  if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
    const { everything, trials } = alphabet;
    const expression = readChoice(element.alternatives, undefined, alphabet);
    trials.push({ expression, restarts: loop !== undefined, open: true, everything });
  }
  return empty;
}

function repeatExpression(
  { element, min, max, raw }: AST.Quantifier,
  loop: Loop | undefined,
  alphabet: Alphabet,
): Expression {
  if (max === 0) return empty;
  const endless = max >= manyRepeats;
  const around = { written: loop?.written ?? raw, most: (loop?.most ?? 1) * max };
  const body = () => readExpression(element, endless ? around : loop, alphabet);
  if (endless)
    return makeSequence([
      ...copies(Math.min(min - 1, 2), body),
      { kind: 'loop', body: body(), atLeastOnce: min > 0 },
    ]);
  const optional = copies(max - min, body).reduce<Expression>(
    (rest, one) => ({ kind: 'choice', options: [makeSequence([one, rest]), empty] }),
    empty,
  );
  return makeSequence([...copies(min, body), optional]);
}

function matchCharacters(raw: string, { characters: all, known }: Alphabet): Characters {
  const seen = known.get(raw);
  if (seen !== undefined) return seen;
  const test = new RegExp(`^${raw}$`, 'u');
  const bits = all.map((character) => (test.test(character) ? '1' : '0'));
  const characters = BigInt(`0b${bits.join('')}`);
  known.set(raw, characters);
  return characters;
}

function copies(count: number, body: () => Expression): Expression[] {
  return Array.from({ length: Math.max(0, count) }, body);
}

const makeSequence = (parts: readonly Expression[]): Expression => ({ kind: 'sequence', parts });

/** A set of characters, with a bit for each character of the alphabet. */
export type Characters = bigint;

/** The outermost loop around a character, and how often all loops around it may repeat together. */
export interface Loop {
  readonly written: string;
  readonly most: number;
}

/** A regular expression without lookarounds and anchors. */
export type Expression =
  | { readonly kind: 'empty' }
  | { readonly kind: 'one'; readonly characters: Characters; readonly loop: Loop | undefined }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  | { readonly kind: 'loop'; readonly body: Expression; readonly atLeastOnce: boolean };
