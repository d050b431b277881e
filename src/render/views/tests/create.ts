import type { App, Field, Model } from '../../../model/app.ts';
import { findModel, valuesOf } from '../../../model/lookups.ts';
import { fieldTypes } from '../../../types/all.ts';
import { code, type Code, type Member, sourceText, tsString, tsValue } from '../../typescript.ts';
import { sentLinks } from '../field-type.ts';
import { tiedTogether } from './agreeing.ts';
import type { ExampleRows } from './example-rows.ts';
import {
  isCreatable,
  defaultsToNull,
  isRequired,
  isClientWritable,
  findDefaultValue,
  clientKeys,
  findTargetModel,
  findOwnerKey,
} from '../../../model/writing.ts';
import { isRoomy } from './room.ts';
import { findRepeated, unorderedValues } from './constraints.ts';
import {
  argument,
  entries,
  entry,
  madeOf,
  missingId,
  printObject,
  type ObjectPart,
  returned,
} from './printed.ts';
import { linksThrough, sentParts } from './sent.ts';
import type { Values } from './example-values.ts';
import type { Json } from '../../../types/field-type.ts';

/** `POST /api/posts/`: a body, its answer, and what is refused. */
export function createView(model: Model, rows: ExampleRows, app: App) {
  const { full, brief, secrets } = rows;
  const taken = findRepeated(model, rows);
  const owner = findOwnerKey(model);
  const body = madeBy([...sentParts(model, app), ...linksOf(model, app)]);
  return {
    body,
    argument: argument({
      path: 'path',
      body,
      answer: answerOf(model, full),
      owner: owner && tsString(owner),
      hidden: someOf(Object.keys(secrets), namesOf),
      brief: brief && madeBy(sentParts(model, app, 'brief')),
      filledIn: brief && filledIn(model, brief),
      missing: someOf(
        model.fields.filter((field) => isClientWritable(field) && isRequired(field)),
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
  code(`async () => ${returned(parts)}`);

/** The fields of a broken constraint that an answer names: those that a client sends, if there are any. */
function namedOf(constraint: readonly string[], model: Model): readonly string[] {
  const sent = model.fields.filter((field) => isCreatable(field, model)).map(({ name }) => name);
  const named = constraint.filter((name) => sent.includes(name));
  return named.length === 0 ? constraint : named;
}

/** `tag_ids: [(await api.make.tag()).id]` */
export function linksOf(model: Model, app: App): readonly string[] {
  return sentLinks(model).map(({ idsField, target }) => {
    const other = findModel(target, app);
    // Unique constraints may allow no other row beside the one that is sent.
    const isMade = other !== model || isRoomy(model, app);
    return entry(idsField, isMade ? `[${madeOf(other)}.id]` : '[]');
  });
}

/** The fields that the server adds to what was sent. */
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
    return entry(field.name, knownValue(field) ?? `expect.any(${isNumber ? 'Number' : 'String'})`);
  });
  const links = linksThrough(model).map(({ idsField }) => entry(idsField, '[]'));
  const secret = model.link ? [entry(model.link.secret, 'expect.any(String)')] : [];
  return printObject([...fields, ...links, ...secret]);
}

/** What is known of a row that was sent with fewer values. */
function filledIn(model: Model, sent: Values): Code {
  const fields = addedTo(sent, model).flatMap((field) => {
    const value = field.role === 'key' ? undefined : knownValue(field);
    return value === undefined ? [] : [entry(field.name, value)];
  });
  return printObject([...fields, ...sentLinks(model).map(({ idsField }) => entry(idsField, '[]'))]);
}

/** Undefined for what is made when the row is written. */
function knownValue(field: Field): string | undefined {
  const preset = findDefaultValue(field);
  if (preset !== undefined) return tsValue(preset);
  return defaultsToNull(field) ? 'null' : undefined;
}

/** For each field that a client sends, something that is not a value of its type; of JSON, anything is. */
function wrongValues(model: Model, app: App): readonly Member[] {
  const fields = model.fields
    .filter((field) => isClientWritable(field) && field.type.kind !== 'json')
    .map((field) => ({ name: field.name, value: tsValue(wrongValue(field, app)) }));
  const links = sentLinks(model).map(({ idsField }) => ({ name: idsField, value: "'none'" }));
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
  const links = sentLinks(model).map(({ idsField, target }) => ({
    name: idsField,
    value: `[${missingId(findModel(target, app) ?? model)}]`,
  }));
  return [...keys, ...links];
}

/** Keys to rows that stay when they are deleted, and where these are. */
function goneKeys(model: Model, app: App): readonly Member[] {
  // What leads to the same row may be gone with it.
  const tied = tiedTogether(model);
  return clientKeys(model)
    .filter((key) => isRequired(key) && !tied.has(key.relation ?? ''))
    .flatMap((key) => {
      const target = findTargetModel(key, model, app);
      const isKept = target?.softDelete === true && target.endpoints.includes('delete');
      const value = isKept ? tsString(`${app.apiPrefix}/${target.path}/`) : '';
      return isKept ? [{ name: key.name, value }] : [];
    });
}
