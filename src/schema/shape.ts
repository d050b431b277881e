import { foreignChoices } from './foreign-words.ts';
import type { Json } from '../types/field-type.ts';
import type { Located } from './language.ts';
import type { MapEntry, SchemaNode, ScalarNode } from './source.ts';
import { findNearest, suggest } from './suggest.ts';
import { type Scope, pathName, reportUnknownKey, reportKind } from './scope.ts';

/** Reads a value, or the absence of one. */
export type Reader<Thing> = (node: SchemaNode | undefined, scope: Scope) => Thing;

/** Leaves the reading to whoever knows more. */
export const leaveUnread: Reader<SchemaNode | undefined> = (node) => node;

/** The entries of a map, each name once. `fields:` alone is an empty map. */
export function readEntries(node: SchemaNode | undefined, scope: Scope): readonly MapEntry[] {
  if (node === undefined || isNullNode(node)) return [];
  if (node.kind !== 'map') {
    reportKind(node, 'a map of `key: value`', scope, helpForMap(node));
    return [];
  }
  const lines = new Map<string, number>();
  return node.entries.filter(({ name, key }) => {
    if (name === '<<') {
      const help = 'merge keys are not part of YAML 1.2: write out what they would bring';
      reportUnknownKey(key, scope, name, help);
      return false;
    }
    const first = lines.get(name);
    if (first === undefined) lines.set(name, key.at.line);
    else {
      const message = `${pathName(scope)} has the key \`${name}\` twice`;
      const help = `the first one is on line ${first}`;
      scope.report({ code: 'SCF106', at: key.at, message, help });
    }
    return first === undefined;
  });
}

/** Help if a map was expected: for another syntax, an indented list, or a key without a space. */
function helpForMap(node: SchemaNode): string | undefined {
  if (node.kind === 'list') return 'write `name:` without a `-`, and what belongs to it below';
  if (!isText(node)) return undefined;
  if (isGlued(node.value)) return 'put a plain space after the `:`';
  if (/^\s*((model|datasource|generator|enum)\s+\w+\s*\{|\/\/)/.test(node.value)) {
    return 'this is Prisma, and a schema is YAML: `npx scaffold new --example minimal` makes one to start from';
  }
  return /^\s*create\s/i.test(node.value)
    ? 'this is SQL, and a schema is YAML: `npx scaffold new --example minimal` makes one to start from'
    : undefined;
}

/** In YAML, `name:string` is one word. */
const isGlued = (text: string) => /^\s*[A-Za-z_]\w*:[^ \t\r\n/]/.test(text);

export function readList(node: SchemaNode | undefined, scope: Scope): readonly SchemaNode[] {
  if (node === undefined) return [];
  if (node.kind === 'list') return node.items;
  const help = isText(node) ? `write \`[${node.value}]\`` : undefined;
  if (!isNullNode(node)) reportKind(node, 'a list, like `[a, b]`', scope, help);
  return [];
}

export function readWord(node: SchemaNode | undefined, scope: Scope): Located<string> | undefined {
  if (node === undefined) return undefined;
  if (isText(node)) return { value: node.value, at: node.at };
  const help =
    node.kind === 'scalar' && node.value !== null ? `quote it: \`"${node.source}"\`` : undefined;
  reportKind(node, 'a string', scope, help);
  return undefined;
}

export const readWords: Reader<readonly Located<string>[]> = (node, scope) =>
  readList(node, scope).flatMap((item) => readWord(item, scope) ?? []);

export function readFlag(node: SchemaNode | undefined, scope: Scope): boolean | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  const meant = isText(node)
    ? (spokenFlags[node.value] ?? findNearest(node.value, flagWords))
    : undefined;
  reportKind(node, '`true` or `false`', scope, meant && `did you mean \`${meant}\`?`);
  return undefined;
}

const flagWords = ['true', 'false'];

/** Flags of YAML 1.1, which are texts in YAML 1.2. */
export const spokenFlags: Readonly<Record<string, string>> = {
  yes: 'true',
  on: 'true',
  no: 'false',
  off: 'false',
};

export function choiceReader<const Choice extends string>(
  choices: readonly Choice[],
): Reader<Located<Choice> | undefined> {
  return (node, scope) => {
    const text = readWord(node, scope);
    if (text === undefined) return undefined;
    const { value, at } = text;
    if (includes(choices, value)) return { value, at };
    const message = `\`${value}\` is not allowed for ${scope.path}`;
    const help = suggest(foreignChoices.get(value.toLowerCase()) ?? value, choices);
    scope.report({ code: 'SCF103', at, message, help });
    return undefined;
  };
}

/** Reads any value without a check. */
export function readPlainValue(node: SchemaNode, scope: Scope): Json {
  if (node.kind === 'list') return node.items.map((item) => readPlainValue(item, scope));
  if (node.kind === 'map') {
    return Object.fromEntries(
      readEntries(node, scope).map(({ name, value }) => [name, readPlainValue(value, scope)]),
    );
  }
  if (typeof node.value === 'number' && !Number.isFinite(node.value)) {
    reportKind(node, 'a number that JSON has', scope);
    return null;
  }
  return node.value;
}

export function isText(node: SchemaNode): node is ScalarNode & { readonly value: string } {
  return node.kind === 'scalar' && typeof node.value === 'string';
}

export const isNullNode = (node: SchemaNode) => node.kind === 'scalar' && node.value === null;

export function includes<const Choice extends string>(
  choices: readonly Choice[],
  word: string,
): word is Choice {
  return choices.some((choice) => choice === word);
}
