import { findFieldType } from '../../types/all.ts';
import type { Json } from '../../types/field-type.ts';
import type { Keys } from '../key.ts';
import { asFlag, asText, description, stringShape, typeForm, listTypes } from '../kinds.ts';
import type { Located } from '../language.ts';
import { leaveUnread, readPlainValue, type Reader } from '../shape.ts';
import { plainNumber } from './field-type.ts';
import { memberRules } from './people.ts';

/** `min` and `max` of the long form, as text so that no digit is lost. */
const readPlainNumber: Reader<Located<string> | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  const written =
    node.kind === 'scalar' ? (typeof node.value === 'string' ? node.value : node.source) : '';
  if (plainNumber.test(written)) return { value: written, at: node.at };
  const message = `${scope.path} must be a number in plain digits`;
  const help = 'like `0`, `-40` or `99.95`';
  scope.report({ code: 'SCF104', at: node.at, message, help });
  return undefined;
};

const asNumber = { shape: { type: ['number', 'string'] }, read: readPlainNumber };

export const fieldKeys = {
  type: {
    about: '[A type](#types), its range and its `?`: `string(1..80)?`; or an enum.',
    shape: (names) => ({
      anyOf: [
        { enum: listTypes(names) },
        { ...stringShape, pattern: String.raw`^\s*${typeForm}\s*$` },
      ],
    }),
    read: leaveUnread,
    required: 'add one, like `type: string`',
  },
  optional: { about: 'May be null; without it, required.', ...asFlag(false) },
  default: {
    about: '[Used when the field is omitted](#defaults); `now` for times, `uuid` for uuids.',
    shape: {},
    read: leaveUnread,
  },
  min: {
    about: 'Least length of a text (in characters), size of `bytes`, or value of a number.',
    ...asNumber,
  },
  max: {
    about: 'Greatest length of a text (in characters), size of `bytes`, or value of a number.',
    ...asNumber,
  },
  pattern: { about: '[Regular expression](#patterns) for a `string` or `text`.', ...asText() },
  unique: { about: 'No two rows share a value.', ...asFlag(false) },
  index: { about: 'Makes filtering and ordering by it fast.', ...asFlag(false) },
  readonly: {
    about: 'Set by the server only; must have a default or be optional.',
    ...asFlag(false),
  },
  immutable: { about: 'Set on create, never changed.', ...asFlag(false) },
  hidden: {
    about: 'Secret: in no response, filter, order, field selection, log or document.',
    ...asFlag(false),
  },
  ...memberRules,
  description,
  example: {
    about: 'Shown in the OpenAPI document; must be a value that the field accepts.',
    shape: {},
    read: leaveUnread,
  },
  column: { about: 'Name of the column.', ...asText(), absent: 'that of the field' },
  was: { about: 'Former name: the column is renamed instead of dropped.', ...asText() },
  backfill: {
    about: 'Value for existing rows when a required field is added.',
    shape: {},
    read: leaveUnread,
  },
} as const satisfies Keys;

/**
 * A default, example or backfill as it travels in JSON. `bigint` and `decimal` travel as texts, so their digits are
 * taken from the file and never pass through a float.
 */
export function literalReader(type: string): Reader<Located<Json> | undefined> {
  const isExact = findFieldType(type)?.exact === true;
  return (node, scope) => {
    if (node === undefined) return undefined;
    const isDigits = isExact && node.kind === 'scalar' && typeof node.value === 'number';
    return { value: isDigits ? node.source : readPlainValue(node, scope), at: node.at };
  };
}
