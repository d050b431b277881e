import { type App, type Field, isPassword, isUser, type Model } from '../../../model/app.ts';
import { sampleValue } from '../../../model/sample-value.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import {
  defaultsToNull,
  isRequired,
  clientValues,
  findDefaultValue,
  clientKeys,
} from '../../../model/writing.ts';
import { inheritedNames } from '../field-type.ts';
import { exampleValues, type Values } from './example-values.ts';
import { isKnownOnlyWhenSent } from './in-order.ts';
import { constraintsOf, isDifferent, isRoomy, isVaried } from './room.ts';
import type { Json } from '../../../types/field-type.ts';

/** Two rows as clients send them; what they point to is added by the tests. */
export interface ExampleRows {
  /** All that a client may send and is shown again. */
  readonly full: Values;
  /** What it must send; nothing where the unique constraints leave no room for a second row. */
  readonly brief: Values | undefined;
  /** What it may send and is never shown. */
  readonly secrets: Values;
}

/** Of every user that the tests make. */
export const testPassword = 'correct horse battery staple';

export const exampleRows = rememberPerModel((model, app): ExampleRows => {
  const sent = clientValues(model);
  const shown = sent.filter(({ hidden }) => !hidden);
  const valueOf = (field: Field, index: number): Json => {
    if (isPassword(field)) return testPassword;
    const values = exampleValues(model, field, app);
    return values[index] ?? values[0] ?? null;
  };
  const row = (fields: readonly Field[], index: number) =>
    Object.fromEntries(fields.map((field) => [field.name, valueOf(field, index)]));
  const full = row(shown, 0);
  const brief = row(
    shown.filter((field) => isNeeded(field, model)),
    1,
  );
  const isRoomForTwo = constraintsOf(model).every((fields) =>
    fields.some((name) => isDifferent(name, { full, brief }, model, app)),
  );
  return {
    full,
    brief: isRoomForTwo ? brief : undefined,
    secrets: row(
      sent.filter(({ hidden }) => hidden),
      0,
    ),
  };
});

/** What the factory gives a field that needs one: where a constraint allows few, none of those that tests write out. */
export const usualValue = (field: Field, model: Model, app: App): Json => {
  const values = exampleValues(model, field, app);
  return values[2] ?? values[1] ?? values[0] ?? null;
};

/** The values of every row that the factory makes, without keys; unknown if an existing row may be reused. */
export function madeRow(model: Model, app: App): Values {
  if (!isRoomy(model, app)) return {};
  const known = model.fields.flatMap((field): [string, Json][] => {
    const { name, role } = field;
    const isOwn = role === 'declared' || (role === 'base' && !isPassword(field) && name !== 'role');
    if (!isOwn || isVaried(field, model) || name === model.link?.secret) return [];
    if (defaultsToNull(field)) return [[name, null]];
    const value = isNeeded(field, model) ? usualValue(field, model, app) : findDefaultValue(field);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(known);
}

export const isNeeded = (field: Field, model: Model) =>
  isRequired(field) || isKnownOnlyWhenSent(field, model);

/** What a client must send, for the document: keys name the first row, where ids are numbers. */
export function exampleBody(model: Model, app: App): Values {
  if (!isUser(model) && !model.endpoints.includes('create')) return {};
  const { full } = exampleRows(model, app);
  const keys = clientKeys(model);
  const needed = model.fields
    .filter((field) => isNeeded(field, model))
    .flatMap((field) => {
      if (isPassword(field)) return [[field.name, testPassword] as const];
      if (keys.includes(field)) return [[field.name, sampleValue(field, app)] as const];
      // Every object has something of the name `toString`.
      const value = Object.hasOwn(full, field.name) ? full[field.name] : undefined;
      return value === undefined ? [] : [[field.name, value] as const];
    });
  return Object.fromEntries(needed);
}

/** `Partial<NewPost>`, as the type of a row. */
export function partialType(model: Model, row: Values = {}): string {
  const type = `New${model.names.type}`;
  const inherited = inheritedNames(model)
    .filter((name) => !Object.hasOwn(row, name))
    .map((name) => `'${name}'`);
  return inherited.length === 0
    ? `Partial<${type}>`
    : `Partial<Omit<${type}, ${inherited.join(' | ')}>>`;
}
