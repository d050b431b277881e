import { type App, type Field, isPassword, isUser, type Model } from '../../../model/app.ts';
import { makeSampleValue } from '../../../model/sample-value.ts';
import { rememberPerModel } from '../../../model/remember-per-model.ts';
import { isRequired, clientValues, clientKeys, findUnsentValue } from '../../../model/writing.ts';
import { objectMembers, printOmit } from '../field-type.ts';
import { exampleValues, type Values } from './example-values.ts';
import { isKnownOnlyWhenSent } from './values-in-order.ts';
import {
  listUniqueConstraints,
  differsInRows,
  allowsMoreRows,
  variesByRow,
} from './unique-values.ts';
import type { Json } from '../../../types/field-type.ts';

/** Two rows as clients send them, without keys that the tests add. */
export interface ExampleRows {
  /** Everything that clients may write and the server returns. */
  readonly full: Values;
  /** Only what is required. Undefined if unique constraints allow no second row. */
  readonly brief: Values | undefined;
  /** What clients may write and the server never returns. */
  readonly secrets: Values;
}

/** The password of every user in tests. */
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
  const isRoomForTwo = listUniqueConstraints(model).every(({ fields }) =>
    fields.some((name) => differsInRows(name, { full, brief }, model, app)),
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

/** The value that the factory gives a required field. If a constraint allows only few, one that no test uses. */
export const factoryValue = (field: Field, model: Model, app: App): Json => {
  const values = exampleValues(model, field, app);
  return values[2] ?? values[1] ?? values[0] ?? null;
};

/** The values of a row of the factory, without keys. Empty if it may reuse an existing row. */
export function factoryRow(model: Model, app: App): Values {
  if (!allowsMoreRows(model, app)) return {};
  const known = model.fields.flatMap((field): [string, Json][] => {
    const { name, role } = field;
    const isOwn = role === 'declared' || (role === 'base' && !isPassword(field) && name !== 'role');
    if (!isOwn || variesByRow(field, model) || name === model.link?.secret) return [];
    const value = isNeeded(field, model) ? factoryValue(field, model, app) : findUnsentValue(field);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(known);
}

export const isNeeded = (field: Field, model: Model) =>
  isRequired(field) || isKnownOnlyWhenSent(field, model);

/** A required body for documents. Keys are those of the first row, if ids are numbers. */
export function exampleBody(model: Model, app: App): Values {
  if (!isUser(model) && !model.endpoints.includes('create')) return {};
  const { full } = exampleRows(model, app);
  const keys = clientKeys(model);
  const needed = model.fields
    .filter((field) => isNeeded(field, model))
    .flatMap((field) => {
      if (isPassword(field)) return [[field.name, testPassword] as const];
      if (keys.includes(field)) return [[field.name, makeSampleValue(field, app)] as const];
      // Every object has members such as `toString`.
      const value = Object.hasOwn(full, field.name) ? full[field.name] : undefined;
      return value === undefined ? [] : [[field.name, value] as const];
    });
  return Object.fromEntries(needed);
}

/** The type of a row: `Partial<NewPost>`. */
export function partialType(model: Model, row: Values = {}): string {
  const left = objectMembers(model).filter((name) => !Object.hasOwn(row, name));
  return `Partial<${printOmit(`New${model.names.type}`, left)}>`;
}
