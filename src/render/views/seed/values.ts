import { spaced } from '../../../naming/name.ts';
import { type App, type Field, type Model } from '../../../model/app.ts';
import { fits } from '../../../patterns/samples.ts';
import { fieldTypes } from '../../../types/all.ts';
import { isList, tsCall, tsObject, tsString, tsValue } from '../../typescript.ts';
import { exampleValues } from '../tests/example-values.ts';
import { agesOf, believable, exactCall, isBirth, isDistinct, topicOf } from './numbers.ts';
import { variableOf } from './key.ts';
import { shapeOf } from './shapes.ts';
import { slug as ownSlug, type Wording } from './wording.ts';
import { wordsFor } from './words.ts';
import type { Json } from '../../../types/field-type.ts';

/** What draws a value of a column, whatever else its row holds. */
export function valueCall(model: Model, field: Field, app: App): string {
  const { type, column } = field;
  if (type.kind === 'json') return jsonCall(model, field);
  switch (type.kind) {
    case 'string':
    case 'text':
      return textCall(model, field, app);
    case 'email':
      return isRoomy(field, 15, 50) ? 'draw.email()' : lettersCall(field, '', '@a.io');
    case 'url':
      return isRoomy(field, 10, 60) ? urlCall(column) : lettersCall(field, 'http://', '');
    case 'int':
    case 'bigint':
    case 'decimal':
      return exactCall(field, model);
    case 'float':
      return tsCall('draw.float', ...believable(field, model).map(tsValue));
    case 'date':
      return `${longAgo(model, field)}.slice(0, 10)`;
    case 'time':
      return 'draw.longAgo().slice(11, 23)';
    case 'datetime':
      return longAgo(model, field);
    case 'bytes':
      return bytesCall(field);
    case 'string[]':
      return "draw.some(['large', 'new', 'old', 'small'])";
    case 'int[]':
      return 'draw.some([1, 2, 3, 5, 8])';
    case 'enum':
      return tsCall('draw.oneOf', ...Object.values(fieldTypes.enum.details?.(type) ?? {}));
    default:
      return tsCall(`draw.${type.kind}`);
  }
}

const jsonCall = ({ names }: Model, field: Field) => jsonLike(shapeOfJson(field), names.human);

function shapeOfJson({ default: initial, example = null }: Field): Json {
  return initial?.kind === 'literal' ? initial.value : example;
}

/** Whether what draws the value is an object literal, which an arrow would take for a body. */
export function isObjectLiteral(field: Field): boolean {
  const shape = shapeOfJson(field);
  return field.type.kind === 'json' && typeof shape === 'object' && !isList(shape);
}

function bytesCall({ min = 0, max = Infinity }: Field): string {
  return tsCall('draw.bytes', String(Math.max(Number(min), Math.min(Number(max), 8))));
}

function longAgo({ names }: Model, field: Field): string {
  if (!isBirth(field) || /founded|established/.test(field.column)) return 'draw.longAgo()';
  return tsCall('draw.born', ...agesOf(names.human).map(String));
}

function isRoomy({ min = 0, max = Infinity }: Field, least: number, most: number): boolean {
  return Number(min) <= least && Number(max) >= most;
}

function urlCall(column: string): string {
  const isPicture = /image|photo|picture|avatar|logo|cover|thumbnail/.test(column);
  return isPicture ? "draw.phrase('{{image.url}}')" : 'draw.url()';
}

function lettersCall({ min = 0, max = Infinity }: Field, before: string, after: string): string {
  const fixed = before.length + after.length;
  const length = Math.max(1, Number(min) - fixed, Math.min(Number(max) - fixed, 10));
  return tsCall('draw.letters', tsString(before), String(length), tsString(after));
}

function textCall(model: Model, field: Field, app: App): string {
  const own = findSlug(model);
  if (own?.slug === field) return slugCall(own, model);
  const { pattern, example, column, min = 0, max = Infinity } = field;
  const lengths = { min: Number(min), max: Number(max) };
  const wording = wordingOf(field, model);
  const isCode = typeof example === 'string' && /^\S*\d\S*$/.test(example);
  if (!isCode && (pattern === undefined || isAlways(pattern, lengths, wording))) {
    return isDistinct(field, model)
      ? distinctly(wording, lengths, column)
      : fitted(wording, lengths);
  }
  const samples = isCode ? [example] : exampleValues(model, field, app).slice(0, 5).map(String);
  const isWords = samples.some((sample) => sample.includes(' ')) && !isDistinct(field, model);
  const shapes = isWords ? [] : samples.map((sample) => shapeOf(sample, pattern ?? '', lengths));
  return shapes.length > 0 && shapes.every((shape) => shape !== undefined)
    ? tsCall('draw.like', ...new Set(shapes.map(tsString)))
    : tsCall('draw.oneOf', tsValue(samples));
}

