import { type App, type Field, isUser, type Model } from '../../../model/app.ts';
import { findEnum } from '../../../model/lookups.ts';
import { fieldTypes } from '../../../types/all.ts';
import { scaleOf, type Json } from '../../../types/field-type.ts';
import { scaleDecimal } from '../../../types/numbers.ts';
import { code, tsValue } from '../../typescript.ts';
import type { ExampleRows } from './example-rows.ts';
import { isRequired, isWritable, clientKeys, findUnsentValue } from '../../../model/writing.ts';
import { variesByRow } from './unique-values.ts';
import { printObject, printArgument, printClient } from './print.ts';
import { chooseReader } from './access-table.ts';
import type { Values } from './example-values.ts';

/** Prints the test of `GET /api/posts/`: queries, and the rows that they return. */
export function listView(model: Model, rows: ExampleRows, app: App) {
  const hidden = model.fields.filter((field) => field.hidden).map(({ name }) => name);
  const make = `api.make.${model.names.variable}`;
  const made = rows.brief ? ['full', 'brief'] : ['full'];
  const columns = listComparedColumns(model, rows);
  return {
    hidden: hidden.length > 0 ? code(tsValue(hidden)) : undefined,
    argument: printArgument({
      path: 'path',
      reader: printClient(chooseReader(model, app)),
      rows: printObject(made.map((name) => `${name}: () => ${make}(${name})`)),
      only: String(comesWithUsers(model, app)),
      filters: tsValue(filterCases(columns)),
      orders: tsValue(orderCases(columns, app)),
    }),
  };
}

/** Whether signing in may create rows of the model. */
const comesWithUsers = (model: Model, { models }: App) =>
  isUser(model) || models.some((it) => isUser(it) && clientKeys(it).some(isRequired));

/** A query as people write it, such as `title=The first snow`, and the names of rows that it returns. */
type FilterCase = readonly [query: string, listed: readonly string[]];

interface ListColumn {
  readonly field: Field;
  /** The value of the full row. Not null. */
  readonly value: Json;
  /** The value of each row; undefined if only the server knows it. */
  readonly held: readonly (readonly [row: string, value: Json | undefined])[];
}

/** A filter for every field, and more for the first field of each kind: parts, signs, order, null. */
function filterCases(columns: readonly ListColumn[]): readonly FilterCase[] {
  const known = columns.filter(({ held }) => held.every(([, value]) => value !== undefined));
  const text = known.find(({ value, field }) => findLongestWord(value, field) !== undefined);
  const measured = known.filter(({ field }) => isMeasured(field));
  const kinds = new Map(measured.toReversed().map((column) => [column.field.type.kind, column]));
  const nullable = known.find(({ field }) => field.nullable);
  return columns.flatMap((column) => {
    const { field, value } = column;
    const part = text === column ? findLongestWord(value, field) : undefined;
    const isOver = (other: Json) => other !== null && compare(other, value, field) >= 0;
    const isBelow = (other: Json) => other !== null && compare(other, value, field) < 0;
    const isFirst = kinds.get(field.type.kind) === column;
    return [
      where(column, isParameter(field) ? '__eq' : '', value, (other) => other === value),
      ...(part === undefined
        ? []
        : [
            where(column, '__icontains', part.toUpperCase(), (other) => holds(other, part)),
            without(column, part),
            // No character in a text is a wildcard.
            where(column, '__contains', '%', (other) => holds(other, '%')),
          ]),
      ...(isFirst
        ? [where(column, '__gte', value, isOver), where(column, '__lt', value, isBelow)]
        : []),
      ...(nullable === column
        ? [where(column, '__isnull', 'true', (other) => other === null)]
        : []),
    ];
  });
}

const isParameter = ({ name }: Field) =>
  ['count', 'cursor', 'deleted', 'fields', 'filter', 'limit', 'offset', 'order_by'].includes(name);

/** The opposite of a filter for a part of a text. */
function without(column: ListColumn, part: string): FilterCase {
  const query = [column.field.name, 'not icontains', part.toUpperCase()];
  const listed = pickRows(column, (other) => typeof other === 'string' && !holds(other, part));
  return [`filter=${JSON.stringify(query)}`, listed];
}

function where(
  column: ListColumn,
  suffix: string,
  value: Json,
  isListed: (value: Json) => boolean,
): FilterCase {
  const text = String(value).replaceAll(/[%&+#]/g, encodeURIComponent);
  return [`${column.field.name}${suffix}=${text}`, pickRows(column, isListed)];
}

const pickRows = ({ held }: ListColumn, isListed: (value: Json) => boolean): readonly string[] =>
  held.flatMap(([row, value]) => (value !== undefined && isListed(value) ? [row] : [])).toSorted();

/** Every field in which the rows differ, with the order of rows in both directions. Nulls come last in both. */
function orderCases(columns: readonly ListColumn[], app: App) {
  return columns.flatMap(({ field, held: [, brief], value }) => {
    const other = brief?.[1];
    // An enum type sorts values in the order of their declaration.
    const isOfType = findEnum(field, app)?.type !== undefined;
    if (other === undefined || other === value || isOfType) return [];
    if (other === null) return [[field.name, ['full', 'brief'], ['full', 'brief']]];
    const ascending = compare(value, other, field) < 0 ? ['full', 'brief'] : ['brief', 'full'];
    return [[field.name, ascending, ascending.toReversed()]];
  });
}

function listComparedColumns(model: Model, { full, brief }: ExampleRows): readonly ListColumn[] {
  const rows = Object.entries({ full, ...(brief && { brief }) });
  const fields = model.fields.filter(
    (field) =>
      isShown(field) && (isWritable(field) || field.role === 'declared') && isCompared(field),
  );
  return fields.flatMap((field) => {
    const value = findHeld(full, field, model);
    if (value === undefined || value === null || !isShortValue(value)) return [];
    return [{ field, value, held: rows.map(([name, row]) => [name, findHeld(row, field, model)]) }];
  });
}

/** The value of a row: what was sent, or the default. */
function findHeld(row: Values, field: Field, model: Model) {
  if (Object.hasOwn(row, field.name)) return row[field.name];
  return variesByRow(field, model) ? undefined : findUnsentValue(field);
}

/** Whether everybody who sees the row sees the field. */
const isShown = ({ hidden, read }: Field) => !hidden && read === undefined;

const isCompared = ({ type }: Field) => fieldTypes[type.kind].ordered !== undefined;

/** Whether a value fits into a line of a table. */
const isShortValue = (value: Json) => /^.{1,60}$/u.test(String(value));

function findLongestWord(value: Json, { type }: Field): string | undefined {
  if (fieldTypes[type.kind].range !== 'characters') return undefined;
  const words = String(value).match(/[a-z]{2,}/gi) ?? [];
  return words.toSorted((a, b) => b.length - a.length)[0];
}

const holds = (value: Json, part: string) =>
  String(value ?? '')
    .toLowerCase()
    .includes(part.toLowerCase());

const isMeasured = ({ type }: Field) => fieldTypes[type.kind].measured === true;

/** Compares as both databases do. */
function compare(a: Json, b: Json, { type }: Field): number {
  const { ordered } = fieldTypes[type.kind];
  if (ordered === 'number') return Number(a) - Number(b);
  if (ordered !== 'exact') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  const units = (value: Json) => scaleDecimal(String(value), scaleOf(type)) ?? 0n;
  return Number(units(a) > units(b)) - Number(units(a) < units(b));
}
