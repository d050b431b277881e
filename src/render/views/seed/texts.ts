import type { Field, Model } from '../../../model/app.ts';
import { lowerWords } from '../../../naming/name.ts';
import { fits, type Letters, skeletons } from '../../../patterns/samples.ts';
import { type Lengths, lengthsOf } from '../../../types/texts.ts';
import { tsCall, tsObject, tsString, tsValue } from '../../typescript.ts';
import { exampleTexts } from '../tests/example-values.ts';
import { type Drawn, kindOf, textKinds, themes } from './text-kinds.ts';

/** What draws a value; `again`: it takes what makes it another text when the first one was taken. */
export interface Value {
  readonly text: string;
  readonly again?: boolean;
}

/** `distinct`: a constraint wants rows to differ. */
export function textOf(model: Model, field: Field, distinct: boolean): Value {
  const lengths = lengthsOf(field);
  if (field.type.kind === 'email') return { text: emailOf(lengths) };
  const drawn = kindOf(model, field);
  if (field.type.kind === 'url')
    return { text: fitsIn(drawn, lengths) ? drawn.call : urlOf(lengths) };
  const again = distinct && drawn.few === true;
  const room = lengths.max === undefined || !again ? lengths.max : lengths.max - againLength;
  const text = fitted(drawn, { ...lengths, ...(room !== undefined && { max: room }) });
  if (text === undefined) return { text: anyText(lengths) };
  return again ? { text: tsCall('draw.joined', text, 'again'), again } : { text };
}

/** By its name alone. */
export function textNamed(name: string): string {
  const words = lowerWords(name);
  return (themes.find(([pattern]) => pattern.test(words))?.[1] ?? textKinds.word).call;
}

export function bytesOf(field: Field): string {
  const { min = 0, max = Infinity } = lengthsOf(field);
  const least = Math.max(min, Math.min(max, 8));
  return tsCall('draw.bytes', String(least), String(Math.min(max, least + 8)));
}

/** Undefined when no texts were found that match. */
export function patternText(field: Field): string | undefined {
  const { pattern = '' } = field;
  const lengths = lengthsOf(field);
  const options = tsObject({
    pattern: tsCall('new RegExp', tsString(pattern), "'u'"),
    ...Object.fromEntries(Object.entries(lengths).map(([key, bound]) => [key, tsValue(bound)])),
  });
  const kind = plain.find((each) => exampleTexts[each].every(fits(pattern, lengths)));
  if (kind !== undefined) return tsCall('draw.matching', options, `() => ${textKinds[kind].call}`);
  const ways = skeletons(pattern, lengths).map((letters) => letters.map(lettersText));
  const [only, ...others] = ways.map((way) => joined(way));
  if (only === undefined) return undefined;
  const drawn =
    others.length === 0
      ? only
      : tsCall('faker.helpers.arrayElement', `[${[only, ...others].join(', ')}]`);
  return tsCall('draw.matching', options, `() => ${drawn}`);
}

/** Kinds whose examples show what all their texts look like. */
const plain = ['slug', 'version', 'currency'] as const;

function joined(parts: readonly string[]): string {
  const [only = "''", ...others] = parts;
  return others.length === 0 ? only : tsCall('draw.joined', ...parts);
}

function lettersText(part: Letters): string {
  if (typeof part === 'string') return tsString(part);
  const [min, max] = part.times;
  const length = lengthOf(min, max);
  if (part.of === '0123456789') return tsCall('faker.string.numeric', ofLength(min, max));
  if (part.of === lower)
    return tsCall('faker.string.alpha', `{ casing: 'lower', length: ${length} }`);
  if (part.of === lower.toUpperCase())
    return tsCall('faker.string.alpha', `{ casing: 'upper', length: ${length} }`);
  if (part.of === `${lower}0123456789`)
    return tsCall('faker.string.alphanumeric', `{ casing: 'lower', length: ${length} }`);
  // Faker would take a text apart into halves of surrogate pairs.
  const characters = /[\u{10000}-\u{10FFFF}]/u.test(part.of)
    ? tsValue([...part.of])
    : tsString(part.of);
  return tsCall('faker.string.fromCharacters', characters, length);
}

const lower = 'abcdefghijklmnopqrstuvwxyz';

const lengthOf = (min: number, max: number) =>
  min === max ? String(min) : `{ min: ${min}, max: ${max} }`;

const ofLength = (min: number, max: number) =>
  min === max ? String(min) : `{ length: ${lengthOf(min, max)} }`;

/** Room for a space and a number. */
const againLength = 6;

/** Cut where need be; nothing when there is no room. */
function fitted(drawn: Drawn, { min = 0, max = Infinity }: Lengths): string | undefined {
  if (drawn.shortest < min) return undefined;
  if (drawn.longest <= max) return drawn.call;
  return max >= 8 && drawn.isWhole !== true ? `${drawn.call}.slice(0, ${max})` : undefined;
}

/** When nothing else has the length. */
function anyText({ min = 0, max = Infinity }: Lengths): string {
  if (min <= 24) return lettersOf({ min: Math.max(min, Math.min(max, 6)), max: Math.min(max, 24) });
  const words = tsCall('faker.lorem.words', String(Math.ceil(min / 2) + 1));
  return max === Infinity ? words : `${words}.slice(0, ${max})`;
}

function lettersOf({ min, max }: Required<Lengths>): string {
  return max === 0 ? "''" : tsCall('faker.string.alphanumeric', ofLength(min, max));
}

function fitsIn({ shortest, longest }: Drawn, { min = 0, max = Infinity }: Lengths): boolean {
  return shortest >= min && longest <= max;
}

function emailOf(lengths: Lengths): string {
  const drawn = textKinds.email;
  if (fitsIn(drawn, lengths)) return drawn.call;
  const domain = (lengths.max ?? 254) < 20 ? '@a.io' : '@example.com';
  return tsCall('draw.joined', around(lengths, domain.length), tsString(domain));
}

function urlOf(lengths: Lengths): string {
  const start = (lengths.max ?? 2048) < 40 ? 'http://' : 'https://example.com/';
  return tsCall('draw.joined', tsString(start), around(lengths, start.length));
}

/** Letters that make up the length beside a text that is always there. */
function around({ min = 0, max = Infinity }: Lengths, length: number): string {
  const most = Math.max(1, max - length);
  const least = Math.max(1, min - length, Math.min(most, 6));
  const range = lengthOf(least, Math.min(most, least + 8));
  return tsCall('faker.string.alphanumeric', `{ casing: 'lower', length: ${range} }`);
}
