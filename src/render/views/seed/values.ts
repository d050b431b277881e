import type { App, Field, Json, Model } from '../../../model/app.ts';
import { sampleValue } from '../../../model/sample-value.ts';
import { tsCall, tsValue } from '../../typescript.ts';
import { jsonLike } from './json.ts';
import { decimalOf, floatOf, wholeOf } from './numbers.ts';
import { bytesOf, patternText, textOf, type Value } from './texts.ts';
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
  return ['string', 'text', 'email', 'url'].includes(type.kind) && pattern === undefined;
}

function draw(model: Model, field: Field, app: App): string {
  const { type } = field;
  const unique = isUnique(field, model);
  switch (type.kind) {
    case 'enum':
      return tsCall('faker.helpers.arrayElement', `enums.${type.enum}`);
    case 'bool':
      return tsCall('faker.datatype.boolean');
    case 'uuid':
      return tsCall('faker.string.uuid');
    case 'json':
      return jsonLike(shapeOf(field), field.name);
    case 'bytes':
      return bytesOf(field);
    case 'int':
    case 'bigint':
    case 'id':
      return wholeOf(field, unique);
    case 'float':
      return floatOf(field, unique);
    case 'decimal':
      return decimalOf(field, type, unique);
    case 'date':
    case 'time':
    case 'datetime':
      return momentOf(field, unique);
    default:
      return patternText(field) ?? tsValue(sampleValue(field, app));
  }
}

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
