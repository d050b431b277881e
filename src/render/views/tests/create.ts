import type { App, Field, Model } from '../../../model/app.ts';
import { isRestorable } from '../../../model/access.ts';
import { listEnumValues, getModel } from '../../../model/lookups.ts';
import { fieldTypes } from '../../../types/all.ts';
import { tsString, tsValue } from '../../typescript.ts';
import { writableLinks } from '../field-type.ts';
import { agreeingRelations } from './agreeing-keys.ts';
import type { ExampleRows } from './example-rows.ts';
import {
  isCreatable,
  isRequired,
  isWritable,
  clientKeys,
  findOwnerKey,
  findUnsentValue,
  getTargetModel,
} from '../../../model/writing.ts';
import { allowsMoreRows } from './unique-values.ts';
import { findRepeated, unorderedValues } from './constraints.ts';
import {
  printArgument,
  printEntry,
  printMadeRow,
  missingId,
  printObject,
  type ObjectPart,
  printReturned,
} from './print.ts';
import { linksThrough, sentParts } from './request-bodies.ts';
import type { Values } from './example-values.ts';
import type { Json } from '../../../types/field-type.ts';

/** Prints the test of `POST /api/posts/`: a body, its response, and bodies that are refused. */
export function createView(model: Model, rows: ExampleRows, app: App) {
  const { full, brief, secrets } = rows;
  const taken = findRepeated(model, rows);
  const owner = findOwnerKey(model);
  const body = madeBy([...sentParts(model, app), ...printLinks(model, app)]);
  return {
    body,
    argument: printArgument({
      path: 'path',
      body,
      answer: printAnswer(model, full),
      owner: owner && tsString(owner),
      hidden: printSome(Object.keys(secrets), tsValue),
      brief: brief && madeBy(sentParts(model, app, 'brief')),
      filledIn: brief && filledIn(model, brief),
      missing: printSome(
        model.fields
          .filter((field) => isWritable(field) && isRequired(field))
          .map(({ name }) => name),
        tsValue,
      ),
      wrong: printObject(wrongValues(model, app)),
      refused: 'refused',
      lost: printSome(lostKeys(model, app), printObject),
      gone: printSome(goneKeys(model, app), printObject),
      unordered: printSome(unorderedValues(model, rows), (all) => `[${all.join(', ')}]`),
      taken: taken && tsValue(listNamedFields(taken, model)),
    }),
  };
}

/** Prints a list, unless it is empty. */
const printSome = (all: readonly string[], print: (all: readonly string[]) => string) =>
  all.length === 0 ? undefined : print(all);

/** `async () => ({ ...full, ...(await keys()) })` */
export const madeBy = (parts: readonly ObjectPart[]) => `async () => ${printReturned(parts)}`;

/** The fields of a constraint that an error names: those that clients write, if there are any. */
function listNamedFields(constraint: readonly string[], model: Model): readonly string[] {
  const sent = model.fields.filter((field) => isCreatable(field, model)).map(({ name }) => name);
  const named = constraint.filter((name) => sent.includes(name));
  return named.length === 0 ? constraint : named;
}

/** `tag_ids: [(await api.make.tag()).id]` */
export function printLinks(model: Model, app: App): readonly string[] {
  return writableLinks(model).map(({ idsField, target }) => {
    const other = getModel(target, app);
    // Unique constraints may allow no other row.
    const isMade = other !== model || allowsMoreRows(model, app);
    return printEntry(idsField, isMade ? `[${printMadeRow(other)}.id]` : '[]');
  });
}

function addedTo(sent: Values, model: Model): readonly Field[] {
  const keys = clientKeys(model).filter(isRequired);
  return model.fields.filter(
    (field) =>
      !field.hidden &&
      !Object.hasOwn(sent, field.name) &&
      !keys.includes(field) &&
      field.name !== findOwnerKey(model),
  );
}

function printAnswer(model: Model, sent: Values): string {
  const fields = addedTo(sent, model).map((field) => {
    const value = findUnsentValue(field);
    const made = field.role === 'id' && field.type.kind === 'id' ? 'Number' : 'String';
    return printEntry(field.name, value === undefined ? `expect.any(${made})` : tsValue(value));
  });
  const links = linksThrough(model).map(({ idsField }) => printEntry(idsField, '[]'));
  const secret = model.link ? [printEntry(model.link.secret, 'expect.any(String)')] : [];
  return printObject([...fields, ...links, ...secret]);
}

/** Known values of a row for which fewer values were sent. */
function filledIn(model: Model, sent: Values): string {
  const fields = addedTo(sent, model).flatMap((field) => {
    const value = field.role === 'key' ? undefined : findUnsentValue(field);
    return value === undefined ? [] : [printEntry(field.name, tsValue(value))];
  });
  return printObject([
    ...fields,
    ...writableLinks(model).map(({ idsField }) => printEntry(idsField, '[]')),
  ]);
}

/** For each field that clients write, a value of another type. JSON has none. */
function wrongValues(model: Model, app: App): readonly string[] {
  const fields = model.fields.filter((field) => isWritable(field) && field.type.kind !== 'json');
  return [
    ...fields.map((field) => printEntry(field.name, tsValue(wrongValue(field, app)))),
    ...writableLinks(model).map(({ idsField }) => printEntry(idsField, "'none'")),
  ];
}

function wrongValue(field: Field, app: App): Json {
  const { wrong } = fieldTypes[field.type.kind];
  return listEnumValues(field, app).some(({ value }) => value === wrong) ? 7 : wrong;
}

/** Keys to rows that do not exist. */
function lostKeys(model: Model, app: App): readonly string[] {
  return [
    ...clientKeys(model).map((key) =>
      printEntry(key.name, missingId(getTargetModel(key, model, app))),
    ),
    ...writableLinks(model).map(({ idsField, target }) =>
      printEntry(idsField, `[${missingId(getModel(target, app))}]`),
    ),
  ];
}

/** Keys to softly deleted rows. */
function goneKeys(model: Model, app: App): readonly string[] {
  // An agreeing key may lead to the same row.
  const tied = agreeingRelations(model);
  return clientKeys(model)
    .filter((key) => isRequired(key) && !tied.has(key.relation ?? ''))
    .flatMap((key) => {
      const target = getTargetModel(key, model, app);
      return isRestorable(target)
        ? [printEntry(key.name, tsString(`${app.apiPrefix}/${target.path}/`))]
        : [];
    });
}
