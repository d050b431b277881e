import {
  type App,
  type Field,
  type Json,
  type Model,
  sampleValue,
  valuesOf,
} from '../../../model/app.ts';
import { singular } from '../../../naming/plural.ts';
import { fieldTypes } from '../../../types/all.ts';
import { type Kind, scaleOf } from '../../../types/field-type.ts';
import { isList, tsCall, tsKey, tsString, tsValue } from '../../typescript.ts';
import { bytesOf, patternText, textNamed, textOf, type Value } from './texts.ts';
import { lowerWords } from '../../../naming/name.ts';
import { formatScaled, scaleDecimal } from '../../../types/numbers.ts';

/** TypeScript that draws a value which the field accepts. */
export function value(model: Model, field: Field, app: App): Value {
  const { text, ...more } = isText(field)
    ? textOf(model, field, isDistinct(field, model))
    : { text: draw(model, field, app) };
  if (!field.nullable) return { text, ...more };
  return { text: tsCall('draw.maybe', text), ...more };
}

function isText({ type, pattern }: Field): boolean {
  return fieldTypes[type.kind].range === 'characters' && pattern === undefined;
}

function draw(model: Model, field: Field, app: App): string {
  return draws[field.type.kind](field, isUnique(field, model), app);
}

const matching: Draw = (field, _, app) => patternText(field) ?? tsValue(sampleValue(field, app));

type Draw = (field: Field, unique: boolean, app: App) => string;

/** A text without a pattern is drawn by what it is about. */
const draws: Readonly<Record<Kind, Draw>> = {
  string: matching,
  text: matching,
  email: matching,
  url: matching,
  int: wholeOf,
  bigint: wholeOf,
  id: wholeOf,
  float: floatOf,
  decimal: decimalOf,
  bool: () => tsCall('faker.datatype.boolean'),
  date: momentOf,
  time: momentOf,
  datetime: momentOf,
  uuid: () => tsCall('faker.string.uuid'),
  json: (field) => jsonLike(shapeOf(field), field.name),
  bytes: bytesOf,
  enum: ({ type }) =>
    tsCall('faker.helpers.arrayElement', ...Object.values(fieldTypes.enum.details?.(type) ?? {})),
};

/** Whether no two rows may hold the same. */
export function isUnique({ name, unique }: Field, model: Model): boolean {
  return unique || model.unique.some(({ fields }) => fields.length === 1 && fields[0] === name);
}

/** Whether a text has to be another one wherever a constraint wants rows to differ. */
function isDistinct({ name }: Field, model: Model): boolean {
  return model.unique.some(({ fields }) => fields.includes(name));
}

function shapeOf({ default: initial, example }: Field): Json | undefined {
  return initial?.kind === 'literal' ? initial.value : example;
}

/** JSON of the kind of a default or an example; `name` says what its texts are about. */
function jsonLike(shape: Json | undefined, name: string): string {
  if (shape === undefined || shape === null) return '{ note: faker.hacker.phrase() }';
  if (typeof shape === 'string') return textNamed(name);
  if (typeof shape === 'boolean') return tsCall('faker.datatype.boolean');
  if (typeof shape === 'number') return tsCall('faker.number.int', '{ max: 100 }');
  if (isList(shape)) return listLike(shape, name);
  const members = Object.entries(shape).map(
    ([key, part]) => `${tsKey(key)}: ${part === null ? 'null' : jsonLike(part, key)}`,
  );
  return members.length === 0 ? jsonLike(undefined, name) : `{ ${members.join(', ')} }`;
}

/** Some of the values, or words where there are none. */
function listLike(values: readonly Json[], name: string): string {
  if (values.length > 0) return tsCall('faker.helpers.arrayElements', tsValue(values));
  const word = `() => ${textNamed(singular(name))}`;
  return tsCall('faker.helpers.multiple', word, '{ count: { min: 0, max: 3 } }');
}

/** What a number is about, by its name: the least and the greatest that is believable. */
const usual: readonly (readonly [RegExp, number, number])[] = [
  [/\bage\b/, 18, 80],
  [/\byear\b/, 1990, 2026],
  [/\b(quantity|qty|pieces|copies)\b/, 1, 10],
  [/\b(price|cost|fee|amount|total|budget|balance|revenue|value)\b/, 5, 500],
  [/\b(salary|wage|income)\b/, 2000, 6000],
  [/\b(rating|stars|score|grade|level)\b/, 1, 5],
  [/\b(percent|percentage|discount|progress)\b/, 0, 100],
  [/\b(share|ratio|factor|probability)\b/, 0, 1],
  [/\b(position|sort|order|rank|index|priority|floor)\b/, 0, 20],
  [/\b(seats|capacity|participants|people|guests|persons)\b/, 4, 60],
  [/\b(stock|inventory)\b/, 0, 200],
  [/\b(duration|minutes)\b/, 15, 180],
  [/\b(hours|days|weeks|months)\b/, 1, 12],
  [/\b(lat|latitude)\b/, -90, 90],
  [/\b(lng|lon|longitude)\b/, -180, 180],
  [/\b(weight|kilos|kg)\b/, 1, 50],
];