/** Of a `string` without bounds, nobody expects a sentence. */
function wordingOf({ column, type, max = Infinity }: Field, model: Model): Wording {
  const room = type.kind === 'string' ? Math.min(Number(max), 255) : Number(max);
  return wordsFor(column, topicOf(model), room);
}

/** A field that holds a slug, and the one of which that is made. */
interface Slugged {
  readonly slug: Field;
  readonly title: Field;
}

const titles = ['title', 'name', 'headline', 'label', 'subject'];

/** The slug of a row, which is made of what the row is called; undefined where it has only one of the two. */
function findSlug(model: Model): Slugged | undefined {
  const own = model.fields.filter(
    ({ role, type }) => role === 'declared' && fieldTypes[type.kind].range === 'characters',
  );
  const slug = own.find((field) => /\bslug$/.test(spaced(field.column)) && takesSlugs(field));
  const title = titles
    .map((name) => own.find(({ column }) => column === name))
    .find((field) => field !== undefined && !field.nullable && field.pattern === undefined);
  return slug === undefined || title === undefined ? undefined : { slug, title };
}

function slugCall({ slug, title }: Slugged, model: Model): string {
  const { most } = wordingOf(title, model);
  const call = variableOf(title.column, model);
  const wording = { call, least: 3, most: most + 5, isPhrase: true } as const;
  const lengths = { min: 0, max: Number(slug.max ?? Infinity) };
  const text = isDistinct(slug, model)
    ? distinctly(wording, lengths, slug.column)
    : fitted(wording, lengths);
  return tsCall('draw.slug', text);
}

/** Whether a field can hold the slug of any title. */
function takesSlugs({ pattern = '', min = 0, max = Infinity }: Field): boolean {
  const isFit = fits(pattern, { min: Number(min), max: Number(max) });
  return Number(max) >= 20 && ['art', 'old-fox-2', 'a-day-at-the-zoo'].every(isFit);
}

interface Lengths {
  readonly min: number;
  readonly max: number;
}

/** The usual pattern of a slug. */
function isAlways(pattern: string, lengths: Lengths, wording: Wording): boolean {
  const isSlug = wording === ownSlug && wording.most <= lengths.max;
  return isSlug && ['old-fox-123', 'well-known-mother-in-law-007'].every(fits(pattern, lengths));
}

/** Cut to the length of the column. */
export function fitted(wording: Wording, { min, max }: Lengths): string {
  if (wording.shape !== undefined && wording.least < min) {
    return tsCall('draw.like', tsString(`${wording.shape}[0-9]{${min - wording.least}}`));
  }
  const isTooLong = wording.most > max;
  const isTooShort = wording.least < min;
  const bounds = {
    min: isTooShort ? String(min) : undefined,
    max: isTooLong ? String(max) : undefined,
  };
  return isTooLong || isTooShort
    ? tsCall('draw.fit', tsObject(bounds), wording.call)
    : wording.call;
}

/** A repeated phrase gets a number, if there is room for one. */
function distinctly(wording: Wording, lengths: Lengths, column: string): string {
  const text = fitted(wording, lengths);
  if (wording.isPhrase !== true) return text;
  const room = lengths.max === Infinity ? undefined : String(lengths.max);
  return tsCall('rows.distinct', tsString(column), text, room);
}

/** A JSON value of the same kind. */
function jsonLike(like: Json, about: string): string {
  if (like === null) return tsObject({ note: tsCall('draw.sentence', tsString(about)) });
  if (typeof like === 'boolean') return 'draw.bool()';
  if (typeof like === 'number') return 'draw.int(0, 100)';
  if (typeof like !== 'object') return tsValue(like);
  if (isList(like)) return like.length === 0 ? '[]' : tsCall('draw.some', tsValue(like));
  const members = Object.entries(like).map(([key, part]) => [
    key,
    part === null ? 'null' : jsonLike(part, about),
  ]);
  return tsObject(Object.fromEntries(members));
}

/** A default is the most frequent value; JSON is drawn after it. */
export function preset({ type, default: initial }: Field, drawn: string): string {
  if (initial?.kind !== 'literal' || type.kind === 'json') return drawn;
  // Of the states of a demo, one wants to see all.
  const share = type.kind === 'enum' ? '0.3' : undefined;
  return tsCall('draw.usually', tsValue(initial.value), `() => ${drawn}`, share);
}
