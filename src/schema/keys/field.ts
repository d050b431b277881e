import { present } from '../../present.ts';
import { findFieldType } from '../../types/all.ts';
import type { Json } from '../../types/field-type.ts';
import { charactersIn } from '../../types/value-flaw.ts';
import { findForeignFlag } from '../foreign-words.ts';
import { nothingBesides, type ReadMap, readMap } from '../key.ts';
import { fieldFlags } from '../kinds.ts';
import type { Located } from '../language.ts';
import type { Position } from '../problem.ts';
import { includes, isText, readWord } from '../shape.ts';
import { parseShortField, type ShortPart } from '../shorthand.ts';
import {
  type MapEntry,
  type MapNode,
  type SchemaNode,
  locatePart,
  type ScalarNode,
} from '../source.ts';
import { suggest } from '../suggest.ts';
import { shapeType, type TypeSchema } from './field-type.ts';
import { fieldKeys, literalReader } from './field-keys.ts';
import { scopeInside, reportKind, type Scope } from '../scope.ts';

type Literals = { readonly [Name in 'default' | 'example' | 'backfill']?: Located<Json> };

export interface FieldSchema
  extends TypeSchema, Literals, Omit<ReadMap<typeof fieldKeys>, keyof (TypeSchema & Literals)> {
  readonly name: Located<string>;
}

/**
 * Reads a field in its short or long form. If its type is missing or broken, it is empty, so that the rest is still
 * checked.
 */
export function shapeField(entry: MapEntry, scope: Scope): FieldSchema {
  const { value } = entry;
  const name = { value: entry.name, at: entry.key.at };
  const inner = scopeInside(scope, entry.name);
  if (isText(value)) return { name, ...shapeShort(value, inner) };
  if (value.kind === 'map') return { name, ...shapeLongField(value, inner) };
  const help = `write one after the colon: \`${entry.name}: string\``;
  reportKind(value, 'a type, like `string(1..80)`, or a map with a `type`', inner, help);
  return { name, type: { value: '', at: value.at }, optional: false, ...nothingBesides };
}

function shapeShort(node: ScalarNode & { value: string }, scope: Scope): Omit<FieldSchema, 'name'> {
  const short = parseShortField(node.value);
  const typed = shapeType(short, node, scope);
  // `not null` is one slip, reported at `not`.
  const words = short.flags.filter(
    (word, at) => word.text !== 'null' || short.flags[at - 1]?.text !== 'not',
  );
  const flags = words.filter((flag) => isKnownFlag(flag, node, scope));
  const value = short.default;
  const at = value && locatePart(node, value.from, value.to);
  if (at && !value.quoted) reportCall(value.text, at, short.type.text, scope);
  return {
    ...typed,
    ...present({ default: at && { value: shortLiteral(value, short.type.text), at } }),
    ...Object.fromEntries(flags.map((flag) => [flag.text, true])),
    ...nothingBesides,
    keysAt: Object.fromEntries(
      flags.map((flag) => [flag.text, locatePart(node, flag.from, flag.to)]),
    ),
  };
}

function isKnownFlag(flag: ShortPart, node: ScalarNode, scope: Scope): boolean {
  if (includes(fieldFlags, flag.text)) return true;
  const message = `${scope.path} has unknown flag \`${flag.text}\``;
  const help = helpForFlag(flag.text);
  scope.report({ code: 'SCF203', at: locatePart(node, flag.from, flag.to), message, help });
  return false;
}

function helpForFlag(flag: string): string {
  const isKey = Object.hasOwn(fieldKeys, flag.replace(/[:=].*/s, ''));
  const known = isKey ? 'this needs the long form: `{ type: …, … }`' : suggest(flag, fieldFlags);
  return findForeignFlag(flag) ?? known;
}

function shapeLongField(node: MapNode, scope: Scope): Omit<FieldSchema, 'name'> {
  const map = readMap(node, fieldKeys, scope);
  const { type: written, default: initial, example, backfill, ...rest } = map;
  readWord(written, scopeInside(scope, 'type'));
  const typed =
    written !== undefined && isText(written)
      ? shapeLongType(written, scope)
      : { type: { value: '', at: written?.at ?? node.at }, optional: false };
  reportTwice(map.keysAt, typed, scope);
  const literal = literalReader(typed.type.value);
  if (initial && isPlainScalar(initial))
    reportCall(initial.source, initial.at, typed.type.value, scope);
  return {
    ...typed,
    ...rest,
    optional: map.optional ?? typed.optional,
    ...present({
      default: literal(initial, scopeInside(scope, 'default')),
      example: literal(example, scopeInside(scope, 'example')),
      backfill: literal(backfill, scopeInside(scope, 'backfill')),
    }),
  };
}

/** A scalar without quotes is as long in the file as its value. */
function isPlainScalar(node: SchemaNode): node is ScalarNode {
  return node.kind === 'scalar' && node.at.length === charactersIn(node.source);
}

/** In a text, `now()` would be stored as these five characters. Other types refuse it. */
function reportCall(written: string, at: Position, type: string, { path, report }: Scope): void {
  if (!['string', 'text', 'json'].includes(type) || !/^[a-z_][\w.]*\(.*\)$/i.test(written)) return;
  const message = `the default of ${path} is the literal text \`${written}\`: functions are not called`;
  const help = `write \`datetime = now\` for the time at which a row is created, \`uuid = uuid\` for a new uuid; if you mean the text, put it in quotes`;
  report({ code: 'SCF225', severity: 'warning', at, message, help });
}

/** In the long form, `type` must not contain what has a key of its own. */
function shapeLongType(node: ScalarNode & { value: string }, scope: Scope) {
  const short = parseShortField(node.value);
  const [flag] = short.flags;
  const misplaced = short.default === undefined ? flag : { ...short.default, text: 'default' };
  if (misplaced !== undefined) {
    const message = `${scope.path}: in the long form, \`type\` holds the type alone`;
    const help = `give \`${misplaced.text}\` its own key`;
    scope.report({
      code: 'SCF202',
      at: locatePart(node, misplaced.from, misplaced.to),
      message,
      help,
    });
  }
  return shapeType(short, node, scope);
}

/** Beside `type: string(1..9)?`, `max` and `optional` would be repetitions. */
function reportTwice(keysAt: FieldSchema['keysAt'], typed: TypeSchema, scope: Scope): void {
  const declared = {
    optional: typed.optional,
    min: typed.min !== undefined || typed.max !== undefined,
    max: typed.min !== undefined || typed.max !== undefined,
  };
  for (const key of ['optional', 'min', 'max'] as const) {
    const at = keysAt[key];
    if (at === undefined || !declared[key]) continue;
    const message = `${scope.path}: \`type\` already says this, so \`${key}\` would repeat it`;
    const help = `remove \`${key}\`, or what \`type\` says of it`;
    scope.report({ code: 'SCF211', at, message, help });
  }
}

/** A default in a short form, where only quotes distinguish a text from a number. */
function shortLiteral(part: ShortPart & { readonly quoted: boolean }, type: string): Json {
  const read = findFieldType(type)?.read;
  return part.quoted || read === undefined ? part.text : read(part.text);
}
