import { momentColumns } from '../../types/found-columns.ts';
import { type Keys, readMap, type Values } from '../key.ts';
import { asChoice, text } from '../kinds.ts';
import { updateRules } from '../language.ts';
import { choiceOf, entriesOf, type Reader, textOf } from '../shape.ts';
import type { Node } from '../source.ts';
import { inside, type Scope } from '../scope.ts';

/** `type`, or a map of those that are otherwise: of the name of a type, or `text`. Nothing for `text`. */
const storedEnumsOf = (node: Node | undefined, scope: Scope) => {
  if (node?.kind !== 'map') {
    const word = choiceOf(['text', 'type'])(node, scope);
    return word?.value === 'type' ? { names: [] } : undefined;
  }
  const names = entriesOf(node, scope).flatMap(({ name, key, value }) => {
    const type = textOf(value, inside(scope, name));
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
      'Column type of counted ids and of the keys to them on PostgreSQL; other than `bigint` only for a database that another program created.',
    ...asChoice(['bigint', 'int'], 'bigint'),
  },
  texts: {
    about:
      'How texts are kept on PostgreSQL: `default`, in the order of the database and of any length, where another program has made them so; else `binary`.',
    ...asChoice(['binary', 'default'], 'binary'),
  },
  enums: {
    about:
      'What enums are kept as on PostgreSQL: `type`, where another program has made types of them, or a map where some are `text`, or types of other names; else `text`.',
    shape: {
      anyOf: [{ enum: ['text', 'type'] }, { type: 'object', additionalProperties: text }],
      default: 'text',
    },
    read: storedEnumsOf,
  },
  indexes: {
    about:
      'What stands at the end of an index on PostgreSQL: nothing, where another program has made them `bare`; else the `id`, as of every order.',
    ...asChoice(['id', 'bare'], 'id'),
  },
  on_update: {
    about:
      'What happens to keys when the id of their target changes: `cascade` where another program has made them so; else `restrict`.',
    ...asChoice(updateRules, 'restrict'),
  },
} as const satisfies Keys;

export const storageOf: Reader<Values<typeof storageKeys> | undefined> = (node, scope) =>
  node && readMap(node, storageKeys, scope);
