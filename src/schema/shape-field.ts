import { factsOf, isScalar } from '../types/all.ts';
import { foreignFieldKeys, foreignFlag } from './foreign-words.ts';
import { fieldFlags } from './key.ts';
import { fieldKeys } from './member-keys.ts';
import { present } from './present.ts';
import type { Position } from './problem.ts';
import type { FieldSchema, Places, Json, Located } from './schema.ts';
import { whoOf } from './shape-lists.ts';
import {
  flagOf,
  includes,
  inside,
  isText,
  openMap,
  reportFlaw,
  reportKind,
  type Scope,
  textOf,
  jsonOf,
  type Reader,
} from './shape.ts';
import { parseShortField, type Part, type ShortField } from './shorthand.ts';
import { type Entry, type MapNode, partOf, type ScalarNode, type Node } from './source.ts';
import { suggest } from './suggest.ts';

const longestShortForm = 5000;

/** A field in either form. What is missing or broken has an empty type, so that the rest is still checked. */
export function shapeField(entry: Entry, scope: Scope): FieldSchema {
  const { value } = entry;
  const name = { value: entry.name, at: entry.key.at };
  const inner = inside(scope, entry.name);
  if (isText(value) && value.value.length > longestShortForm) {
    const message = `${inner.path}: the short form has ${value.value.length} characters, more than ${longestShortForm}`;
    const help = 'write the long form: `{ type: …, default: … }`';
    inner.report({ code: 'SCF202', at: value.at, message, help });
    return { name, type: { value: '', at: value.at }, optional: false, extensions: {} };
  }
  if (isText(value)) return { name, ...shapeShort(value, inner) };
  if (value.kind === 'map') return { name, ...shapeLong(value, inner) };
  const help = `write one after the colon: \`${entry.name}: string\``;
  reportKind(value, 'a type, like `string(1..80)`, or a map with a `type`', inner, help);
  return { name, type: { value: '', at: value.at }, optional: false, extensions: {} };
}

function shapeShort(node: ScalarNode & { value: string }, scope: Scope): Omit<FieldSchema, 'name'> {
  const short = parseShortField(node.value);
  const typed = shapeType(short, node, scope);
  // `not null` is one slip, reported at `not`.
  const words = short.flags.filter(
    ({ text }, at) => text !== 'null' || short.flags[at - 1]?.text !== 'not',
  );
  const flags = words.filter((flag) => isKnownFlag(flag, node, scope));
  const value = short.default;
  return {
    ...typed,
    ...present({
      default: value && {
        value: shortLiteral(value, short.type.text),
        at: partOf(node, value.from, value.to),
      },
    }),
    ...Object.fromEntries(flags.map(({ text }) => [text, true])),
    keysAt: Object.fromEntries(flags.map(({ text, from, to }) => [text, partOf(node, from, to)])),
    extensions: {},
  };
}

function isKnownFlag(flag: Part, node: ScalarNode, scope: Scope): boolean {
  if (includes(fieldFlags, flag.text)) return true;
  scope.report({
    code: 'SCF203',
    at: partOf(node, flag.from, flag.to),
    message: `${scope.path} has unknown flag \`${flag.text}\``,
    help: helpForFlag(flag.text),
  });
  return false;
}

function helpForFlag(flag: string): string {
  if (['optional', 'nullable', 'null', '?'].includes(flag))
    return 'write `?` after the type: `string?`';
  const meant = foreignFlag(flag);
  if (meant !== undefined) return meant;
  if (flag === 'required' || flag === 'not')
    return 'remove it: a field is required unless its type ends with `?`';
  const isKey = Object.hasOwn(fieldKeys, flag.replace(/[:=].*/s, ''));
  return isKey ? 'this needs the long form: `{ type: …, … }`' : suggest(flag, fieldFlags);
}

/** The type, its range and its question mark, which both forms share. */
function shapeType(
  short: ShortField,
  node: ScalarNode,
  scope: Scope,
): Pick<FieldSchema, 'type' | 'optional' | 'min' | 'max' | 'precision' | 'scale'> {
  for (const flaw of short.flaws) reportFlaw('SCF202', flaw, node, scope);
  const type = { value: short.type.text, at: partOf(node, short.type.from, short.type.to) };
  const isBare = short.range === undefined && short.flaws.length === 0;
  if (type.value === 'decimal' && isBare) reportNoDigits(type.at, scope);
  return {
    type,
    optional: short.optional !== undefined,
    ...(short.range === undefined ? {} : boundsOf(short.range, type.value, { node, scope })),
  };
}

function shapeLong(node: MapNode, scope: Scope): Omit<FieldSchema, 'name'> {
  const map = openMap(node, fieldKeys, scope, foreignFieldKeys);
  const written = map.need('type', 'add one, like `type: string`');
  textOf(written, inside(scope, 'type'));
  const typed =
    written !== undefined && isText(written)
      ? shapeLongType(written, scope)
      : { type: { value: '', at: written?.at ?? node.at }, optional: false };
  reportTwice(map.places, typed, scope);
  const literal = literalOf(typed.type.value);
  return {
    ...typed,
    ...present({
      min: map.read('min', numberOf),
      max: map.read('max', numberOf),
      optional: map.read('optional', flagOf) ?? typed.optional,
      unique: map.read('unique', flagOf),
      index: map.read('index', flagOf),
      readonly: map.read('readonly', flagOf),
      immutable: map.read('immutable', flagOf),
      hidden: map.read('hidden', flagOf),
      read: map.read('read', whoOf),
      write: map.read('write', whoOf),
      pattern: map.read('pattern', textOf),
      description: map.read('description', textOf)?.value,
      column: map.read('column', textOf),
      was: map.read('was', textOf),
      default: map.read('default', literal),
      example: map.read('example', literal),
      backfill: map.read('backfill', literal),
    }),
    keysAt: map.places,
    extensions: map.extensions,
  };
}

