import { present } from '../../present.ts';
import { isScalar } from '../../types/all.ts';
import type { FieldType } from '../../types/field-type.ts';
import type { Located } from '../language.ts';
import type { Position } from '../problem.ts';
import { reportFlaw, type Scope } from '../scope.ts';
import { matchParts, type ShortField, type ShortPart } from '../shorthand.ts';
import { locatePart, type ScalarNode } from '../source.ts';

export interface TypeSchema extends WrittenBounds {
  /** The name of a type or an enum, without range and flags. */
  readonly type: Located<string>;
  readonly optional: boolean;
}

/** Treats an unknown name as an enum. Undefined for a decimal without digits. */
export function readType({ type, precision, scale }: TypeSchema): FieldType | undefined {
  if (!isScalar(type.value)) return { kind: 'enum', enum: type.value };
  if (type.value !== 'decimal') return { kind: type.value };
  if (precision === undefined || scale === undefined) return undefined;
  return { kind: type.value, precision, scale };
}

interface WrittenBounds {
  /** Texts, so that the bounds of `bigint` and `decimal` keep every digit. */
  readonly min?: Located<string>;
  readonly max?: Located<string>;
  readonly precision?: number;
  readonly scale?: number;
}

/** Reads the type, its range and its question mark, which both forms have. */
export function shapeType(short: ShortField, node: ScalarNode, scope: Scope): TypeSchema {
  for (const flaw of short.flaws) reportFlaw('SCF202', flaw, node, scope);
  const type = { value: short.type.text, at: locatePart(node, short.type.from, short.type.to) };
  const isBare = short.range === undefined && short.flaws.length === 0;
  if (type.value === 'decimal' && isBare) reportNoDigits(type.at, scope);
  return {
    type,
    optional: short.optional,
    ...(short.range && parseBounds(short.range, type.value, { node, scope })),
  };
}

export const plainNumber = /^-?\d+(?:\.\d+)?$/;
const rangePattern = /^\s*(?:(?<min>-?\d+(?:\.\d+)?)\s*)?\.\.\s*(?:(?<max>-?\d+(?:\.\d+)?)\s*)?$/d;
const digits = /^\s*(\d{1,4})\s*,\s*(\d{1,4})\s*$/;

function parseBounds(
  part: ShortPart,
  type: string,
  source: { node: ScalarNode; scope: Scope },
): WrittenBounds {
  const at = locatePart(source.node, part.from, part.to);
  if (type === 'decimal') return readDecimal(part.text, at, source.scope);
  const { min, max } = matchParts(rangePattern, part.text);
  const placed = ({ text, from, to }: ShortPart): Located<string> => ({
    value: text,
    at: locatePart(source.node, part.from + from, part.from + to),
  });
  // Another rule reports an unknown type.
  if (min === undefined && max === undefined && isScalar(type)) {
    const message = `${source.scope.path}: \`${part.text}\` is not a range`;
    const help = rangeHelp(type, part.text.trim());
    source.scope.report({ code: 'SCF204', at, message, help });
  }
  return present({ min: min && placed(min), max: max && placed(max) });
}

function readDecimal(text: string, at: Position, scope: Scope): WrittenBounds {
  const [, precision, scale] = digits.exec(text) ?? [];
  if (precision !== undefined && scale !== undefined) {
    return { precision: Number(precision), scale: Number(scale) };
  }
  reportNoDigits(at, scope);
  return {};
}

function reportNoDigits(at: Position, scope: Scope): void {
  const message = `${scope.path} lacks its number of digits`;
  const help =
    'write all digits, then those after the point: `decimal(10,2)` holds up to 99999999.99';
  scope.report({ code: 'SCF212', at, message, help });
}

function rangeHelp(type: string, text: string): string {
  if (!plainNumber.test(text))
    return `write it like \`${type}(3..160)\`, \`${type}(0..)\` or \`${type}(..10)\``;
  return `write \`${type}(..${text})\` for at most ${text}, \`${type}(${text}..)\` for at least, \`${type}(${text}..${text})\` for exactly`;
}
