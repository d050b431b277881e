import { isMadeKey, type KeyKind, keyKinds, longestKey } from '../../types/keys.ts';
import { type Keys, readMap, type KeyValues } from '../key.ts';
import { asChoice, asText, orInShort, stringShape } from '../kinds.ts';
import { type Reader, readWord } from '../shape.ts';
import { defaults, type Located } from '../language.ts';
import { reportKind } from '../scope.ts';

/** Characters that need no escaping in a URL. */
const prefixPattern = '^[A-Za-z0-9_-]+$';
const longestPrefix = 20;

const readPrefix: Reader<Located<string> | undefined> = (node, scope) => {
  const prefix = readWord(node, scope);
  if (prefix === undefined) return undefined;
  const isFit =
    new RegExp(prefixPattern).test(prefix.value) && prefix.value.length <= longestPrefix;
  if (isFit) return prefix;
  const message = `\`${prefix.value}\` cannot begin an id`;
  const help = `write 1 to ${longestPrefix} letters, digits, \`_\` or \`-\`: \`usr_\``;
  scope.report({ code: 'SCF221', at: prefix.at, message, help });
  return undefined;
};

const readLength: Reader<Located<number> | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  if (node.kind !== 'scalar' || typeof node.value !== 'number') {
    reportKind(node, 'a whole number', scope);
    return undefined;
  }
  const { value, at } = node;
  if (Number.isInteger(value) && value >= 1 && value <= longestKey) return { value, at };
  const message = `${node.source} is not a valid id length`;
  const help = `write a number from 1 to ${longestKey}`;
  scope.report({ code: 'SCF221', at, message, help });
  return undefined;
};

export const idKeys = {
  type: {
    about: 'What an id is, as in the short form.',
    ...asChoice(keyKinds, 'int'),
  },
  prefix: {
    about:
      'Comes before each `cuid`, `ulid`, `nanoid` or `uuid text` that the server makes: `usr_`.',
    shape: { ...stringShape, pattern: prefixPattern, maxLength: longestPrefix },
    read: readPrefix,
  },
  max: {
    about: 'How many characters an id of type `text` may have.',
    shape: { type: 'integer', minimum: 1, maximum: longestKey, default: longestKey },
    read: readLength,
  },
  column: {
    about: 'Name of the column; in the API it is still `id`. Not for `User`.',
    ...asText(),
    absent: '`id`',
  },
} as const satisfies Keys;

const { shape: idShape } = orInShort('type', idKeys, { default: defaults.idType });

const read: Reader<KeyValues<typeof idKeys> | undefined> = (node, scope) => {
  if (node?.kind !== 'map') {
    const type = idKeys.type.read(node, scope);
    return type && { type };
  }
  const id = readMap(node, idKeys, scope);
  const { type: given, prefix, max } = id;
  // An invalid type has been reported.
  if (given === undefined && id.keysAt['type'] !== undefined) return id;
  const type = given?.value ?? defaults.idType;
  const idle: readonly (readonly [Located<unknown> | undefined, boolean, string])[] = [
    [prefix, isMadeKey(type), '`prefix` is for keys that the server makes as texts'],
    [max, type === 'text', '`max` is for keys that clients give'],
  ];
  for (const [key, isOfUse, message] of idle) {
    if (key === undefined || isOfUse) continue;
    const help = `leave it out: ids of type \`${type}\` ${describeMaking(type)}`;
    scope.report({ code: 'SCF221', at: key.at, message: `${scope.path}: ${message}`, help });
  }
  return id;
};

/** `cuid`, or the long form. */
export const asId = { shape: idShape, read };

function describeMaking(type: KeyKind): string {
  if (type === 'int') return 'are counted by the database';
  if (type === 'text') return 'come from clients';
  return isMadeKey(type) ? 'all have the same length' : 'are made by the server, all in one form';
}
