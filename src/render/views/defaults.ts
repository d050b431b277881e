import { isDeepStrictEqual } from 'node:util';
import type { App, Field, Model } from '../../model/app.ts';
import { isRequired, isWritable } from '../../model/writing.ts';
import { fieldTypes } from '../../types/all.ts';
import { madeKeys } from '../../types/keys.ts';
import { code, tsObject, tsValue } from '../typescript.ts';
import { timesView } from './times.ts';

/** Values that the server fills in, because the database cannot, or would format JSON differently. */
export function defaultsView(model: Model, app: App) {
  const words = new Set(model.fields.map(findMaker));
  return {
    onlyTimestamps: hasOnlyTimestamps(model, app),
    defaults: code(tsObject(Object.fromEntries(filledValues(model)))),
    now: code(words.has('now') ? 'const now = new Date().toISOString();' : ''),
  };
}

/** Whether the server fills in only timestamps, in columns that most models have. */
export function hasOnlyTimestamps(model: Model, app: App): boolean {
  const { created, updated } = timesView(app);
  const filled = model.fields.filter((field) => findFilledValue(field) !== undefined);
  const columns = filled.map(({ column }) => column);
  return filled.every(isMadeMoment) && isDeepStrictEqual(columns, [created, updated]);
}

const isMadeMoment = (field: Field) => findMaker(field) === 'now' && field.type.kind === 'datetime';

/** What the server fills in for columns of a new row that are left out. Never empty, since an insert needs a column. */
export function filledValues(model: Model): ReadonlyMap<string, string> {
  const filled = model.fields.flatMap((field) => {
    const value = findFilledValue(field);
    return value === undefined ? [] : [[field.column, value] as const];
  });
  if (filled.length > 0 || model.fields.some(isAlwaysSent)) return new Map(filled);
  const columns = model.fields.filter(({ role }) => role !== 'id');
  const { column, default: initial } = columns.find(({ nullable }) => nullable) ?? columns[0] ?? {};
  if (column === undefined) return new Map();
  return new Map([[column, initial?.kind === 'literal' ? tsValue(initial.value) : 'null']]);
}

/** Whether every new row has a value for the field. */
const isAlwaysSent = (field: Field) =>
  field.role === 'id' ? isWritable(field) : isRequired(field);

function findFilledValue(field: Field): string | undefined {
  const { type, default: initial } = field;
  if (initial?.kind === 'key') {
    const call = `${madeKeys[initial.maker].made}()`;
    return initial.prefix === undefined ? call : `\`${initial.prefix}\${${call}}\``;
  }
  if (findMaker(field) !== undefined) return fieldTypes[type.kind].made?.code;
  const isRespelled = initial?.kind === 'literal' && type.kind === 'json';
  return isRespelled ? tsValue(initial.value) : undefined;
}

/** The word for how a value is made when the row is written. */
const findMaker = ({ default: initial }: Field) =>
  initial?.kind === 'literal' ? undefined : initial?.kind;
