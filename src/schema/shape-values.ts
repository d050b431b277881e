import { factsOf, isScalar } from '../types/all.ts';
import { present } from './present.ts';
import type { Position } from './problem.ts';
import type { FieldSchema, Json, Located } from './schema.ts';
import { inside, jsonOf, type Opened, type Scope } from './shape.ts';
import type { Part } from './shorthand.ts';
import { type Node, partOf, type ScalarNode } from './source.ts';

/**
 * A default, example or backfill as it travels in JSON. `bigint` and `decimal` travel as texts, so their digits are
 * taken from the file and never pass through a float.
 */
export function literalOf(
  node: Node | undefined,
  type: string,
  scope: Scope,
): Located<Json> | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'number' && isExact(type)) {
    return { value: node.source, at: node.at };
  }
  return { value: jsonOf(node, scope), at: node.at };
}

/** The same from the words of a short form, where only quotes distinguish a text from a number. */
export function shortLiteral(part: Part & { readonly quoted: boolean }, type: string): Json {
  const { text, quoted } = part;
  const read = factsOf(type)?.read;
  return quoted || read === undefined ? text : read(text);
}

function isExact(type: string): boolean {
  return factsOf(type)?.exact === true;
}

export type Bounds = Pick<FieldSchema, 'min' | 'max' | 'precision' | 'scale'>;

const number = /^-?\d+(?:\.\d+)?$/;
const range = /^(\s*)(-?\d+(?:\.\d+)?)?\s*\.\.\s*(-?\d+(?:\.\d+)?)?\s*$/;
const digits = /^\s*(\d{1,4})\s*,\s*(\d{1,4})\s*$/;

/** What stands between the parentheses of a type. */
export function boundsOf(
  part: Part,
  type: string,
  place: { node: ScalarNode; scope: Scope },
): Bounds {
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

export function reportNoDigits(at: Position, scope: Scope): void {
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
export function longBoundsOf(map: Opened<'min' | 'max'>, scope: Scope): Bounds {
  return present({
    min: numberOf(map.get('min'), inside(scope, 'min')),
    max: numberOf(map.get('max'), inside(scope, 'max')),
  });
}

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
