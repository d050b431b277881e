import type { App, Field, Model } from '../../../model/app.ts';
import { findModel, valuesOf } from '../../../model/lookups.ts';
import { fieldTypes } from '../../../types/all.ts';
import { code, type Code, type Member, sourceText, tsString, tsValue } from '../../typescript.ts';
import { writableLinks } from '../field-type.ts';
import { agreeingRelations } from './agreeing-keys.ts';
import type { ExampleRows } from './example-rows.ts';
import {
  isCreatable,
  defaultsToNull,
  isRequired,
  isWritable,
  findDefaultValue,
  clientKeys,
  findTargetModel,
  findOwnerKey,
} from '../../../model/writing.ts';
import { allowsMoreRows } from './unique-values.ts';
import { findRepeated, unorderedValues } from './constraints.ts';
import {
  printArgument,
  entries,
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
  const body = madeBy([...sentParts(model, app), ...linksOf(model, app)]);
  return {
    body,
    argument: printArgument({
      path: 'path',
      body,
      answer: answerOf(model, full),
      owner: owner && tsString(owner),
      hidden: someOf(Object.keys(secrets), namesOf),
      brief: brief && madeBy(sentParts(model, app, 'brief')),
      filledIn: brief && filledIn(model, brief),
      missing: someOf(
        model.fields.filter((field) => isWritable(field) && isRequired(field)),
        (fields) => namesOf(fields.map(({ name }) => name)),
      ),
      wrong: entries(wrongValues(model, app)),
      refused: 'refused',
      lost: someOf(lostKeys(model, app), entries),
      gone: someOf(goneKeys(model, app), entries),
      unordered: someOf(unorderedValues(model, rows), (all) =>
        code(`[${all.map(sourceText).join(', ')}]`),
      ),
      taken: taken && namesOf(namedOf(taken, model)),
    }),
  };
}

/** Prints a list, unless it is empty. */
const someOf = <Each>(all: readonly Each[], print: (all: readonly Each[]) => Code) =>
  all.length === 0 ? undefined : print(all);

const namesOf = (names: readonly string[]): Code => code(tsValue([...names]));

/** `async () => ({ ...full, ...(await keys()) })` */
export const madeBy = (parts: readonly ObjectPart[]): Code =>
  code(`async () => ${printReturned(parts)}`);

/** The fields of a constraint that an error names: those that clients write, if there are any. */
function namedOf(constraint: readonly string[], model: Model): readonly string[] {
  const sent = model.fields.filter((field) => isCreatable(field, model)).map(({ name }) => name);
  const named = constraint.filter((name) => sent.includes(name));
  return named.length === 0 ? constraint : named;
}

/** `tag_ids: [(await api.make.tag()).id]` */
export function linksOf(model: Model, app: App): readonly string[] {
  return writableLinks(model).map(({ idsField, target }) => {
    const other = findModel(target, app);
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

function answerOf(model: Model, sent: Values): Code {
  const fields = addedTo(sent, model).map((field) => {
    const isNumber = field.role === 'id' && model.idType === 'int';
    return printEntry(
      field.name,
      knownValue(field) ?? `expect.any(${isNumber ? 'Number' : 'String'})`,
    );
  });
  const links = linksThrough(model).map(({ idsField }) => printEntry(idsField, '[]'));
  const secret = model.link ? [printEntry(model.link.secret, 'expect.any(String)')] : [];
  return printObject([...fields, ...links, ...secret]);
}

/** Known values of a row for which fewer values were sent. */
function filledIn(model: Model, sent: Values): Code {
  const fields = addedTo(sent, model).flatMap((field) => {
    const value = field.role === 'key' ? undefined : knownValue(field);
    return value === undefined ? [] : [printEntry(field.name, value)];
  });
  return printObject([
    ...fields,
    ...writableLinks(model).map(({ idsField }) => printEntry(idsField, '[]')),
  ]);
}

/** Undefined if the value is made when the row is written. */
function knownValue(field: Field): string | undefined {
  const preset = findDefaultValue(field);
  if (preset !== undefined) return tsValue(preset);
  return defaultsToNull(field) ? 'null' : undefined;
}

/** For each field that clients write, a value of another type. JSON has none. */
function wrongValues(model: Model, app: App): readonly Member[] {
  const fields = model.fields
    .filter((field) => isWritable(field) && field.type.kind !== 'json')
    .map((field) => ({ name: field.name, value: tsValue(wrongValue(field, app)) }));
  const links = writableLinks(model).map(({ idsField }) => ({ name: idsField, value: "'none'" }));
  return [...fields, ...links];
}

function wrongValue(field: Field, app: App): Json {
  const { wrong } = fieldTypes[field.type.kind];
  return valuesOf(field, app).some(({ value }) => value === wrong) ? 7 : wrong;
}

/** Keys to rows that do not exist. */
function lostKeys(model: Model, app: App): readonly Member[] {
  const keys = clientKeys(model).map((key) => ({
    name: key.name,
    value: missingId(findTargetModel(key, model, app) ?? model),
  }));
  const links = writableLinks(model).map(({ idsField, target }) => ({
    name: idsField,
    value: `[${missingId(findModel(target, app) ?? model)}]`,
  }));
  return [...keys, ...links];
}

/** Keys to softly deleted rows. */
function goneKeys(model: Model, app: App): readonly Member[] {
  // An agreeing key may lead to the same row.
  const tied = agreeingRelations(model);
  return clientKeys(model)
    .filter((key) => isRequired(key) && !tied.has(key.relation ?? ''))
    .flatMap((key) => {
      const target = findTargetModel(key, model, app);
      const isKept = target?.softDelete === true && target.endpoints.includes('delete');
      const value = isKept ? tsString(`${app.apiPrefix}/${target.path}/`) : '';
      return isKept ? [{ name: key.name, value }] : [];
    });
}
