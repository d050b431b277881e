import { type App, type Field, isPassword, isUser, type Model } from '../../model/app.ts';
import { hasPasswords } from '../../model/app-features.ts';
import { code, tsValue, tsCall, tsString } from '../typescript.ts';
import { objectMembers, isObjectMember, printOmit } from './field-type.ts';
import { mayWriteAtSignUp } from './tests/access-table.ts';
import { partialType, testPassword, factoryValue } from './tests/example-rows.ts';
import {
  isRequired,
  isClientId,
  isSentAtSignUp,
  defaultsToNull,
  getTargetModel,
} from '../../model/writing.ts';
import { allowsMoreRows, variesByRow, findNumbering } from './tests/unique-values.ts';
import { buildInputs } from './queries.ts';
import { isKnownOnlyWhenSent } from './tests/values-in-order.ts';
import { spread, printEntry, printObject } from './tests/print.ts';
import type { Entry } from '../../schema/entry.ts';

/** The view of `test/factory.ts`: how to make a row of each model, with the rows that it refers to. */
export function factoryView(app: App) {
  const models = app.models.map((model) => buildFactory(model, app));
  const user = models.find(({ type }) => type === 'User');
  const registration = user ? ['registration'] : [];
  return {
    password: testPassword,
    services: code(hasPasswords(app) ? 'database, hasher' : 'database'),
    user,
    others: models.filter((it) => it !== user),
    made: code(printObject([...registration, ...models.map(({ made }) => made)])),
    imports: models.toSorted((left, right) => (left.folder < right.folder ? -1 : 1)),
    usesSpelled: app.models.some((model) =>
      model.fields.some(
        (field) => isMade(field, model) && findTurns(field, model, app)?.spelling !== undefined,
      ),
    ),
    usesNext: user !== undefined || models.some(({ usesNext }) => usesNext),
  };
}

function buildFactory(model: Model, app: App) {
  const { names } = model;
  const fields = model.fields
    .filter((field) => isMade(field, model))
    .map((field) => ({ field, text: printEntry(field.name, printValue(field, model, app)) }));
  const pickTexts = (isWanted: (field: Field) => boolean) =>
    fields.filter(({ field }) => isWanted(field)).map(({ text }) => text);
  return {
    ...names,
    ...buildInputs(model),
    // Rows that clients cannot create need no function.
    creates: isUser(model) || model.endpoints.includes('create'),
    table: model.table,
    made: `${names.variable}: make${names.type}`,
    values: code(printObject([...pickTexts(() => true), spread('values')])),
    registered: code(registeredType(model, app)),
    registration: code(printObject(pickTexts((field) => isAsked(field, model, app)))),
    person: code(
      printObject([
        '...(await registration())',
        ...pickTexts((field) => !isAsked(field, model, app)),
        spread('values'),
      ]),
    ),
    isScarce: !allowsMoreRows(model, app),
    usesNext: fields.some(({ field }) => findTurns(field, model, app) !== undefined),
    parameter: code(
      allowsMoreRows(model, app)
        ? `values: ${partialType(model)} = {}`
        : `values?: ${partialType(model)}`,
    ),
  };
}

/** Whether a field is required at sign-up. */
const isAsked = (field: Field, model: Model, app: App) =>
  isSentAtSignUp(field) && mayWriteAtSignUp(field.write ?? everybody, model, app);

const everybody: readonly Entry[] = [{ kind: 'public' }];

/** Leaves out fields such as `toString`, which every object has. */
function registeredType(model: Model, app: App): string {
  const unasked = model.fields.filter(
    (field) => isObjectMember(field) && !isAsked(field, model, app),
  );
  return printOmit(
    `Create${model.names.type}`,
    unasked.map(({ name }) => name),
  );
}

/** Whether the factory sets a field: a required one, or one that a constraint requires to differ. */
function isMade(field: Field, model: Model): boolean {
  if (field.role === 'key') return isRequired(field);
  if (field.role !== 'declared' && field.role !== 'base' && !isClientId(field)) return false;
  return (
    isRequired(field) ||
    variesByRow(field, model) ||
    isKnownOnlyWhenSent(field, model) ||
    objectMembers(model).includes(field.name)
  );
}

function printValue(field: Field, model: Model, app: App): string {
  if (isPassword(field)) return 'testPassword';
  if (field.role === 'key') return printKey(field, model, app);
  if (defaultsToNull(field)) return 'null';
  const form = findTurns(field, model, app);
  if (form === undefined) return tsValue(factoryValue(field, model, app));
  const turn = tsCall('next', tsString(`${model.table}.${field.name}`));
  const { before, after, from, spelling } = form;
  if (field.type.kind === 'int') return `${from} + ${turn}`;
  if (field.type.kind === 'bigint') return `String(${from} + ${turn})`;
  if (spelling === undefined) return withNumber(turn, before, after);
  const number = `${spelling.from} + ${turn}`;
  const spelled = tsCall('spelled', number, tsString(spelling.characters));
  return before + after === '' ? spelled : withNumber(spelled, before, after);
}

/** The text around a number, for a field that has to differ in each row. */
const findTurns = (field: Field, model: Model, app: App) =>
  field.role !== 'key' && variesByRow(field, model) ? findNumbering(field, model, app) : undefined;

/** `(await makeUser()).id`, unless the test gives the key. */
function printKey(field: Field, model: Model, app: App): string {
  const made = `(await make${getTargetModel(field, model, app).names.type}()).id`;
  if (isUser(model)) return made;
  return `values${allowsMoreRows(model, app) ? '' : '?'}.${field.name} ?? ${made}`;
}

/** A template literal, or a concatenation if the text would need escapes in one. */
function withNumber(turn: string, before: string, after: string): string {
  const isPlain = /^[^`\\$\p{C}\u2028\u2029]*$/u.test(before + after);
  if (isPlain) return `\`${before}\${${turn}}${after}\``;
  return [...quoted(before), turn, ...quoted(after)].join(' + ');
}

const quoted = (text: string) => (text === '' ? [] : [tsString(text)]);
