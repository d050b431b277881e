import { momentColumns } from '../../types/found-columns.ts';
import { type Keys, readMap, type KeyValues } from '../key.ts';
import { asChoice, stringShape } from '../kinds.ts';
import { updateRules } from '../language.ts';
import { choiceReader, readEntries, type Reader, readWord } from '../shape.ts';
import type { SchemaNode } from '../source.ts';
import { scopeInside, type Scope } from '../scope.ts';

/** `type`, or a map from an enum to the name of its type, or to `text`. Nothing for `text`. */
const readStoredEnums = (node: SchemaNode | undefined, scope: Scope) => {
  if (node?.kind !== 'map') {
    const word = choiceReader(['text', 'type'])(node, scope);
    return word?.value === 'type' ? { names: [] } : undefined;
  }
  const names = readEntries(node, scope).flatMap(({ name, key, value }) => {
    const type = readWord(value, scopeInside(scope, name));
    return type === undefined ? [] : [[{ value: name, at: key.at }, type] as const];
  });
  return { names };
};

export const storageKeys = {
  times: {
    about:
      'Column type of datetimes on PostgreSQL; other than `timestamptz` only for a database that another program created. `timestamp` is in UTC, `(6)` has microseconds.',
    ...asChoice(momentColumns, 'timestamptz'),
  },
  keys: {
    about:
      'Column type of counted ids and of the keys to them on PostgreSQL; other than `bigint` only for a database that another program created. `int` has 32 bits.',
    ...asChoice(['bigint', 'int'], 'bigint'),
  },
  texts: {
    about:
      'How texts are kept on PostgreSQL; other than `binary` only for a database that another program created. `default` is in the order of the database and of any length.',
    ...asChoice(['binary', 'default'], 'binary'),
  },
  enums: {
    about:
      'How enums are kept on PostgreSQL; other than `text` only for a database that another program created. In a map, each enum is `text` or a type of another name.',
    shape: {
      anyOf: [{ enum: ['text', 'type'] }, { type: 'object', additionalProperties: stringShape }],
      default: 'text',
    },
    read: readStoredEnums,
  },
  indexes: {
    about:
      'What an index ends with on PostgreSQL: the `id`, as every order does; `bare`, for nothing, only for a database that another program created.',
    ...asChoice(['id', 'bare'], 'id'),
  },
  on_update: {
    about:
      'What happens to keys when the id of their target changes; other than `restrict` only for a database that another program created.',
    ...asChoice(updateRules, 'restrict'),
  },
} as const satisfies Keys;

export const readStorage: Reader<KeyValues<typeof storageKeys> | undefined> = (node, scope) =>
  node && readMap(node, storageKeys, scope);
