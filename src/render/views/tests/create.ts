import {
  type App,
  type Field,
  type Model,
  isIdList,
  findModel,
  valuesOf,
} from '../../../model/app.ts';
import { fieldTypes } from '../../../types/all.ts';
import { code, type Code, type Member, sourceText, tsString, tsValue } from '../../typescript.ts';
import { sentLinks } from '../field-type.ts';
import { tiedTogether } from './agreeing.ts';
import type { ExampleRows } from './example-rows.ts';
import {
  isAccepted,
  isLeftNull,
  isRequired,
  isSent,
  findPreset,
  sentKeys,
  findTarget,
  findOwnerKey,
} from '../../../model/writing.ts';
import { isRoomy } from './room.ts';
import { isMeant, repeatedConstraints, unorderedValues } from './constraints.ts';
import {
  argument,
  copyOf,
  entries,
  entry,
  madeOf,
  missingId,
  printObject,
  type ObjectPart,
  returned,
} from './printed.ts';
import type { Json } from '../../../types/field-type.ts';

/** `POST /api/posts/`: a body, its answer, and what is refused. */
export function createView(model: Model, rows: ExampleRows, app: App) {
  const { full, brief, secrets } = rows;
  const keys = sentKeys(model).some(isRequired) ? ['...(await keys())'] : [];
  const hidden = Object.keys(secrets);
  const sent = hidden.length > 0 ? [copyOf('secrets')] : [];
  const required = requiredNames(model);
  const lost = lostKeys(model, app);
  const gone = goneKeys(model, app);
  const [taken, ...others] = repeatedConstraints(model, rows);
  // Of two constraints that are broken at once, either may be named.
  const isTaken = taken !== undefined && others.length === 0 && isMeant(taken, full, model);
  const unordered = unorderedValues(model, rows);
  const owner = findOwnerKey(model);
  const body = madeBy([...bodyOf('full', sent, keys), ...linksOf(model, app)]);
  return {
    body,
    /** Whether some of the answer is made when the row is written. */
    isExpecting: addedTo(full, model).some((field) => knownValue(field) === undefined),
    argument: argument({
      path: 'path',
      body,
      answer: answerOf(model, full),
      owner: owner && tsString(owner),
      hidden: someOf(hidden, namesOf),
      brief: brief && madeBy(bodyOf('brief', sent, keys)),
      filledIn: brief && printObject(presetsOf(model, brief)),
      missing: someOf(required, namesOf),
      wrong: entries(wrongValues(model, app)),
      refused: 'refused',
      lost: someOf(lost, entries),
      gone: someOf(gone, entries),
      unordered: someOf(unordered, (all) => code(`[${all.map(sourceText).join(', ')}]`)),
      taken: isTaken ? namesOf(namedOf(taken, model)) : undefined,
    }),
  };
}

/** Prints a list, unless it is empty. */
const someOf = <Each>(all: readonly Each[], print: (all: readonly Each[]) => Code) =>
  all.length === 0 ? undefined : print(all);

const bodyOf = (row: string, sent: readonly ObjectPart[], keys: readonly string[]) => [
  copyOf(row),
  ...sent,
  ...keys,
];

const namesOf = (names: readonly string[]): Code => code(tsValue([...names]));

/** `async () => ({ ...full, ...(await keys()) })` */
export const madeBy = (parts: readonly ObjectPart[]): Code =>
  code(`async () => ${returned(parts)}`);

/** The fields of a broken constraint that an answer names: those that a client sends, if there are any. */
function namedOf(constraint: readonly string[], model: Model): readonly string[] {
  const sent = model.fields.filter((field) => isAccepted(field, model)).map(({ name }) => name);
  const named = constraint.filter((name) => sent.includes(name));
  return named.length === 0 ? constraint : named;
}

const requiredNames = ({ fields }: Model): readonly string[] =>
  fields.filter((field) => isSent(field) && isRequired(field)).map(({ name }) => name);