type Range = readonly [least: bigint, most: bigint];

function wholeOf(field: Field, unique: boolean): string {
  const range = believable(field, unique);
  if (range.every(isSafe)) {
    const drawn = tsCall('faker.number.int', `{ min: ${range[0]}, max: ${range[1]} }`);
    return fieldTypes[field.type.kind].exact ? tsCall('String', drawn) : drawn;
  }
  return tsCall('String', `faker.number.bigInt({ min: ${range[0]}n, max: ${range[1]}n })`);
}

function floatOf(field: Field, unique: boolean): string {
  const [low, high] = usualRange(field.name);
  const { min = -Infinity, max = Infinity } = bounds(field);
  const span = high - low;
  const least = Math.max(min, Math.min(low, max - span));
  const most = Math.min(max, Math.max(high, min + span));
  const digits = unique || most - least < 1 ? '' : ', fractionDigits: 2';
  return tsCall('faker.number.float', `{ min: ${least}, max: ${most}${digits} }`);
}

function decimalOf(field: Field, unique: boolean): string {
  const scale = scaleOf(field.type);
  const [least, most] = believable(field, unique);
  const isExact = [least, most].every(isSafe) && scale <= 6;
  if (scale === 0) {
    const end = isExact ? '' : 'n';
    const method = isExact ? 'faker.number.int' : 'faker.number.bigInt';
    return tsCall('String', tsCall(method, `{ min: ${least}${end}, max: ${most}${end} }`));
  }
  if (isExact) {
    const [min, max] = [least, most].map((bound) => Number(formatScaled(bound, scale)));
    const range = `{ min: ${min}, max: ${max}, fractionDigits: ${scale} }`;
    return `${tsCall('faker.number.float', range)}.toFixed(${scale})`;
  }
  const isFraction = least <= 0n && most >= 10n ** BigInt(scale) - 1n;
  if (isFraction)
    return tsCall('draw.joined', "'0.'", tsCall('faker.string.numeric', String(scale)));
  return tsString(formatScaled(least, scale));
}

/** In units of the last decimal. What is unique gets a wide range. */
function believable(field: Field, unique: boolean): Range {
  const limits = fieldTypes[field.type.kind].limits?.(field.type);
  const units = (bound: number | string = 0) =>
    scaleDecimal(String(bound), scaleOf(field.type)) ?? 0n;
  const min = units(field.min ?? limits?.min);
  const max = units(field.max ?? limits?.max);
  const [low, high] = unique ? [1, 1e9] : usualRange(field.name);
  const span = units(high) - units(low);
  return [
    larger(min, smaller(units(low), max - span)),
    smaller(max, larger(units(high), min + span)),
  ];
}

function usualRange(name: string): readonly [number, number] {
  const words = lowerWords(name);
  const [, least, most] = usual.find(([pattern]) => pattern.test(words)) ?? [/./, 0, 1000];
  return [least, most];
}

function bounds({ min, max }: Field) {
  return {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  };
}

const larger = (left: bigint, right: bigint) => (left > right ? left : right);
const smaller = (left: bigint, right: bigint) => (left < right ? left : right);
const isSafe = (bound: bigint) => Number.isSafeInteger(Number(bound));

/** The fields that begin and end something: what ends, ends after it has begun. */
export function timesOf(model: Model) {
  const starts = model.fields.filter((field) => isTemporal(field) && wordAt(field, 0) !== -1);
  const ends = model.fields.filter((field) => isTemporal(field) && wordAt(field, 1) !== -1);
  const pairs = ends.flatMap((end) => {
    const start = startOf(end, starts, model);
    return start === undefined ? [] : [{ start, end }];
  });
  const begun = [...new Set(pairs.map(({ start }) => start))];
  const names = new Map(begun.map((start, at) => [start, at === 0 ? 'start' : `start${at + 1}`]));
  const local = (start: Field) => names.get(start) ?? 'start';
  return {
    // Name of the field → what draws its value.
    times: new Map([
      ...begun.map((start) => [start.name, local(start)] as const),
      ...pairs.map(({ start, end }) => {
        const drawn = after(local(start), start.type.kind, end.type.kind);
        return [end.name, end.nullable ? tsCall('draw.maybe', drawn) : drawn] as const;
      }),
    ]),
    // What has to be known of a row before it is written down.
    locals: begun.map((start) => ({ name: local(start), text: momentOf(start, false) })),
  };
}

/** Moments at which a state of the row is reached, such as `published_at`: set from that state on. */
export function statesOf(model: Model, app: App, others: ReadonlyMap<string, string>) {
  const states = model.fields.filter(
    ({ type, role, nullable }) => type.kind === 'enum' && role === 'declared' && !nullable,
  );
  const free = model.fields.filter(
    (field) => !others.has(field.name) && !isUnique(field, model) && !isDistinct(field, model),
  );
  const found = states.map((state) => ({ state, reached: reachedIn(state, free, app) }));
  const [first] = found.filter(({ reached }) => reached.size > 0);
  if (first === undefined) return { states: new Map<string, string>(), locals: [] };
  const { state, reached } = first;
  return {
    // Name of the field → what draws its value.
    states: new Map([...reached, [state.name, 'state']]),
    locals: [{ name: 'state', text: draw(model, state, app) }],
  };
}

