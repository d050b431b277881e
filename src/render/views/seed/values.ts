import { spacedWords } from '../../../naming/name.ts';
import type { App, Field, Model } from '../../../model/app.ts';
import { fits, type Lengths } from '../../../patterns/samples.ts';
import { fieldTypes } from '../../../types/all.ts';
import { pickLengths } from '../../../types/texts.ts';
import { tsCall, tsObject, tsString, tsValue } from '../../typescript.ts';
import { exampleValues } from '../tests/example-values.ts';
import { chooseAges, numberCall, isBirth, isDistinct, describeTopic } from './numbers.ts';
import { chooseVariable } from './key.ts';
import { findShape } from './shapes.ts';
import type { Wording } from './wording.ts';
import { wordsFor } from './words.ts';

/** Prints the call that draws a value on its own: `draw.usually('draft', () => draw.oneOf(enums.State))`. */
export function drawCall(model: Model, field: Field, app: App): string {
  const { type, default: initial } = field;
  const drawn = valueCall(model, field, app);
  if (initial?.kind !== 'literal' || type.kind === 'json' || isDistinct(field, model)) return drawn;
  // A demo should show every state.
  const share = type.kind === 'enum' ? '0.3' : undefined;
  return tsCall('draw.usually', tsValue(initial.value), `() => ${drawn}`, share);
}

function valueCall(model: Model, field: Field, app: App): string {
  const { type, column, min = 0, max = Infinity } = field;
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
    case 'float':
      return numberCall(field, model);
    case 'date':
      return `${longAgo(model, field)}.slice(0, 10)`;
    case 'time':
      return 'draw.longAgo().slice(11, 23)';
    case 'datetime':
      return longAgo(model, field);
    case 'json':
      return jsonCall(field, model);
    case 'bytes':
      return tsCall('draw.bytes', String(Math.max(Number(min), Math.min(Number(max), 8))));
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

/** The JSON of the default or the example, or else a note. */
function jsonCall({ default: initial, example }: Field, { names }: Model): string {
  const shown = initial?.kind === 'literal' ? initial.value : (example ?? null);
  const note = tsCall('draw.sentence', tsString(names.human));
  return shown === null ? tsObject({ note }) : tsValue(shown);
}

function longAgo({ names }: Model, field: Field): string {
  if (!isBirth(field) || /founded|established/.test(field.column)) return 'draw.longAgo()';
  return tsCall('draw.born', ...chooseAges(names.human).map(String));
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
  const { pattern, example } = field;
  if (isSlug(field)) return slugCall(field, model);
  const isCode = typeof example === 'string' && /^\S*\d\S*$/.test(example);
  if (!isCode && pattern === undefined) return worded(field, chooseWording(field, model), model);
  const samples = isCode ? [example] : exampleValues(model, field, app).slice(0, 5).map(String);
  const isWords = samples.some((sample) => sample.includes(' ')) && !isDistinct(field, model);
  const shapes = isWords
    ? []
    : samples.map((sample) => findShape(sample, pattern ?? '', pickLengths(field)));
  return shapes.length > 0 && shapes.every((shape) => shape !== undefined)
    ? tsCall('draw.like', ...new Set(shapes.map(tsString)))
    : tsCall('draw.oneOf', tsValue(samples));
}

/** A `string` without bounds is drawn as a short text. */
function chooseWording({ column, type, max = Infinity }: Field, model: Model): Wording {
  const room = type.kind === 'string' ? Math.min(Number(max), 255) : Number(max);
  return wordsFor(column, describeTopic(model), room);
}

/** Whether a field is named and shaped like a slug. */
function isSlug(field: Field): boolean {
  const { column, pattern = '', max = Infinity } = field;
  const isFit = fits(pattern, pickLengths(field));
  const slugs = ['art', 'old-fox-123', 'a-day-at-the-zoo', 'well-known-mother-in-law-007'];
  return /\bslug$/.test(spacedWords(column)) && Number(max) >= 40 && slugs.every(isFit);
}

/** The slug of the row's title, if it has one. */
function slugCall(slug: Field, model: Model): string {
  const title = model.fields.find(
    ({ column, type, role, nullable, pattern }) =>
      /^(title|name|headline|label|subject)$/.test(column) &&
      fieldTypes[type.kind].range === 'characters' &&
      role === 'declared' &&
      !nullable &&
      pattern === undefined,
  );
  if (title === undefined) return 'draw.slug()';
  const { most } = chooseWording(title, model);
  const call = chooseVariable(title.column, model);
  const wording = { call, least: 3, most: most + 5, isPhrase: true } as const;
  return tsCall('draw.slug', worded(slug, wording, model));
}

/** A phrase that fits into the column. In a unique column, a repeated phrase gets a number. */
function worded(field: Field, wording: Wording, model: Model): string {
  const { column, max = Infinity } = field;
  const text = fitWording(wording, pickLengths(field));
  if (wording.isPhrase !== true || !isDistinct(field, model)) return text;
  return tsCall(
    'rows.distinct',
    tsString(column),
    text,
    max === Infinity ? undefined : String(max),
  );
}

/** Cuts a text to the length of the column. */
export function fitWording(wording: Wording, { min = 0, max = Infinity }: Lengths): string {
  if (wording.shape !== undefined && wording.least < min) {
    return tsCall('draw.like', tsString(`${wording.shape}[0-9]{${min - wording.least}}`));
  }
  const bounds = tsObject({
    min: wording.least < min ? String(min) : undefined,
    max: wording.most > max ? String(max) : undefined,
  });
  return bounds === '{}' ? wording.call : tsCall('draw.fit', bounds, wording.call);
}
