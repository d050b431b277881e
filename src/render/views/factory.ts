import { type App, type Field, isPassword, isUser, type Model } from '../../model/app.ts';
import { hasPasswords } from '../../model/app-features.ts';
import { code, tsValue, tsCall, tsString } from '../typescript.ts';
import { inheritedNames, isInherited } from './field-type.ts';
import { isOwnToWrite } from './tests/access-table.ts';
import { partialType, testPassword, usualValue } from './tests/example-rows.ts';
import { isRequired, findTargetModel, isClientId, defaultsToNull } from '../../model/writing.ts';
import { isRoomy, isVaried, numbered } from './tests/room.ts';
import { inputsOf } from './queries.ts';
import { isKnownOnlyWhenSent } from './tests/in-order.ts';
import { copyOf, entry, printObject } from './tests/printed.ts';
import type { Entry } from '../../schema/entry.ts';

/** What `test/factory.ts` prints: how to make a row of each model, with what it must point to. */
export function factoryView(app: App) {
  const models = app.models.map((model) => factoryOf(model, app));
  const user = models.find(({ type }) => type === 'User');
  const registration = user ? ['registration'] : [];
  return {
    password: testPassword,
    services: code(hasPasswords(app) ? 'database, hasher' : 'database'),
    registrant: hasPasswords(app)
      ? 'somebody sends who signs up'
      : 'an admin sends who makes a user',
    user,
    others: models.filter((it) => it !== user),
    made: printObject([...registration, ...models.map(({ made }) => made)]),
    imports: models.toSorted((left, right) => (left.folder < right.folder ? -1 : 1)),
    usesNext: user !== undefined || models.some(({ usesNext }) => usesNext),
  };
}

function factoryOf(model: Model, app: App) {
  const { names } = model;
  const fields = model.fields
    .filter((field) => isMade(field, model))
    .map((field) => ({ field, text: entry(field.name, valueOf(field, model, app)) }));
  const textsOf = (isWanted: (field: Field) => boolean) =>
    fields.filter(({ field }) => isWanted(field)).map(({ text }) => text);
  return {
    ...names,
    ...inputsOf(model),
    // Rows that clients cannot create need no function.
    creates: isUser(model) || model.endpoints.includes('create'),
    table: model.table,
    made: `${names.variable}: make${names.type}`,
    values: printObject([...textsOf(() => true), copyOf('values')]),
    registered: code(registeredType(model, app)),
    registration: printObject(textsOf((field) => isAsked(field, model, app))),
    person: printObject([
      '...(await registration())',
      ...textsOf((field) => !isAsked(field, model, app)),
      copyOf('values'),
    ]),
    isScarce: !isRoomy(model, app),
    usesNext: fields.some(({ field }) => turnsIn(field, model, app) !== undefined),
    parameter: code(
      isRoomy(model, app) ? `values: ${partialType(model)} = {}` : `values?: ${partialType(model)}`,
    ),
  };
}

/** Of somebody who signs up. */
const isAsked = (field: Field, model: Model, app: App) =>
  isPassword(field) ||
  (field.source === 'client' && isOwnToWrite(field.write ?? everybody, model, app));

const everybody: readonly Entry[] = [{ kind: 'public' }];

/** What is not asked, and every object has, is in no type of what is. */
function registeredType(model: Model, app: App): string {
  const sent = `Create${model.names.type}`;
  const unasked = model.fields.filter((field) => isInherited(field) && !isAsked(field, model, app));
  const names = unasked.map(({ name }) => tsString(name)).join(' | ');
  return names === '' ? sent : `Omit<${sent}, ${names}>`;
}

/** A row has its required fields, and those that a constraint requires to differ each time. */
function isMade(field: Field, model: Model): boolean {
  if (field.role === 'key') return isRequired(field);
  if (field.role !== 'declared' && field.role !== 'base' && !isClientId(field)) return false;
  return (
    isRequired(field) ||
    isVaried(field, model) ||
    isKnownOnlyWhenSent(field, model) ||
    inheritedNames(model).includes(field.name)
  );
}

function valueOf(field: Field, model: Model, app: App): string {
  if (isPassword(field)) return 'testPassword';
  if (field.role === 'key') return keyOf(field, model, app);
  if (defaultsToNull(field)) return 'null';
  const form = turnsIn(field, model, app);
  if (form === undefined) return tsValue(usualValue(field, model, app));
  const turn = tsCall('next', tsString(`${model.table}.${field.name}`));
  if (field.type.kind === 'int') return `1000 + ${turn}`;
  if (field.type.kind === 'bigint') return `String(1000 + ${turn})`;
  return withNumber(turn, form.before, form.after);
}

/** The text around a number, in a field that a constraint wants to differ from row to row. */
const turnsIn = (field: Field, model: Model, app: App) =>
  isVaried(field, model) ? numbered(field, model, app) : undefined;

/** `(await makeUser()).id`, unless the test says which. */
function keyOf(field: Field, model: Model, app: App): string {
  const made = `(await make${findTargetModel(field, model, app)?.names.type ?? ''}()).id`;
  if (isUser(model)) return made;
  return `values${isRoomy(model, app) ? '' : '?'}.${field.name} ?? ${made}`;
}

/** A template literal, or a concatenation where the text would have to be escaped in one. */
function withNumber(turn: string, before: string, after: string): string {
  const isPlain = /^[^`\\$\p{C}\u2028\u2029]*$/u.test(before + after);
  return isPlain ? `\`${before}\${${turn}}${after}\`` : `${tsString(before)} + ${turn}`;
}
