import { isMadeKey, type KeyKind, keyKinds, longestKey } from '../../types/keys.ts';
import { type Keys, readMap, type KeyValues } from '../key.ts';
import { asChoice, asText, orInShort, stringShape } from '../kinds.ts';
import { type Reader, textOf } from '../shape.ts';
import type { Located } from '../language.ts';
import { reportKind } from '../scope.ts';

/** Characters that every address can hold as they are. */
const prefixPattern = '^[A-Za-z0-9_-]+$';
const longestPrefix = 20;

const prefixOf: Reader<Located<string> | undefined> = (node, scope) => {
  const prefix = textOf(node, scope);
  if (prefix === undefined) return undefined;
  const isFit =
    new RegExp(prefixPattern).test(prefix.value) && prefix.value.length <= longestPrefix;
  if (isFit) return prefix;
  scope.report({
    code: 'SCF221',
    at: prefix.at,
    message: `\`${prefix.value}\` cannot begin an id`,
    help: `write 1 to ${longestPrefix} letters, digits, \`_\` or \`-\`: \`usr_\``,
  });
  return undefined;
};

const lengthOf: Reader<Located<number> | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  if (node.kind !== 'scalar' || typeof node.value !== 'number') {
    reportKind(node, 'a whole number', scope);
    return undefined;
  }
  const { value, at } = node;
  if (Number.isInteger(value) && value >= 1 && value <= longestKey) return { value, at };
  scope.report({
    code: 'SCF221',
    at,
    message: `${node.source} is not a length of an id`,
    help: `write a number from 1 to ${longestKey}`,
  });
  return undefined;
};

export const idKeys = {
  type: {
    about: 'What an id is, as in the short form.',
    ...asChoice(keyKinds, 'int'),
  },
  prefix: {
    about: 'Comes before what the server makes of `cuid`, `ulid`, `nanoid` or `uuid text`: `usr_`.',
    shape: { ...stringShape, pattern: prefixPattern, maxLength: longestPrefix },
    read: prefixOf,
  },
  max: {
    about: 'How many characters an id of type `text` may have.',
    shape: { type: 'integer', minimum: 1, maximum: longestKey, default: longestKey },
    read: lengthOf,
  },
  column: {
    about: 'Name of the column; the API has an `id` all the same. That of `User` has no other.',
    ...asText(),
    absent: '`id`',
  },
} as const satisfies Keys;

const { shape } = orInShort('type', idKeys, { default: 'int' });

type IdSchema = KeyValues<typeof idKeys>;

const read: Reader<IdSchema | undefined> = (node, scope) => {
  if (node?.kind !== 'map') {
    const type = idKeys.type.read(node, scope);
    return type && { type };
  }
  const id = readMap(node, idKeys, scope);
  const { type: said, prefix, max } = id;
  // An illegible type was reported.
  if (said === undefined && id.keysAt['type'] !== undefined) return id;
  const type = said?.value ?? 'int';
  const idle: readonly (readonly [Located<unknown> | undefined, boolean, string])[] = [
    [prefix, isMadeKey(type), '`prefix` is for keys that the server makes as texts'],
    [max, type === 'text', '`max` is for keys that clients give'],
  ];
  for (const [key, isOfUse, message] of idle) {
    if (key === undefined || isOfUse) continue;
    const help = `leave it out: ids of type \`${type}\` ${madeBy(type)}`;
    scope.report({ code: 'SCF221', at: key.at, message: `${scope.path}: ${message}`, help });
  }
  return id;
};

/** `cuid`, or a map that says more. */
export const asId = { shape, read };

function madeBy(type: KeyKind): string {
  if (type === 'int') return 'are counted by the database';
  if (type === 'text') return 'come from clients';
  return isMadeKey(type) ? 'are all as long' : 'are made by the server, all in one form';
}
