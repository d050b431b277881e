import type { Field, Model } from '../../../model/app.ts';
import { sampleKind, type SampleKind } from '../../../model/sample-kind.ts';
import { capitalized, lowerWords } from '../../../naming/name.ts';
import { fits, type Lengths, type Letters, skeletons } from '../../../patterns/samples.ts';
import { lengthsOf } from '../../../types/texts.ts';
import { tsCall, tsObject, tsString, tsValue } from '../../typescript.ts';
import { exampleTexts } from '../tests/example-values.ts';

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

/** A call of faker, and how long its texts are, in characters. */
interface Drawn {
  readonly call: string;
  readonly shortest: number;
  readonly longest: number;
  /** A hundred thousand rows need more. */
  readonly few?: true;
  /** Cannot be cut. */
  readonly isWhole?: true;
}

function draws(call: string, shortest: number, longest: number, more: Partial<Drawn> = {}): Drawn {
  return { call, shortest, longest, ...more };
}

const few = { few: true } as const;
const isWhole = { isWhole: true } as const;

/** The lengths are those of faker 10 in English, with some room. */
const textKinds: Readonly<Record<SampleKind | 'sentence', Drawn>> = {
  firstName: draws('faker.person.firstName()', 2, 14, few),
  lastName: draws('faker.person.lastName()', 3, 23, few),
  personName: draws('faker.person.fullName()', 7, 50),
  username: draws('faker.internet.username()', 3, 40),
  email: draws("faker.internet.email({ provider: 'example.com' })", 14, 60, isWhole),
  url: draws('faker.internet.url()', 16, 60, isWhole),
  slug: draws('faker.lorem.slug()', 7, 50),
  phone: draws("faker.phone.number({ style: 'international' })", 12, 16),
  city: draws('faker.location.city()', 3, 30, few),
  country: draws('faker.location.country()', 4, 55, few),
  street: draws('faker.location.streetAddress()', 8, 45),
  postalCode: draws('faker.location.zipCode()', 5, 10, few),
  company: draws('faker.company.name()', 6, 60, few),
  colour: draws('faker.color.human()', 3, 12, few),
  language: draws('faker.location.language().name', 3, 20, few),
  currency: draws('faker.finance.currencyCode()', 3, 3, few),
  identifier: draws("faker.string.alphanumeric({ casing: 'upper', length: 8 })", 8, 8),
  secret: draws('faker.string.alphanumeric(24)', 24, 24),
  version: draws('faker.system.semver()', 5, 8, few),
  fileName: draws('faker.system.commonFileName()', 5, 50, isWhole),
  word: draws('faker.word.noun()', 2, 20, few),
  title: draws('draw.capital(faker.word.noun())', 2, 20, few),
  paragraphs: draws('faker.lorem.paragraphs()', 100, 1200),
  sentence: draws('faker.hacker.phrase()', 25, 130),
};

const { city, company, country, language, personName, sentence, word } = textKinds;

const courses = "['Introduction to', 'Practical', 'Advanced', 'Intensive']";