function reachedIn(state: Field, fields: readonly Field[], app: App): Map<string, string> {
  const values = valuesOf(state, app).map((each) => each.value);
  const moments = fields.filter((field) => isTemporal(field) && field.nullable && !isTime(field));
  return new Map(
    moments.flatMap((field) => {
      const event = words(field).replace(/ (at|on|date|time)$/, '');
      const first = values.findIndex((each) => lowerWords(each) === event);
      if (first < 1) return [];
      const isReached = `${tsValue(values.slice(first))}.includes(state)`;
      return [[field.name, tsCall('draw.when', isReached, momentOf(field, false))]];
    }),
  );
}

/** Words that begin something, and those that end it. */
const partners = [
  [
    /\b(starts?|started|starting|begins?|began|beginning)\b/,
    /\b(ends?|ended|ending|finish|finishes|finished)\b/,
  ],
  [/\b(opens?|opened|opening)\b/, /\b(closes?|closed|closing)\b/],
  [/\b(arrives?|arrived|arrival)\b/, /\b(leaves?|left|departs?|departed|departure)\b/],
  [/\b(borrowed|lent|loaned|rented|hired)\b/, /\b(returns?|returned)\b/],
  [/\bcheck in\b/, /\bcheck out\b/],
  [/\bfrom\b/, /\b(to|until|till)\b/],
] as const;

const wordAt = (field: Field, side: 0 | 1) =>
  partners.findIndex((pair) => pair[side].test(words(field)));

const isTime = ({ type }: Field) => type.kind === 'time';

const words = ({ name }: Field) => lowerWords(name);

function isTemporal({ type, role }: Field): boolean {
  return role === 'declared' && fieldTypes[type.kind].made?.word === 'now';
}

/** The one that goes with it best, or else the nearest before it; a time of day goes with another one only. */
function startOf(end: Field, starts: readonly Field[], { fields }: Model): Field | undefined {
  const likeness = (start: Field) =>
    4 * Number(wordAt(start, 0) === wordAt(end, 1)) +
    2 * Number(theme(start, 0) === theme(end, 1)) +
    Number(start.type.kind === end.type.kind);
  const distance = (start: Field) => {
    const fieldsBetween = fields.indexOf(end) - fields.indexOf(start);
    return fieldsBetween > 0 ? fieldsBetween : fields.length;
  };
  return starts
    .filter((start) => start !== end && isTime(start) === isTime(end))
    .toSorted(
      (left, right) => likeness(right) - likeness(left) || distance(left) - distance(right),
    )[0];
}

/** What a name says besides. */
function theme(field: Field, side: 0 | 1): string {
  const pattern = partners[wordAt(field, side)]?.[side] ?? /$/;
  const rest = words(field).replace(pattern, '');
  return rest.replace(/\b(at|on|date|time|day)\b/, '').trim();
}

function after(start: string, from: Kind, to: Kind): string {
  if (to === 'time') return `draw.hoursAfter(\`2000-01-01T\${${start}}Z\`).slice(11, 23)`;
  if (to === 'date') return tsCall('draw.daysAfter', start);
  return from === 'date'
    ? `draw.atWork(new Date(${tsCall('draw.daysAfter', start)}))`
    : tsCall('draw.hoursAfter', start);
}

/** What is unique is drawn from more moments than those of work. */
function momentOf(field: Field, unique: boolean): string {
  const { type } = field;
  const date = dateOf(field, unique && type.kind === 'date');
  if (type.kind === 'date') return tsCall('draw.day', date);
  const atWork = date === past ? tsCall('draw.past') : tsCall('draw.atWork', date);
  const moment = unique ? `${date}.toISOString()` : atWork;
  return type.kind === 'time' ? `${moment}.slice(11, 23)` : moment;
}

function dateOf(field: Field, unique: boolean): string {
  const name = words(field);
  if (/\b(birth|birthday|birthdate|born|dob)\b/.test(name)) return 'faker.date.birthdate()';
  if (unique) return 'faker.date.past({ years: 50 })';
  if (field.default?.kind === 'now' || happened.test(name)) return past;
  if (partners.flat().some((pattern) => pattern.test(name))) return 'faker.date.anytime()';
  return future.test(name) ? 'faker.date.soon({ days: 90 })' : past;
}

const past = 'faker.date.past()';

/** Of the words above. */
const happened =
  /\b(started|began|ended|finished|opened|closed|arrived|left|departed|borrowed|lent|loaned|rented|hired|returned)\b/;

const future =
  /\b(due|deadline|expires?|expiry|expiration|remind|reminder|next|renew|renewal|scheduled|planned|delivery)\b/;
