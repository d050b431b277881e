import { foreignTypes } from '../types/all.ts';
import { operationDetails, operations } from './language.ts';
import type { SchemaNode } from './source.ts';

/** The key of our language that a foreign key means, so that it is not reported as missing. */
export function findForeignKey(name: string, value: SchemaNode, keys: readonly string[]) {
  const folded = name.toLowerCase().replaceAll(/[_-]/g, '');
  const found = foreignKeys.find(([words, key]) => words.includes(folded) && keys.includes(key));
  if (found === undefined) return undefined;
  const [, key, help = renamed] = found;
  return { key, help: help(printWritten(value), key) };
}

function printWritten(value: SchemaNode): string {
  if (value.kind === 'scalar') return value.source;
  return value.kind === 'map' ? '' : '…';
}

/** Repeats the value, so that the line can be copied. */
const renamed = (source: string, key: string) => `write \`${`${key}: ${source}`.trimEnd()}\``;

const say = (help: string) => () => help;

/** Help for an attempt to declare a relation in some other way. */
export const linkHelp = (example = 'author: User') =>
  `a link to another model goes under \`relations:\`: \`${example}\``;
const enumHelp = 'list the values under `enums:`, and write the name of the list as the type';
const idHelp = 'remove it: every model has an `id`; its kind is the `id` of the model';

/** `value` restates the default, and any other value makes the field optional. */
const presence = (required: 'true' | 'false') => (source: string) =>
  source === required
    ? 'remove it: a field is required unless it is `optional`'
    : 'write `optional: true`, or `?` after the type';

const foreignOperations = operations.flatMap((name) =>
  (operationDetails[name].foreign ?? []).map((word) => [word, name] as const),
);

/** Foreign keys in lower case without `_` and `-`, our key, and help that may use the value. */
const foreignKeys: readonly (readonly [
  words: readonly string[],
  key: string,
  help?: (source: string, key: string) => string,
])[] = [
  [['required'], 'optional', presence('true')],
  [['nullable', 'null', 'blank'], 'optional', presence('false')],
  [['maxlength', 'length', 'maximum'], 'max'],
  [['minlength', 'minimum'], 'min'],
  [['enum', 'choices'], 'type', say(enumHelp)],
  [['format'], 'type', say('write it as the type, like `email`, `url`, `uuid` or `datetime`')],
  [['references'], 'type', say(linkHelp())],
  [['primarykey'], 'type', say(idHelp)],
  [['model', 'type'], 'to', (source, key) => findRelationHelp(source) ?? renamed(source, key)],
  [['columns', 'properties'], 'fields'],
  [['tablename'], 'table'],
  [['tables', 'entities'], 'models'],
  [['name'], 'app', (source) => `write \`app: { name: ${source} }\``],
  [['roles'], 'auth', say('write `auth: { roles: […] }`')],
  [['write'], 'create', say('write `create`, `update` and `delete`, each with who may')],
  ...foreignOperations.map(([word, name]) => [[word], name] as const),
];

/** Foreign words for kinds of relations, as in `type: hasMany` or `hasMany Post`. */
const relationKinds =
  /^(has_?many|one_?to_?many|many_?to_?many|has_?and_?belongs_?to_?many|belongs_?to|has_?one|many_?to_?one|one_?to_?one|foreign_?key)(field)?$/i;

export const findRelationHelp = (word: string): string | undefined =>
  relationKinds.test(word)
    ? 'write the model alone, under `relations:`: `author: User` for one row, `tags: Tag[]` for many on both sides; `inverse` names the way back'
    : undefined;

/** Help for a foreign type that has no equivalent of ours. */
export function findForeignType(written: string): string | undefined {
  const word = written.toLowerCase();
  if (word.endsWith('[]') && !foreignTypes.has(word)) {
    return 'lists are `string[]` or `int[]`; any other can be a `json` field';
  }
  if (word === 'enum') return enumHelp;
  return /^(image|file)(field)?$/.test(word)
    ? 'keep the file elsewhere and its address in a `url`; `bytes` holds small ones'
    : findRelationHelp(written);
}

/** Help for a foreign word after a type. */
export function findForeignFlag(flag: string): string | undefined {
  const known = foreignFlags.find(([words]) => words.test(flag));
  if (known !== undefined) return known[1];
  const [, value] = /^@?default\((.*)\)$/s.exec(flag) ?? [];
  if (value !== undefined) return `write it after the type: \`= ${value.replace(/\(\)$/, '')}\``;
  return /^\d+$/.test(flag) ? `write a length as a range: \`string(..${flag})\`` : undefined;
}

const foreignFlags = [
  [/^(optional|nullable|null|\?|\|)$/, 'write `?` after the type: `string?`'],
  [/^(required|not)$/, 'remove it: a field is required unless its type ends with `?`'],
  [
    /^auto_?increment$/i,
    'remove it: only an `id` is numbered automatically, and every model has one',
  ],
  [/^@?default\(autoincrement\(\)\)$/, 'remove the field: every model has an `id`'],
  [/^(@id|primary|primary_key)$/i, idHelp],
  [/^@unique$/, 'write `unique`'],
  [/^@updatedAt$/, 'remove the field: every model has `updated_at`'],
  [/^(references|@relation)/, linkHelp()],
] as const;

/** Foreign values for keys with a fixed set of values. */
export const foreignChoices: ReadonlyMap<string, string> = new Map([
  ...foreignOperations,
  ['postgresql', 'postgres'],
  ['integer', 'int'],
  ['autoincrement', 'int'],
  ['string', 'text'],
]);

export const foreignViewers: ReadonlyMap<string, string> = new Map([
  ['everyone', 'write `public`'],
  ['*', 'write `public`'],
  ['logged_in', 'write `authenticated`'],
  ['nobody', 'leave the operation out of `endpoints`, or write `admin`'],
]);