/** What a text is about, by a word of its own name or of its model's; the first row decides. */
const themes: readonly (readonly [RegExp, Drawn])[] = [
  [/\b(languages?|locale|mother tongue)\b/, language],
  [/\b(nationality|country)\b/, country],
  [/\b(city|town|birthplace)\b/, city],
  [/\b(job|profession|occupation)\b/, draws('faker.person.jobTitle()', 8, 50)],
  [/\b(products?|items?|goods)\b/, draws('faker.commerce.productName()', 10, 35, few)],
  [/\b(categor(y|ies)|departments?|sections?)\b/, draws('faker.commerce.department()', 4, 12, few)],
  [/\b(company|supplier|vendor|brand|organi[sz]ation|shop|store|firm|publisher|school)\b/, company],
  [
    /\b(users?|persons?|people|members?|customers?|clients?|patients?|students?|pupils?|teachers?|employees?|authors?|artists?|guests?|contacts?|doctors?|players?|speakers?|visitors?|parents?|child(ren)?)\b/,
    personName,
  ],
  [/\bbooks?\b/, draws('faker.book.title()', 2, 60, few)],
  [/\b(songs?|tracks?|albums?|records?)\b/, draws('faker.music.songName()', 3, 70, few)],
  [/\bgenres?\b/, draws('faker.music.genre()', 3, 20, few)],
  ...['room', 'hall', 'studio', 'office', 'table'].map(numbered),
  [
    /\b(courses?|lessons?|class(es)?|subjects?|workshops?|trainings?|lectures?)\b/,
    draws(
      `draw.joined(faker.helpers.arrayElement(${courses}), ' ', faker.person.jobArea().toLowerCase())`,
      12,
      32,
      few,
    ),
  ],
  [
    /\b(events?|meetings?|shows?|conferences?|appointments?|festivals?|concerts?)\b/,
    draws(
      "draw.joined(faker.location.city(), ' ', faker.helpers.arrayElement(['festival', 'fair', 'meetup']))",
      8,
      40,
      few,
    ),
  ],
  [
    /\b(holidays?|vacations?)\b/,
    draws(
      "draw.joined(faker.helpers.arrayElement(['Spring', 'Summer', 'Autumn', 'Winter']), ' holidays')",
      15,
      15,
      few,
    ),
  ],
  [
    /\b(projects?|campaigns?|initiatives?|goals?|ideas?)\b/,
    draws('faker.company.catchPhrase()', 12, 65),
  ],
  [
    /\b(tasks?|tickets?|issues?|todos?|bugs?)\b/,
    draws(
      "draw.joined(draw.capital(faker.hacker.verb()), ' the ', faker.hacker.noun())",
      10,
      35,
      few,
    ),
  ],
  [/\b(posts?|articles?|pages?|news|stor(y|ies)|threads?|messages?|announcements?)\b/, sentence],
  [/\b(tags?|topics?|labels?|keywords?|skills?)\b/, word],
  [/\b(recipes?|dish(es)?|meals?|menus?)\b/, draws('faker.food.dish()', 3, 60, few)],
  [/\bingredients?\b/, draws('faker.food.ingredient()', 2, 35, few)],
  [
    /\b(animals?|pets?|dogs?|cats?|sheep|horses?|cows?)\b/,
    draws('faker.animal.petName()', 3, 12, few),
  ],
  [/\b(vehicles?|cars?|bikes?)\b/, draws('faker.vehicle.vehicle()', 4, 45, few)],
  [/\b(bio|biography)\b/, draws('faker.person.bio()', 4, 70, isWhole)],
  [
    /\b(images?|photos?|pictures?|avatars?|logos?|covers?|thumbnails?)\b/,
    draws('faker.image.url()', 36, 60, isWhole),
  ],
];

/** `Room 214` */
function numbered(what: string): readonly [RegExp, Drawn] {
  const call = `draw.joined('${capitalized(what)} ', faker.string.numeric(3))`;
  return [new RegExp(`\\b${what}s?\\b`), draws(call, what.length + 4, what.length + 4, few)];
}

const named = /^(name|title|headline|subject|caption|label)$/;

/** A title is of the thing that it names: `Crooked shelf` for a shelf. */
function kindOf(model: Model, field: Field): Drawn {
  const isUrl = field.type.kind === 'url';
  const kind = sampleKind(model, field);
  const general = kind === 'title' || kind === 'sentence' || (isUrl && kind === 'url');
  if (!general) return textKinds[kind];
  const own = themed(lowerWords(field.name), isUrl);
  if (own !== undefined || !named.test(field.name)) return own ?? textKinds[kind];
  return themed(model.names.human, isUrl) ?? (kind === 'title' ? titleOf(model) : textKinds[kind]);
}

/** Only pictures can be recognized by their URLs. */
function themed(words: string, isUrl: boolean): Drawn | undefined {
  return themes.find(
    ([pattern, { call }]) => call.startsWith('faker.image') === isUrl && pattern.test(words),
  )?.[1];
}

function titleOf({ names: { human } }: Model): Drawn {
  const call = `draw.joined(draw.capital(faker.word.adjective()), ' ${human}')`;
  return draws(call, human.length + 4, human.length + 20, few);
}