/** In the long form, what has a key of its own does not hide in `type`. */
function shapeLongType(node: ScalarNode & { value: string }, scope: Scope) {
  const short = parseShortField(node.value);
  const [flag] = short.flags;
  const misplaced = short.default === undefined ? flag : { ...short.default, text: 'default' };
  if (misplaced !== undefined) {
    scope.report({
      code: 'SCF202',
      at: partOf(node, misplaced.from, misplaced.to),
      message: `${scope.path}: in the long form, \`type\` holds the type alone`,
      help: `give \`${misplaced.text}\` its own key`,
    });
  }
  return shapeType(short, node, scope);
}

/** `type: string(1..9)?` leaves no room for `max` and `optional`. */
function reportTwice(places: Places, typed: ReturnType<typeof shapeType>, scope: Scope): void {
  const said = {
    optional: typed.optional,
    min: typed.min !== undefined || typed.max !== undefined,
    max: typed.min !== undefined || typed.max !== undefined,
  };
  for (const key of ['optional', 'min', 'max'] as const) {
    const at = places[key];
    if (at === undefined || !said[key]) continue;
    scope.report({
      code: 'SCF211',
      at,
      message: `${scope.path}: \`type\` says this already, so \`${key}\` would say it twice`,
      help: `remove \`${key}\`, or what \`type\` says of it`,
    });
  }
}

/**
 * A default, example or backfill as it travels in JSON. `bigint` and `decimal` travel as texts, so their digits are
 * taken from the file and never pass through a float.
 */
export function literalOf(type: string): Reader<Located<Json> | undefined> {
  const isExact = factsOf(type)?.exact === true;
  return (node, scope) => {
    if (node === undefined) return undefined;
    const isDigits = isExact && node.kind === 'scalar' && typeof node.value === 'number';
    return { value: isDigits ? node.source : jsonOf(node, scope), at: node.at };
  };
}

/** The same from the words of a short form, where only quotes distinguish a text from a number. */
function shortLiteral(part: Part & { readonly quoted: boolean }, type: string): Json {
  const { text, quoted } = part;
  const read = factsOf(type)?.read;
  return quoted || read === undefined ? text : read(text);
}

type Bounds = Pick<FieldSchema, 'min' | 'max' | 'precision' | 'scale'>;

const number = /^-?\d+(?:\.\d+)?$/;
const range = /^(\s*)(-?\d+(?:\.\d+)?)?\s*\.\.\s*(-?\d+(?:\.\d+)?)?\s*$/;
const digits = /^\s*(\d{1,4})\s*,\s*(\d{1,4})\s*$/;

/** What stands between the parentheses of a type. */
function boundsOf(part: Part, type: string, place: { node: ScalarNode; scope: Scope }): Bounds {
  const at = partOf(place.node, part.from, part.to);
  if (type === 'decimal') return decimalOf(part.text, at, place.scope);
  const [, , min, max] = range.exec(part.text) ?? [];
  if (min === undefined && max === undefined) {
    // Of a type that is not known, the type itself is the problem.
    if (!isScalar(type)) return {};
    place.scope.report({
      code: 'SCF204',
      at,
      message: `${place.scope.path}: \`${part.text}\` is not a range`,
      help: rangeHelp(type, part.text.trim()),
    });
    return {};
  }
  const placed = (text: string | undefined, from: number): Located<string> | undefined =>
    text === undefined
      ? undefined
      : { value: text, at: partOf(place.node, from, from + text.length) };
  const minFrom = part.from + part.text.indexOf(min ?? '');
  const maxFrom = part.from + part.text.indexOf(max ?? '', part.text.indexOf('..') + 2);
  return present({ min: placed(min, minFrom), max: placed(max, maxFrom) });
}

function decimalOf(text: string, at: Position, scope: Scope): Bounds {
  const [, precision, scale] = digits.exec(text) ?? [];
  if (precision !== undefined && scale !== undefined) {
    return { precision: Number(precision), scale: Number(scale) };
  }
  reportNoDigits(at, scope);
  return {};
}

function reportNoDigits(at: Position, scope: Scope): void {
  scope.report({
    code: 'SCF212',
    at,
    message: `${scope.path} does not say how many digits it has`,
    help: 'write all digits, then those after the point: `decimal(10,2)` holds up to 99999999.99',
  });
}

function rangeHelp(type: string, text: string): string {
  if (!number.test(text))
    return `write it like \`${type}(3..160)\`, \`${type}(0..)\` or \`${type}(..10)\``;
  return `write \`${type}(..${text})\` for at most ${text}, \`${type}(${text}..)\` for at least, \`${type}(${text}..${text})\` for exactly`;
}

/** `min` and `max` of the long form, as text so that no digit is lost. */
function numberOf(node: Node | undefined, scope: Scope): Located<string> | undefined {
  if (node === undefined) return undefined;
  const written =
    node.kind === 'scalar' ? (typeof node.value === 'string' ? node.value : node.source) : '';
  if (number.test(written)) return { value: written, at: node.at };
  scope.report({
    code: 'SCF104',
    at: node.at,
    message: `${scope.path} must be a number in plain digits`,
    help: 'like `0`, `-40` or `99.95`',
  });
  return undefined;
}
