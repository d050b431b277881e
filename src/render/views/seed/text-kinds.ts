import type { Field, Model } from '../../../model/app.ts';
import { sampleKind, type SampleKind } from '../../../model/sample-kind.ts';
import { lowerWords } from '../../../naming/name.ts';

/** A call of faker, and how long its texts are, in characters. */
export interface Drawn {
  readonly call: string;
  readonly shortest: number;
  readonly longest: number;
  /** A hundred thousand rows need more. */
  readonly few?: true;
  /** Cannot be cut. */
  readonly isWhole?: true;
}

function drawn(call: string, shortest: number, longest: number, more: Partial<Drawn> = {}): Drawn {
  return { call, shortest, longest, ...more };
}

const few = { few: true } as const;
const isWhole = { isWhole: true } as const;

/** The lengths are those of faker 10 in English, with some room. */
export const textKinds: Readonly<Record<SampleKind | 'sentence', Drawn>> = {
  firstName: drawn('faker.person.firstName()', 2, 14, few),
  lastName: drawn('faker.person.lastName()', 3, 23, few),
  personName: drawn('faker.person.fullName()', 7, 50),
  username: drawn('faker.internet.username()', 3, 40),
  email: drawn("faker.internet.email({ provider: 'example.com' })", 14, 60, isWhole),
  url: drawn('faker.internet.url()', 16, 60, isWhole),
  slug: drawn('faker.lorem.slug()', 7, 50),
  phone: drawn("faker.phone.number({ style: 'international' })", 12, 16),
  city: drawn('faker.location.city()', 3, 30, few),
  country: drawn('faker.location.country()', 4, 55, few),
  street: drawn('faker.location.streetAddress()', 8, 45),
  postalCode: drawn('faker.location.zipCode()', 5, 10, few),
  company: drawn('faker.company.name()', 6, 60, few),
  colour: drawn('faker.color.human()', 3, 12, few),
  language: drawn('faker.location.language().name', 3, 20, few),
  currency: drawn('faker.finance.currencyCode()', 3, 3, few),
  identifier: drawn("faker.string.alphanumeric({ casing: 'upper', length: 8 })", 8, 8),
  secret: drawn('faker.string.alphanumeric(24)', 24, 24),
  version: drawn('faker.system.semver()', 5, 8, few),
  fileName: drawn('faker.system.commonFileName()', 5, 50, isWhole),
  word: drawn('faker.word.noun()', 2, 20, few),
  title: drawn('draw.capital(faker.word.noun())', 2, 20, few),
  paragraphs: drawn('faker.lorem.paragraphs()', 100, 1200),
  sentence: drawn('faker.hacker.phrase()', 25, 130),
};

const { city, company, country, language, personName, sentence, word } = textKinds;

const courses = "['Introduction to', 'Practical', 'Advanced', 'Intensive']";

