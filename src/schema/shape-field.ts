import { foreignFieldKeys, foreignFlag } from './foreign-words.ts';
import { fieldFlags } from './key.ts';
import { fieldKeys } from './member-keys.ts';
import { present } from './present.ts';
import type { FieldSchema, Places } from './schema.ts';
import { whoOf } from './shape-lists.ts';
import { boundsOf, literalOf, longBoundsOf, reportNoDigits, shortLiteral } from './shape-values.ts';
import {
  flagOf,
  includes,
  inside,
  isText,
  openMap,
  reportKind,
  type Scope,
  textOf,
} from './shape.ts';
import { parseShortField, type Part, type ShortField } from './shorthand.ts';
import { type Entry, type MapNode, partOf, type ScalarNode } from './source.ts';
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
  reportKind(value, 'a type, like `string(1..80)`, or a map with a `type`', inner);
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
  if (['optional', 'nullable', 'null'].includes(flag)) return 'write `?` after the type: `string?`';
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
  for (const { code, at, message, help } of short.flaws) {
    scope.report({
      code,
      at: partOf(node, at.from, at.to),
      message: `${scope.path}: ${message}`,
      help,
    });
  }
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
  const type = typed.type.value;
  reportTwice(map.places, typed, scope);
  const flag = (key: 'optional' | (typeof fieldFlags)[number]) =>
    flagOf(map.get(key), inside(scope, key));
  const text = (key: 'pattern' | 'description' | 'column' | 'was') =>
    textOf(map.get(key), inside(scope, key));
  const literal = (key: 'default' | 'example' | 'backfill') =>
    literalOf(map.get(key), type, inside(scope, key));
  return {
    ...typed,
    ...longBoundsOf(map, scope),
    ...present({
      optional: flag('optional') ?? typed.optional,
      unique: flag('unique'),
      index: flag('index'),
      readonly: flag('readonly'),
      immutable: flag('immutable'),
      hidden: flag('hidden'),
      read: whoOf(map.get('read'), inside(scope, 'read')),
      write: whoOf(map.get('write'), inside(scope, 'write')),
      pattern: text('pattern'),
      description: text('description')?.value,
      column: text('column'),
      was: text('was'),
      default: literal('default'),
      example: literal('example'),
      backfill: literal('backfill'),
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
