import type { Draw } from './draw.ts';
import * as words from './words.ts';

/** In characters. */
export interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

type TextSample = (draw: Draw, lengths?: Lengths) => string;

export const firstName = text(({ person }) => person.first);
export const lastName = text(({ person }) => person.last);
export const personName = text(({ person }) => `${person.first} ${person.last}`);
export const company = text(
  (draw) => `${draw.pick(words.lastNames)} ${draw.pick(['& Co', 'Works', 'Group'])}`,
);
export const city = text((draw) => draw.pick(words.cities));
export const country = text((draw) => draw.pick(words.countries));
export const street = text(
  (draw) => `${draw.integer(1, 180)} ${capital(draw.pick(words.nouns))} Road`,
);
export const colour = text((draw) => draw.pick(words.colours));
export const language = text((draw) => draw.pick(words.languages));
export const currency = text((draw) => draw.pick(words.currencies));
export const word = text((draw) => draw.pick(words.nouns));
export const title = text(
  (draw) => `${capital(draw.pick(words.adjectives))} ${draw.pick(words.nouns)}`,
);
export const sentence = text(writeSentence);
export const paragraphs = text((draw) =>
  Array.from({ length: draw.integer(1, 3) }, () => writeParagraph(draw)).join('\n\n'),
);
export const slug = text((draw) => `${draw.pick(words.adjectives)}-${draw.pick(words.nouns)}`, '-');
export const username = text((draw) => draw.person.first.toLowerCase() + draw.integer(1, 99), '');
export const fileName = text((draw) => `${draw.pick(words.nouns)}.txt`, '.');
export const version = text((draw) => `${draw.integer(0, 9)}.${draw.integer(0, 20)}.0`, '-');
export const phone = text((draw) => `+1 555 ${digits(draw, 3)} ${digits(draw, 4)}`);
export const postalCode = text((draw) => digits(draw, 5), '-');
export const identifier = text(
  (draw) => `${draw.pick(words.nouns).slice(0, 3).toUpperCase()}-${digits(draw, 5)}`,
  '-',
);
export const secret = text((draw) => hex(draw, 32), '');

export function email(draw: Draw, { min = 0, max = 254 }: Lengths = {}): string {
  const domain = max < 24 ? '@a.io' : '@example.test';
  const name = `${draw.person.first}.${draw.person.last}`.toLowerCase();
  const room = Math.max(1, max - domain.length);
  return fitted(name, draw.mark, { min: min - domain.length, max: room }) + domain;
}

export function url(draw: Draw, { min = 0, max = 2048 }: Lengths = {}): string {
  const start = max < 40 ? 'http://' : 'https://example.test/';
  const path = draw.pick(words.nouns);
  return start + fitted(path, draw.mark, { min: min - start.length, max: max - start.length });
}

export function digits(draw: Draw, length: number): string {
  return Array.from({ length }, () => draw.integer(0, 9)).join('');
}

export function hex(draw: Draw, length: number): string {
  return Array.from({ length }, () => draw.integer(0, 15).toString(16)).join('');
}

/** A kind of text that keeps to any length and, with the mark of the draw, can always be another one. */
function text(write: (draw: Draw) => string, separator = ' '): TextSample {
  return (draw, lengths = {}) =>
    fitted(write(draw), draw.mark === '' ? '' : separator + draw.mark, lengths);
}

/** The text and its ending, cut or stretched in the middle. */
function fitted(start: string, ending: string, { min = 0, max = Infinity }: Lengths): string {
  const end = ending.slice(-max || ending.length);
  const cut = start.slice(0, Math.max(0, max - end.length)).trimEnd();
  return cut.padEnd(min - end.length, 'x') + end;
}

function writeSentence(draw: Draw): string {
  const noun = () => `${draw.pick(words.adjectives)} ${draw.pick(words.nouns)}`;
  return `The ${noun()} ${draw.pick(words.verbs)} the ${noun()}.`;
}

function writeParagraph(draw: Draw): string {
  return Array.from({ length: draw.integer(2, 5) }, () => writeSentence(draw)).join(' ');
}

const capital = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1);
