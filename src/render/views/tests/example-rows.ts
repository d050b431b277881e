import {
  type App,
  type Field,
  findField,
  isPassword,
  isUser,
  type Json,
  type Model,
  modelOf,
  sampleValue,
  toOneOf,
} from '../../../model/app.ts';
import { inheritedNames, isGivenKey, ownerKey } from '../field-type.ts';
import { exampleValues } from './example-values.ts';
import { isChecked, isKnownOnlyWhenSent } from './in-order.ts';

type Values = Readonly<Record<string, Json>>;

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

export function exampleRows(model: Model, app: App): ExampleRows {
  const sent = model.fields.filter(isSent);
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
}

/** What the factory gives a field that needs one. */
export const usualValue = (field: Field, model: Model, app: App): Json => {
  const values = exampleValues(model, field, app);
  return values[2] ?? values[1] ?? values[0] ?? null;
};

/** What every row holds that the factory makes, but for its keys; nothing is known where one that is there may be taken. */
export function madeRow(model: Model, app: App): Values {
  if (!isRoomy(model, app)) return {};
  const known = model.fields.flatMap((field): [string, Json][] => {
    const { name, role } = field;
    const isOwn = role === 'declared' || (role === 'base' && !isPassword(field) && name !== 'role');
    if (!isOwn || isVaried(field, model) || name === model.link?.secret) return [];
    if (isLeftNull(field)) return [[name, null]];
    const value = isNeeded(field, model) ? usualValue(field, model, app) : presetOf(field);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(known);
}

const isNeeded = (field: Field, model: Model) =>
  isRequired(field) || isKnownOnlyWhenSent(field, model);

/** What a client must send, for the document: keys name the first row, where ids are numbers. */
export function exampleBody(model: Model, app: App): Values {
  if (!isUser(model) && !model.endpoints.includes('create')) return {};
  const { full } = exampleRows(model, app);
  const keys = sentKeys(model);
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

/** Fields that no two rows share: of a key that clients give, too. */
export function constraintsOf({ unique, fields }: Model): readonly (readonly string[])[] {
  const given = fields.filter(isGivenKey).map(({ name }) => [name]);
  return [...given, ...unique.map((constraint) => constraint.fields)];
}

/** Whether a field keeps both rows apart: by what is sent, by null, or by what the factory makes of it. */
function isDifferent(
  name: string,
  { full, brief }: { readonly full: Values; readonly brief: Values },
  model: Model,
  app: App,
): boolean {
  const field = findField(model, name);
  if (field === undefined || field.role === 'key') return field ? isFree(field, model, app) : false;
  if (!Object.hasOwn(full, name)) return !hasOneValue(field, model, app);
  const other = brief[name] ?? presetOf(field);
  return other === undefined || other !== full[name];
}

/** What a row holds when it is given nothing; nothing known where that is null, or made on write. */
export function presetOf({ default: initial }: Field): Json | undefined {
  return initial?.kind === 'literal' ? initial.value : undefined;
}

const hasOneValue = (field: Field, model: Model, app: App) =>
  !isLeftNull(field) && exampleValues(model, field, app).length < 2;

/** Whether rows without end fit the unique constraints, so that a factory can make one more at any time. */
export function isRoomy(model: Model, app: App): boolean {
  return (
    isUser(model) ||
    constraintsOf(model).every((fields) =>
      model.fields.some((field) => fields.includes(field.name) && isFree(field, model, app)),
    )
  );
}

/** Whether each new row gets another value here, or none. */
function isFree(field: Field, model: Model, app: App): boolean {
  if (isLeftNull(field) || field.default?.kind === 'uuid') return true;
  if (field.role !== 'key') return numbered(field, model, app) !== undefined;
  const target = targetOf(field, model, app);
  return target !== undefined && isRoomy(target, app);
}

export const isLeftNull = ({ nullable, default: initial }: Field) =>
  nullable && initial === undefined;

/** What stands before and after a number that makes the value another one each time, where there is room for any. */
export function numbered(
  field: Field,
  model: Model,
  app: App,
): { readonly before: string; readonly after: string } | undefined {
  const { type, min, max, pattern } = field;
  // A number that grows would leave the order behind.
  if (isChecked(field, model)) return undefined;
  if (type.kind === 'int' || type.kind === 'bigint') {
    const isWide = Number(min ?? 0) <= 1 && Number(max ?? 1e6) >= 1e6;
    return isWide ? { before: '', after: '' } : undefined;
  }
  const isFit = (text: string) =>
    text.length >= Number(min ?? 0) &&
    text.length <= Number(max ?? Infinity) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text));
  const forms = affixes(field, model, app).filter(({ before, after }) =>
    ['1', '27', '9999'].every((number) => isFit(before + number + after)),
  );
  return forms[0];
}

function affixes(field: Field, model: Model, app: App) {
  const { type, max } = field;
  if (type.kind === 'email') return [{ before: 'user', after: '@example.test' }];
  if (type.kind !== 'string' && type.kind !== 'text') return [];
  const text = String(exampleValues(model, field, app)[0]).slice(0, Number(max ?? 60) - 5);
  return ['-', ' ', ''].map((sign) => ({ before: text + sign, after: '' }));
}

/** What a client may write: a user's password and role, too. */
export const isSent = ({ source, role }: Field) =>
  role === 'base' || (role !== 'key' && source === 'client');

export const isRequired = ({ nullable, default: initial }: Field) =>
  !nullable && initial === undefined;

/** Keys that a client writes: to rows that a test has to make. */
export function sentKeys(model: Model): readonly Field[] {
  return model.fields.filter(({ role, source }) => role === 'key' && source === 'client');
}

/** The key of the owner, where some may name one. */
export function assignedKeys(model: Model): readonly Field[] {
  const key = ownerKey(model);
  return model.assign === undefined ? [] : model.fields.filter(({ name }) => name === key);
}

/** The model that a key points to. */
export function targetOf(key: Field, model: Model, app: App): Model | undefined {
  const relation = toOneOf(model, key.relation);
  return relation && modelOf(relation.target, app);
}

/** Whether the factory gives each row another value, because a constraint wants it. */
export function isVaried(field: Field, model: Model): boolean {
  const isConstrained = constraintsOf(model).some((fields) => fields.includes(field.name));
  return isConstrained && !isLeftNull(field) && field.default?.kind !== 'uuid';
}

/** `Partial<NewPost>`, as the type of a row. */
export function someOf(model: Model, row: Values = {}): string {
  const type = `New${model.names.type}`;
  const inherited = inheritedNames(model)
    .filter((name) => !Object.hasOwn(row, name))
    .map((name) => `'${name}'`);
  return inherited.length === 0
    ? `Partial<${type}>`
    : `Partial<Omit<${type}, ${inherited.join(' | ')}>>`;
}
