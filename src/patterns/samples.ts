import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { InternalError } from '../errors.ts';

/** A part of a recipe for matching texts. */
type SamplePart =
  | string
  | { readonly of: string; readonly times: Repeats }
  | { readonly any: readonly (readonly SamplePart[])[]; readonly times: Repeats };

type Repeats = readonly [least: number, most: number];

export interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

/** How often `*` and `+` are repeated beyond the minimum. */
const growths: readonly Repeats[] = [
  [0, 6],
  [0, 2],
  [0, 20],
  [0, 60],
  [0, 250],
];

/**
 * Some texts that match, the same on every call. The recipe ignores lookarounds, boundaries and back references, so
 * each text is checked. If few texts pass, at most the empty one is returned.
 */
export function matchingTexts(source: string, lengths: Lengths): readonly string[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  const exact: Repeats = [lengths.min ?? 0, lengths.min ?? 0];
  const isFit = fits(source, lengths);
  for (const growth of [...growths, exact]) {
    const parts = alternatives(pattern.alternatives, growth);
    const fraction = seedNumbers(100);
    const found = Array.from({ length: 100 }, () => writeSample(parts, fraction)).filter(isFit);
    if (found.length > 10) return found;
  }
  return [''].filter(isFit);
}

/** Whether a text matches and has an allowed length. */
export function fits(source: string, { min = 0, max = Infinity }: Lengths) {
  const pattern = new RegExp(source, 'u');
  return (text: string) => {
    const length = [...text].length;
    return length >= min && length <= max && pattern.test(text);
  };
}

function alternatives(choices: readonly AST.Alternative[], growth: Repeats): readonly SamplePart[] {
  const [only, ...others] = choices.map((choice) => sequence(choice, growth));
  return others.length === 0 && only ? only : [{ any: [only ?? [], ...others], times: [1, 1] }];
}

function sequence({ elements }: AST.Alternative, growth: Repeats): readonly SamplePart[] {
  const parts = elements.flatMap((element) => listSampleParts(element, growth));
  return parts.reduce<readonly SamplePart[]>(appendPart, []);
}

/** Joins neighbouring texts into one. */
function appendPart<Some extends SamplePart>(
  parts: readonly (Some | string)[],
  part: Some | string,
): readonly (Some | string)[] {
  const last = parts.at(-1);
  return typeof part === 'string' && typeof last === 'string'
    ? [...parts.slice(0, -1), last + part]
    : [...parts, part];
}

function listSampleParts(element: AST.Element, growth: Repeats): readonly SamplePart[] {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return sampleOne(sampleCharacters(element));
    case 'Group':
    case 'CapturingGroup':
      return alternatives(element.alternatives, growth);
    case 'Quantifier':
      return repeated(element, growth);
    case 'Assertion':
    case 'Backreference':
      return [];
  }
}

/** Undefined characters make no sample. */
function sampleOne(characters: string): readonly SamplePart[] {
  return characters === '' ? [] : [{ of: characters, times: [1, 1] }];
}

function repeated({ element, min, max }: AST.Quantifier, growth: Repeats): readonly SamplePart[] {
  const [least, most] = growth;
  const times: Repeats = [Math.min(max, min + least), Math.min(max, min + most)];
  const parts = listSampleParts(element, growth);
  if (times[1] === 0 || parts.length === 0) return [];
  const [only, ...others] = parts;
  if (others.length > 0 || only === undefined) return [{ any: [parts], times }];
  if (typeof only === 'object' && isOnce(only)) return [{ ...only, times }];
  if (typeof only === 'string' && [...only].length === 1) return [{ of: only, times }];
  return [{ any: [parts], times }];
}

const isOnce = ({ times: [least, most] }: { times: Repeats }) => least === 1 && most === 1;

type CharacterSet = AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** The plainest characters of a class: letters and digits if it has them. */
function sampleCharacters(set: CharacterSet): string {
  const pattern = new RegExp(`^(?:${set.raw})$`, 'su');
  const among = (candidates: string) =>
    [...candidates].filter((character) => pattern.test(character)).join('');
  const letters = among(lower) || among(upper);
  const plain = letters + among('0123456789');
  if (plain !== '') return plain;
  return [...symbols, ...spelledOut(set)].map(among).find((found) => found !== '') ?? '';
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const symbols = ['-_', ' ', '!"#$%&\'()*+,./:;<=>?@[\\]^`{|}~', 'äéñøßçĀΩЖあ中', '\t\n'];

/** Characters that a class names, and the first few of each range. */
function spelledOut(set: CharacterSet): readonly string[] {
  if (set.type !== 'CharacterClass') return [];
  return set.elements.map((element) =>
    element.type === 'CharacterClassRange'
      ? from(element.min.value, element.max.value)
      : element.type === 'Character'
        ? String.fromCodePoint(element.value)
        : '',
  );
}

function from(first: number, last: number): string {
  const length = Math.min(last - first + 1, 20);
  return String.fromCodePoint(...Array.from({ length }, (_, index) => first + index));
}

function writeSample(parts: readonly SamplePart[], fraction: () => number): string {
  return parts.map((part) => writePart(part, fraction)).join('');
}

function writePart(part: SamplePart, fraction: () => number): string {
  if (typeof part === 'string') return part;
  const [least, most] = part.times;
  const length = least + Math.floor(fraction() * (most - least + 1));
  return Array.from({ length }, () =>
    'of' in part ? pick([...part.of], fraction) : writeSample(pick(part.any, fraction), fraction),
  ).join('');
}

function pick<T>(values: readonly T[], fraction: () => number): T {
  const value = values[Math.floor(fraction() * values.length)];
  if (value === undefined) throw new InternalError('A choice of nothing.');
  return value;
}

/** Mulberry32, a deterministic generator of pseudorandom numbers. */
function seedNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
