import type { Field, Model } from '../../model/app.ts';
import { fieldTypes } from '../../types/all.ts';
import { madeKeys } from '../../types/keys.ts';
import { code, tsObject, tsValue } from '../typescript.ts';

/** What the server fills in: the database has no word for it, or another spelling of the same JSON. */
export function defaultsView(model: Model) {
  const words = new Set(model.fields.map(madeBy));
  const maker = model.fields.map(makerOf).find((made) => made !== undefined);
  const defaults = model.fields.map((field) => [field.column, filledValue(field)] as const);
  return {
    defaults: code(tsObject(Object.fromEntries(defaults))),
    usesNow: words.has('now'),
    usesUuid: words.has('uuid') || maker === 'newUuid',
    // What makes keys that are texts, but for uuids.
    keyMaker: maker !== 'newUuid' && maker,
  };
}

/** Whether the server fills in what is left out of a new row. */
export const isFilled = (field: Field) => filledValue(field) !== undefined;

function filledValue(field: Field): string | undefined {
  const { type, default: initial } = field;
  if (initial?.kind === 'key') {
    const call = `${makerOf(field)}()`;
    return initial.prefix === undefined ? call : `\`${initial.prefix}\${${call}}\``;
  }
  if (madeBy(field) !== undefined) return fieldTypes[type.kind].made?.code;
  const isRespelled = initial?.kind === 'literal' && type.kind === 'json';
  return isRespelled ? tsValue(initial.value) : undefined;
}

/** The word for a value that is made when the row is written. */
const madeBy = ({ default: initial }: Field) =>
  initial?.kind === 'literal' ? undefined : initial?.kind;

/** The function that makes a key that is a text. */
const makerOf = ({ default: initial }: Field) =>
  initial?.kind === 'key' ? madeKeys[initial.maker].made : undefined;
