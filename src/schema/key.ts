import { present, type Present } from '../present.ts';
import type { Json } from '../types/field-type.ts';
import { findForeignKey } from './foreign-words.ts';
import type { Position } from './problem.ts';
import { readEntries, isNullNode, readPlainValue, type Reader } from './shape.ts';
import type { MapEntry, SchemaNode } from './source.ts';
import { findNearest, suggest } from './suggest.ts';
import { scopeInside, pathName, reportUnknownKey, type Scope } from './scope.ts';

/** A key of the language: what it means (for `docs/schema.md`), its JSON Schema for editors, and how it is read. */
export type Keys = Readonly<Record<string, Key>>;

export interface Key<Thing = unknown> {
  /** A sentence for the reference. Its links lead to headings there, and are removed elsewhere. */
  readonly about: string;
  /** A JSON Schema. A function if it lists names of the project. */
  readonly shape: Shape | ((names: SchemaNames) => Shape);
  readonly read: Reader<Thing>;
  /** Help if the key is missing. */
  readonly required?: string;
  /** What it means to leave out the key, for the reference. By default, that of the shape. */
  readonly absent?: string;
}

export type Shape = { readonly [key: string]: Json };

/** Names in a project's schema, which editors offer. */
export interface SchemaNames {
  readonly models: readonly string[];
  readonly enums: readonly string[];
  readonly roles: readonly string[];
  /** People that rules can name: `member`, `via team`. */
  readonly people: readonly string[];
  /** Paths that `among` can take in this schema: `project`, `project.member`. */
  readonly agreements: readonly string[];
}

/** The value of a map with such keys: `soft_delete` as `softDelete`, and keys that were not written are absent. */
export type KeyValues<Table extends Keys> = Present<{
  readonly [Name in keyof Table as Camel<Name>]: ReturnType<Table[Name]['read']>;
}>;

export type ReadMap<Table extends Keys> = KeyValues<Table> & Besides;

type Camel<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Rest>}`
  : Name;

interface Besides {
  readonly keysAt: Readonly<Record<string, Position>>;
  /** Values of keys that begin with `x-`. */
  readonly extensions: Readonly<Record<string, Json>>;
}

/** A short form has neither. */
export const nothingBesides: Besides = { keysAt: {}, extensions: {} };

/** Reads a map with known keys. What is not a map reads as an empty one. */
export function readMap<const Table extends Keys>(
  node: SchemaNode,
  table: Table,
  scope: Scope,
): ReadMap<Table>;
export function readMap(node: SchemaNode, table: Keys, scope: Scope): object {
  const { found, misspelt, extensions } = sortEntries(node, Object.keys(table), scope);
  const read = Object.entries(table).map(([name, { read: reader, required: help }]) => {
    const isMissing =
      !found.has(name) && !misspelt.has(name) && (isNullNode(node) || node.kind === 'map');
    if (help !== undefined && isMissing) {
      const message = `${pathName(scope)} has no \`${name}\``;
      scope.report({ code: 'SCF105', at: node.at, message, help });
    }
    const spelled = name.replace(/_(.)/, (_, letter: string) => letter.toUpperCase());
    return [spelled, reader(found.get(name)?.value, scopeInside(scope, name))];
  });
  return {
    ...present(Object.fromEntries(read)),
    keysAt: Object.fromEntries([...found].map(([name, { key }]) => [name, key.at])),
    extensions: Object.fromEntries(extensions),
  };
}

/** The entries of known keys, keys that others probably stand for, and what begins with `x-`. Reports all others. */
function sortEntries(node: SchemaNode, keys: readonly string[], scope: Scope) {
  const found = new Map<string, MapEntry>();
  const misspelt = new Set<string>();
  const extensions: [string, Json][] = [];
  let before: MapEntry | undefined;
  for (const entry of readEntries(node, scope)) {
    if (entry.name.startsWith('x-'))
      extensions.push([entry.name, readPlainValue(entry.value, scope)]);
    else if (keys.includes(entry.name)) {
      found.set(entry.name, entry);
      before = entry;
    } else {
      const meant = findForeignKey(entry.name, entry.value, keys);
      misspelt.add(meant?.key ?? findNearest(entry.name, keys) ?? '');
      const help =
        helpForName(entry, before) ?? meant?.help ?? suggest(entry.name, keys, 'allowed here');
      reportUnknownKey(entry.key, scope, entry.name, help);
    }
  }
  return { found, misspelt, extensions };
}

/** Help for a key that is wrong because of its form or its place after the known key `before`. */
function helpForName(
  { name, key, value }: MapEntry,
  before: MapEntry | undefined,
): string | undefined {
  if (/^[^\S ]/.test(name)) return 'indent the line with plain spaces: these were pasted';
  if (before === undefined) return undefined;
  if (isNullNode(before.value)) {
    return `if the line belongs to \`${before.name}\`, indent it: it is beside that key, not below it`;
  }
  const isCutOff = value.kind === 'scalar' && value.source === '' && value.at.line === key.at.line;
  return isCutOff && before.key.at.line === key.at.line
    ? `a comma ends the value of \`${before.name}\`: put the whole value in quotes, or in \`[ ]\` if it is a list`
    : undefined;
}

/** The names that every schema has. */
export const usualNames: SchemaNames = {
  models: ['User'],
  enums: [],
  roles: ['user', 'admin'],
  people: [],
  agreements: [],
};

/** Keys that start with `x-` pass through. */
const map: Shape = {
  type: 'object',
  additionalProperties: false,
  patternProperties: { '^x-': {} },
};

export function mapShape(keys: Keys, names = usualNames): Shape {
  const entries = Object.entries(keys);
  const required = entries.filter(([, key]) => key.required).map(([name]) => name);
  return {
    ...map,
    properties: Object.fromEntries(entries.map(([name, key]) => [name, keyShape(key, names)])),
    ...(required.length > 0 && { required }),
  };
}

export function keyShape({ about, shape }: Key, names = usualNames): Shape {
  const description = about.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const own = typeof shape === 'function' ? shape(names) : shape;
  return description === '' ? own : { description, ...own };
}