/** `tag_ids: [(await api.make.tag()).id]` */
export function linksOf(model: Model, app: App): readonly string[] {
  return sentLinks(model).map(({ idsField, target }) => {
    const other = findModel(target, app);
    // Unique constraints may allow no other row beside the one that is sent.
    const isMade = other !== model || isRoomy(model, app);
    return entry(idsField, isMade ? `[${madeOf(other)}.id]` : '[]');
  });
}

const isKnown = ({ name, hidden }: Field, sent: Readonly<Record<string, Json>>) =>
  hidden || Object.hasOwn(sent, name);

function addedTo(sent: Readonly<Record<string, Json>>, model: Model): readonly Field[] {
  const keys = sentKeys(model).filter(isRequired);
  return model.fields.filter(
    (field) => !isKnown(field, sent) && !keys.includes(field) && field.name !== findOwnerKey(model),
  );
}

/** What the server adds to what was sent. */
function answerOf(model: Model, sent: Readonly<Record<string, Json>>): Code {
  const fields = addedTo(sent, model).map((field) => entry(field.name, valueIn(field, model)));
  const links = linksThrough(model).map(({ idsField }) => entry(idsField, '[]'));
  const secret = model.link ? [entry(model.link.secret, 'expect.any(String)')] : [];
  return printObject([...fields, ...links, ...secret]);
}

/** What is known of a row that was sent with fewer values. */
function presetsOf(model: Model, sent: Readonly<Record<string, Json>>): readonly string[] {
  const fields = model.fields
    .filter(({ name, hidden, role }) => !hidden && !Object.hasOwn(sent, name) && role !== 'key')
    .flatMap((field) => {
      const value = knownValue(field);
      return value === undefined ? [] : [entry(field.name, value)];
    });
  return [...fields, ...sentLinks(model).map(({ idsField }) => entry(idsField, '[]'))];
}

function valueIn(field: Field, model: Model): string {
  const isNumber = field.role === 'id' && model.idType === 'int';
  return knownValue(field) ?? `expect.any(${isNumber ? 'Number' : 'String'})`;
}

/** Undefined for what is made when the row is written. */
function knownValue(field: Field): string | undefined {
  const preset = findPreset(field);
  if (preset !== undefined) return tsValue(preset);
  return isLeftNull(field) ? 'null' : undefined;
}

/** For each field that a client sends, something that is not a value of its type; of JSON, anything is. */
function wrongValues(model: Model, app: App): readonly Member[] {
  const fields = model.fields
    .filter((field) => isSent(field) && field.type.kind !== 'json')
    .map((field) => ({ name: field.name, value: tsValue(wrongValue(field, app)) }));
  const links = sentLinks(model).map(({ idsField }) => ({ name: idsField, value: "'none'" }));
  return [...fields, ...links];
}

function wrongValue(field: Field, app: App): Json {
  const { wrong } = fieldTypes[field.type.kind];
  return valuesOf(field, app).some(({ value }) => value === wrong) ? 7 : wrong;
}

/** Fields that only the server sets, and one that does not exist. */
export function strangeValues(model: Model): readonly Member[] {
  const fields = model.fields.filter((field) => !isAccepted(field, model));
  return [
    ...fields.map(({ name }) => name),
    ...linksThrough(model).map(({ idsField }) => idsField),
    'nobody_knows_this',
  ].map((name) => ({ name, value: '7' }));
}

/** Lists of ids that are read, and written through the model between. */
function linksThrough(model: Model) {
  return model.relations.filter(isIdList).filter(({ through }) => through !== undefined);
}

/** Keys to rows that do not exist. */
function lostKeys(model: Model, app: App): readonly Member[] {
  const keys = sentKeys(model).map((key) => ({
    name: key.name,
    value: missingId(findTarget(key, model, app) ?? model),
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
  return sentKeys(model)
    .filter((key) => isRequired(key) && !tied.has(key.relation ?? ''))
    .flatMap((key) => {
      const target = findTarget(key, model, app);
      const isKept = target?.softDelete === true && target.endpoints.includes('delete');
      return isKept
        ? [{ name: key.name, value: tsString(`${app.apiPrefix}/${target.path}/`) }]
        : [];
    });
}
