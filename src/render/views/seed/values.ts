import type { App, Field, Json, Model } from '../../../model/app.ts';
import { sampleValue } from '../../../model/values.ts';
import { singular } from '../../../naming/plural.ts';
import { fieldTypes } from '../../../types/all.ts';
import type { Kind } from '../../../types/field-type.ts';
import { tsCall, tsKey, tsValue } from '../../typescript.ts';
import { decimalOf, floatOf, wholeOf } from './numbers.ts';
import { bytesOf, patternText, textNamed, textOf, type Value } from './texts.ts';
import { momentOf } from './times.ts';

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

const isList = (shape: Json): shape is readonly Json[] => Array.isArray(shape);
