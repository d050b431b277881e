import { boundsOf, longBoundsOf } from './bounds.ts';
import { literalOf, shortLiteral } from './literal.ts';
import { present } from './present.ts';
import type { FieldSchema } from './schema.ts';
import {
  flagOf,
  includes,
  inside,
  isText,
  openMap,
  reportKind,
  textOf,
  type Scope,
} from './shape.ts';
import { parseShortField, type Part, type ShortField } from './shorthand.ts';
import { partOf, type Entry, type MapNode, type ScalarNode } from './source.ts';
import { suggest } from './suggest.ts';

export const fieldKeys = [
  'type',
  'optional',
  'default',
  'min',
  'max',
  'pattern',
  'unique',
  'index',
  'readonly',
  'immutable',
  'hidden',
  'description',
  'example',
  'column',
  'was',
  'backfill',
] as const;

export const fieldFlags = ['unique', 'index', 'readonly', 'immutable', 'hidden'] as const;

/** A field in either form. What is missing or broken has an empty type, so that the rest is still checked. */
export function shapeField(entry: Entry, scope: Scope): FieldSchema {
  const { value } = entry;
  const name = { value: entry.name, at: entry.key.at };
  const inner = inside(scope, entry.name);
  if (isText(value)) return { name, ...shapeShort(value, inner) };
  if (value.kind === 'map') return { name, ...shapeLong(value, inner) };
  reportKind(value, 'a type, like `string(1..80)`, or a map with a `type`', inner);
  return { name, type: { value: '', at: value.at }, optional: false, extensions: {} };
}

function shapeShort(node: ScalarNode & { value: string }, scope: Scope): Omit<FieldSchema, 'name'> {
  const short = parseShortField(node.value);
  const typed = shapeType(short, node, scope);
  const flags = short.flags
    .filter((flag) => isKnownFlag(flag, node, scope))
    .map(({ text }) => text);
  const value = short.default;
  return {
    ...typed,
    ...present({
      default: value && {
        value: shortLiteral(value, short.type.text),
        at: partOf(node, value.from, value.to),
      },
    }),
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    extensions: {},
  };
}

function isKnownFlag(flag: Part, node: ScalarNode, scope: Scope): boolean {
  if (includes(fieldFlags, flag.text)) return true;
  const isKey = includes(fieldKeys, flag.text.replace(/[:=].*/s, ''));
  scope.report({
    code: 'SCF203',
    at: partOf(node, flag.from, flag.to),
    message: `${scope.path} has unknown flag \`${flag.text}\``,
    help: isKey ? 'this needs the long form: `{ type: …, … }`' : suggest(flag.text, fieldFlags),
  });
  return false;
}

/** The type, its range and its question mark, which both forms share. */
function shapeType(
  short: ShortField,
  node: ScalarNode,
  scope: Scope,
): Pick<FieldSchema, 'type' | 'optional' | 'min' | 'max' | 'precision' | 'scale' | 'extensions'> {
  for (const { code, at, message, help } of short.flaws) {
    scope.report({
      code,
      at: partOf(node, at.from, at.to),
      message: `${scope.path}: ${message}`,
      help,
    });
  }
  return {
    type: { value: short.type.text, at: partOf(node, short.type.from, short.type.to) },
    optional: short.optional !== undefined,
    ...(short.range === undefined ? {} : boundsOf(short.range, short.type.text, { node, scope })),
    extensions: {},
  };
}

function shapeLong(node: MapNode, scope: Scope): Omit<FieldSchema, 'name'> {
  const map = openMap(node, fieldKeys, scope);
  const written = map.need('type');
  textOf(written, inside(scope, 'type'));
  const typed =
    written !== undefined && isText(written)
      ? shapeLongType(written, scope)
      : { type: { value: '', at: written?.at ?? node.at }, optional: false };
  const type = typed.type.value;
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
      pattern: text('pattern'),
      description: text('description')?.value,
      column: text('column'),
      was: text('was'),
      default: literal('default'),
      example: literal('example'),
      backfill: literal('backfill'),
    }),
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
