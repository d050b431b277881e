import { capitalized } from '../../../naming/name.ts';
import { tsCall, tsString } from '../../typescript.ts';

/** The call that draws a text, and the length of what it draws. */
export interface Wording {
  readonly call: string;
  readonly least: number;
  readonly most: number;
  /** Whether the text consists of words, so that a number may follow. */
  readonly isPhrase?: true;
  /** The pattern of a code, to which digits may be added. */
  readonly shape?: string;
}

/** What a text is about: the name of its row, and the rows that it belongs to: `visit; patient, doctor`. */
export interface Topic {
  readonly about: string;
  readonly domain: string;
}

/** A rule for names of columns: choices for each part of a text, a pattern, or a function that draws the text. */
interface WordingRule {
  readonly is: RegExp;
  /** Whether it matches `names of domain` instead of names. */
  readonly ofDomain: boolean;
  readonly choices: readonly string[];
}

/**
 * A rule on each line: `notes? of field|crop : Needs lime|Well drained`. The first that matches decides. The domain is
 * the name of a row or of a row that it belongs to; with `;`, only of the row.
 */
export function rulesIn(text: string): readonly WordingRule[] {
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
  rules: readonly WordingRule[],
  words: string,
  { domain }: Topic,
): WordingRule | undefined {
  return rules.find(({ is, ofDomain }) => is.test(ofDomain ? `${words} of ${domain}` : words));
}

export function findMatch(
  rules: readonly WordingRule[],
  words: string,
  topic: Topic,
): Wording | undefined {
  const { choices } = findWordingRule(rules, words, topic) ?? {};
  if (choices === undefined) return undefined;
  const { about } = topic;
  const [, kind, text = ''] = /^([#=])(.*)/.exec(choices[0] ?? '') ?? [];
  if (kind === '#') return codeWording(text);
  if (kind === '=') return drawing(text, about);
  return phrase(
    ...choices.map((it) => it.replace('<a>', about).replace('<A>', capitalized(about))),
  );
}

/** Words for each part, separated by `|`. Faker draws those in braces. */
export function phrase(...parts: readonly string[]): Wording {
  const measureLength = (
    pick: (...lengths: number[]) => number,
    sizeOf: (source: string) => number,
  ) => {
    const filled = (text: string) =>
      text.replace(faked, (_, source: string) => '.'.repeat(sizeOf(source))).length;
    return parts.reduce((sum, part) => sum + 1 + pick(...part.split('|').map(filled)), -1);
  };
  return {
    call: tsCall('draw.phrase', ...parts.map(tsString)),
    least: measureLength(Math.min, () => 2),
    most: measureLength(Math.max, (source) =>
      shortCall.test(source) ? 20 : personNameCall.test(source) ? 30 : 60,
    ),
    isPhrase: true,
  };
}

const faked = /\{\{([\w.]+).*?\}\}/g;
const shortCall = /^(animal|date|number|phone|string|system)\b/;
const personNameCall = /^person\.\w+Name$/;

/** Letters and digits of a pattern, in the form that faker reads. */
function codeWording(shape: string): Wording {
  const places = shape.replace(/\[[^\]]*\](?:\{(\d+)\})?/g, (_, times = '1') => '.'.repeat(times));
  const { length } = places;
  return { call: tsCall('draw.like', tsString(shape)), least: length, most: length, shape };
}

/** The lengths of texts that functions of the emitted `draw.ts` return. */
const lengths: Readonly<Record<string, readonly [least: number, most: number]>> = {
  slug: [8, 40],
  email: [15, 50],
  url: [20, 60],
  sentence: [25, 100],
  paragraphs: [50, 1500],
};

export function drawing(name: string, about?: string): Wording {
  const [least, most] = lengths[name] ?? [0, Infinity];
  const isAbout = most >= 100 && about !== undefined;
  return { call: tsCall(`draw.${name}`, isAbout ? tsString(about) : undefined), least, most };
}
