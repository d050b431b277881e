import { isMadeKey, type KeyKind, keyKinds, longestKey } from '../types/keys.ts';
import { idKeys, longestPrefix, prefixPattern } from './keys.ts';
import { present } from './present.ts';
import type { IdSchema, Located } from './schema.ts';
import { choiceOf, inside, openMap, type Reader, reportKind, textOf } from './shape.ts';

/** `cuid`, or a map that says more. */
export const idOf: Reader<IdSchema | undefined> = (node, scope) => {
  if (node?.kind !== 'map') {
    const type = choiceOf(keyKinds)(node, scope);
    return type && { type };
  }
  const map = openMap(node, idKeys, scope);
  const type = choiceOf(keyKinds)(
    map.need('type', 'add one, like `type: cuid`'),
    inside(scope, 'type'),
  );
  const prefix = map.read('prefix', prefixOf);
  const max = map.read('max', lengthOf);
  if (type === undefined) return undefined;
  const idle: readonly (readonly [Located<unknown> | undefined, boolean, string])[] = [
    [prefix, isMadeKey(type.value), '`prefix` is for keys that the server makes as texts'],
    [max, type.value === 'text', '`max` is for keys that clients give'],
  ];
  for (const [key, isOfUse, message] of idle) {
    if (key === undefined || isOfUse) continue;
    const help = `leave it out: ids of type \`${type.value}\` ${madeBy(type.value)}`;
    scope.report({ code: 'SCF221', at: key.at, message: `${scope.path}: ${message}`, help });
  }
  return { type, ...present({ prefix, max }) };
};

function madeBy(type: KeyKind): string {
  if (type === 'int') return 'are counted by the database';
  if (type === 'text') return 'come from clients';
  return isMadeKey(type) ? 'are all as long' : 'are made by the server, all in one form';
}

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