/** What a text is about, by a word of its own name or of its model's; the first row decides. */
export const themes: readonly (readonly [RegExp, Drawn])[] = [
  [/\b(languages?|locale|mother tongue)\b/, language],
  [/\b(nationality|country)\b/, country],
  [/\b(city|town|birthplace)\b/, city],
  [/\b(job|profession|occupation)\b/, drawn('faker.person.jobTitle()', 8, 50)],
  [/\b(products?|items?|goods)\b/, drawn('faker.commerce.productName()', 10, 35, few)],
  [/\b(categor(y|ies)|departments?|sections?)\b/, drawn('faker.commerce.department()', 4, 12, few)],
  [/\b(company|supplier|vendor|brand|organi[sz]ation|shop|store|firm|publisher|school)\b/, company],
  [
    /\b(users?|persons?|people|members?|customers?|clients?|patients?|students?|pupils?|teachers?|employees?|authors?|artists?|guests?|contacts?|doctors?|players?|speakers?|visitors?|parents?|child(ren)?)\b/,
    personName,
  ],
  [/\bbooks?\b/, drawn('faker.book.title()', 2, 60, few)],
  [/\b(songs?|tracks?|albums?|records?)\b/, drawn('faker.music.songName()', 3, 70, few)],
  [/\bgenres?\b/, drawn('faker.music.genre()', 3, 20, few)],
  ...['room', 'hall', 'studio', 'office', 'table'].map(numbered),
  [
    /\b(courses?|lessons?|class(es)?|subjects?|workshops?|trainings?|lectures?)\b/,
    drawn(
      `draw.joined(faker.helpers.arrayElement(${courses}), ' ', faker.person.jobArea().toLowerCase())`,
      12,
      32,
      few,
    ),
  ],
  [
    /\b(events?|meetings?|shows?|conferences?|appointments?|festivals?|concerts?)\b/,
    drawn(
      "draw.joined(faker.location.city(), ' ', faker.helpers.arrayElement(['festival', 'fair', 'meetup']))",
      8,
      40,
      few,
    ),
  ],
  [
    /\b(holidays?|vacations?)\b/,
    drawn(
      "draw.joined(faker.helpers.arrayElement(['Spring', 'Summer', 'Autumn', 'Winter']), ' holidays')",
      15,
      15,
      few,
    ),
  ],
  [
    /\b(projects?|campaigns?|initiatives?|goals?|ideas?)\b/,
    drawn('faker.company.catchPhrase()', 12, 65),
  ],
  [
    /\b(tasks?|tickets?|issues?|todos?|bugs?)\b/,
    drawn(
      "draw.joined(draw.capital(faker.hacker.verb()), ' the ', faker.hacker.noun())",
      10,
      35,
      few,
    ),
  ],
  [/\b(posts?|articles?|pages?|news|stor(y|ies)|threads?|messages?|announcements?)\b/, sentence],
  [/\b(tags?|topics?|labels?|keywords?|skills?)\b/, word],
  [/\b(recipes?|dish(es)?|meals?|menus?)\b/, drawn('faker.food.dish()', 3, 60, few)],
  [/\bingredients?\b/, drawn('faker.food.ingredient()', 2, 35, few)],
  [
    /\b(animals?|pets?|dogs?|cats?|sheep|horses?|cows?)\b/,
    drawn('faker.animal.petName()', 3, 12, few),
  ],
  [/\b(vehicles?|cars?|bikes?)\b/, drawn('faker.vehicle.vehicle()', 4, 45, few)],
  [/\b(bio|biography)\b/, drawn('faker.person.bio()', 4, 70, isWhole)],
  [
    /\b(images?|photos?|pictures?|avatars?|logos?|covers?|thumbnails?)\b/,
    drawn('faker.image.url()', 36, 60, isWhole),
  ],
];

/** `Room 214` */
function numbered(what: string): readonly [RegExp, Drawn] {
  const call = `draw.joined('${what.charAt(0).toUpperCase()}${what.slice(1)} ', faker.string.numeric(3))`;
  return [new RegExp(`\\b${what}s?\\b`), drawn(call, what.length + 4, what.length + 4, few)];
}

const named = /^(name|title|headline|subject|caption|label)$/;

/** A title is of the thing that it names: `Crooked shelf` for a shelf. */
export function kindOf(model: Model, field: Field): Drawn {
  const isUrl = field.type.kind === 'url';
  const kind = sampleKind(model, field);
  const general = kind === 'title' || kind === 'sentence' || (isUrl && kind === 'url');
  if (!general) return textKinds[kind];
  const own = themed(lowerWords(field.name), isUrl);
  if (own !== undefined || !named.test(field.name)) return own ?? textKinds[kind];
  return themed(model.names.human, isUrl) ?? (kind === 'title' ? titleOf(model) : textKinds[kind]);
}

/** Only pictures can be told apart by their URLs. */
function themed(words: string, isUrl: boolean): Drawn | undefined {
  return themes.find(
    ([pattern, { call }]) => call.startsWith('faker.image') === isUrl && pattern.test(words),
  )?.[1];
}

function titleOf({ names: { human } }: Model): Drawn {
  const call = `draw.joined(draw.capital(faker.word.adjective()), ' ${human}')`;
  return drawn(call, human.length + 4, human.length + 20, few);
}
