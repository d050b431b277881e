import type { App, Field, Model } from '../../model/app.ts';
import { fieldTypes } from '../../model/field-types.ts';
import { insertionOrder } from '../../model/insertion-order.ts';
import { patternParts, type Part } from '../../model/pattern-parts.ts';
import { sampleKind } from '../../model/sample-kind.ts';
import { sampleValue } from '../../model/sample-value.ts';
import { code } from '../code.ts';
import { tsCall, tsObject, tsString, tsValue } from '../typescript.ts';

/** What `src/database/samples.ts` prints: how to draw a value for each field. */
export function samplesView(app: App) {
  const models = insertionOrder(app).map((model) => ({
    ...model.names,
    fields: model.fields.filter(isDrawn).map((field) => ({
      name: field.name,
      value: value(model, field, app),
    })),
  }));
  const isCalled = (name: string) =>
    models.some(({ fields }) => fields.some((field) => field.value.includes(name)));
  return {
    usesEnums: isCalled('enums.'),
    usesPatterns: isCalled('matching('),
    usesValues: isCalled('values.'),
    imports: models.toSorted((left, right) => (left.folder < right.folder ? -1 : 1)),
    models: models.map((model) => ({
      ...model,
      parameter: model.fields.some(({ value: drawn }) => usesDraw(drawn)) ? 'draw' : '',
      fields: model.fields.map((field) => ({ ...field, value: code(field.value) })),
    })),
  };
}

/** A model of nothing but relations, or of values that cannot be drawn, needs none. */
const usesDraw = (printed: string) => /\bdraw\b/.test(printed.replace(/'[^']*'|"[^"]*"/g, ''));

/** Ids, times and keys are the database's and the seed's; a password is hashed, a role given. */
function isDrawn({ role, name }: Field): boolean {
  return role === 'declared' || (role === 'base' && (name === 'name' || name === 'email'));
}

function value(model: Model, field: Field, app: App): string {
  const drawn = draw(model, field, app);
  return field.nullable ? tsCall('values.maybe', 'draw', `() => ${drawn}`) : drawn;
}

function draw(model: Model, field: Field, app: App): string {
  const { type } = field;
  switch (type.kind) {
    case 'enum':
      return tsCall('values.oneOf', 'draw', `enums.${type.enum}`);
    case 'string':
    case 'text':
    case 'email':
    case 'url':
      return text(model, field, app);
    case 'decimal': {
      const { precision, scale } = type;
      return tsCall('values.decimal', 'draw', tsValue({ precision, scale, ...bounds(field) }));
    }
    default:
      return tsCall(`values.${functions[type.kind]}`, 'draw', tsValue(bounds(field)));
  }
}

const functions = {
  id: 'integer',
  int: 'integer',
  bigint: 'bigInteger',
  float: 'float',
  bool: 'bool',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  uuid: 'uuid',
  json: 'json',
  bytes: 'bytes',
} as const;

function text(model: Model, field: Field, app: App): string {
  const like = `texts.${sampleKind(model, field)}`;
  if (field.pattern === undefined) return tsCall(like, 'draw', tsValue(bounds(field)));
  const parts = patternParts(field.pattern, lengths(field));
  if (parts === undefined) return tsValue(sampleValue(field, app));
  return tsCall(
    'matching',
    'draw',
    tsObject({
      pattern: tsCall('new RegExp', tsString(field.pattern), "'u'"),
      like,
      parts: tsParts(parts),
      ...Object.fromEntries(
        Object.entries(bounds(field)).map(([key, each]) => [key, tsValue(each)]),
      ),
    }),
  );
}

function tsParts(parts: readonly Part[]): string {
  return `[${parts.map(tsPart).join(', ')}]`;
}

function tsPart(part: Part): string {
  if (typeof part === 'string') return tsString(part);
  const times = `[${part.times.join(', ')}]`;
  if ('of' in part) return tsObject({ of: tsString(part.of), times });
  return tsObject({ any: `[${part.any.map(tsParts).join(', ')}]`, times });
}

/** But for those that every value of the type keeps to. */
function bounds({ type, min, max }: Field) {
  const { implied } = fieldTypes[type.kind];
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && max !== implied.max && { max }),
  };
}

function lengths({ min, max }: Field) {
  return {
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
  };
}
