import { capitalized } from '../../../naming/name.ts';
import { tsCall, tsString } from '../../typescript.ts';

/** How a text is drawn: the printed call, and about how long what it draws is. */
export interface Wording {
  readonly call: string;
  readonly least: number;
  readonly most: number;
  /** Words, which a number may follow. */
  readonly isPhrase?: true;
  /** Of a code, to which digits may be added. */
  readonly shape?: string;
}

/** What a text is about: what its row is called, and with it all to which the row belongs, `visit; patient, doctor`. */
export interface Topic {
  readonly about: string;
  readonly domain: string;
}

/** Values for names: `choices` for each part of a text, a shape, or a function that draws them. */
interface Rule {
  readonly is: RegExp;
  /** Whether it matches `names of domain` instead of names. */
  readonly ofDomain: boolean;
  readonly choices: readonly string[];
}

/**
 * A rule a line, `notes? of field|crop : Needs lime|Well drained`; the first that fits decides. The domain is what a
 * row is or belongs to, or with `;` what it is.
 */
export function rulesIn(text: string): readonly Rule[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [pattern = '', ...choices] = line.split(' : ');
      const [names, domain] = pattern.split(' of ');
      const [, of = '', end = ''] = /^(.*?)(;?)$/.exec(domain ?? '') ?? [];
      const whole = of === '' ? '' : `.* of ${end === '' ? '.*' : '[^;]*'}\\b(?:${of})s?\\b${end}`;
      return { is: new RegExp(`\\b(?:${names})(?!\\w)${whole}`), ofDomain: of !== '', choices };
    });
}

export function findWordingRule(
  rules: readonly Rule[],
  words: string,
  { domain }: Topic,
): Rule | undefined {
  return rules.find(({ is, ofDomain }) => is.test(ofDomain ? `${words} of ${domain}` : words));
}

export function find(rules: readonly Rule[], words: string, topic: Topic): Wording | undefined {
  const rule = findWordingRule(rules, words, topic);
  if (rule === undefined) return undefined;
  const { choices } = rule;
  const [first = ''] = choices;
  if (first.startsWith('#')) return code(first.slice(1));
  const { about } = topic;
  if (first.startsWith('=')) return drawn[first.slice(1)]?.(about);
  return phrase(
    ...choices.map((it) => it.replace('<a>', about).replace('<A>', capitalized(about))),
  );
}

/** A choice of words for each part, `a|b`; those in braces are drawn by faker. */
export function phrase(...parts: readonly string[]): Wording {
  const lengths = parts.map((part) => part.split('|').map(lengthsOf));
  const sum = (pick: (one: readonly (readonly [number, number])[]) => number) =>
    lengths.reduce((total, one) => total + pick(one), parts.length - 1);
  return {
    call: tsCall('draw.phrase', ...parts.map(tsString)),
    least: sum((one) => Math.min(...one.map(([least]) => least))),
    most: sum((one) => Math.max(...one.map(([, most]) => most))),
    isPhrase: true,
  };
}

/** A word drawn by faker has at least two letters. */
function lengthsOf(text: string): readonly [number, number] {
  const own = text.replace(/\{\{.*?\}\}/g, '').length;
  const drawn = [...text.matchAll(/\{\{([\w.]+)/g)].map(([, source = '']) =>
    isShort.test(source) ? 20 : isName.test(source) ? 30 : 60,
  );
  return [own + 2 * drawn.length, drawn.reduce((sum, most) => sum + most, own)];
}

const isShort = /^(animal|date|number|phone|string|system)\b/;
const isName = /^person\.\w+Name$/;

/** Letters and digits of a shape, as faker reads it. */
function code(shape: string): Wording {
  const places = shape.replace(/\[[^\]]*\](?:\{(\d+)\})?/g, (_, times = '1') => '.'.repeat(times));
  const { length } = places;
  return { call: tsCall('draw.like', tsString(shape)), least: length, most: length, shape };
}

export const slug: Wording = { call: 'draw.slug()', least: 8, most: 40 };

export const sentence = (about: string): Wording => ({
  call: tsCall('draw.sentence', tsString(about)),
  least: 25,
  most: 70 + about.length,
});

/** What a function of the emitted `draw.ts` draws. */
const drawn: Readonly<Record<string, (about: string) => Wording>> = {
  slug: () => slug,
  email: () => ({ call: 'draw.email()', least: 15, most: 50 }),
  url: () => ({ call: 'draw.url()', least: 20, most: 60 }),
  sentence,
  paragraphs: (about) => ({
    call: tsCall('draw.paragraphs', tsString(about)),
    least: 50,
    most: 1200 + 12 * about.length,
  }),
};
