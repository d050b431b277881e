import { present } from '../../present.ts';
import { findLengthFlaw, findPatternFlaw } from '../../patterns/flaw.ts';
import type { ValueFlaw, TypedField, TypeDefinition, Json } from '../../types/field-type.ts';
import { longestVarchar } from '../../types/string.ts';
import { wrongType } from '../../types/value-flaw.ts';
import { parseExactly, isLess } from '../../types/numbers.ts';
import type { FieldSchema } from '../keys/field.ts';
import { readType } from '../keys/field-type.ts';
import type { Located } from '../language.ts';
import { suggest } from '../suggest.ts';
import { fieldRule } from '../facts.ts';

/** Keys that hold values of rows, with the codes of their problems. */
const keysOfValues = [
  { key: 'default', codes: { type: 'SCF206', value: 'SCF207' } },
  { key: 'backfill', codes: { type: 'SCF402', value: 'SCF402' } },
  { key: 'example', codes: { type: 'SCF215', value: 'SCF215' } },
] as const;

/** Defaults, backfills and examples must be values that a client could send. */
export const valuesFitTheirField = fieldRule(({ field, type, path }, report, facts) => {
  const { min, max } = field;
  if (min && max && isLess(max.value, min.value)) return;
  for (const { key, codes } of keysOfValues) {
    const written: Located<Json> | undefined = field[key];
    if (written === undefined || (key !== 'example' && written.value === type.made?.word)) continue;
    const flaw = flawOfValue(written.value, field, type, facts.enums.get(field.type.value));
    if (flaw === undefined) continue;
    report({
      code: codes[flaw.kind],
      at: written.at,
      message: `the ${key} of ${path} does not fit: ${flaw.reason}`,
      help:
        flaw.help ??
        wordHelp(field, key === 'example' ? undefined : type.made?.word) ??
        `use a value that the field can have, or leave out the ${key}`,
    });
  }
});

function wordHelp({ type }: FieldSchema, word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return `or write \`${word}\`, for a ${type.value} made when the row is written`;
}

/** Undefined if the value fits, or if the field itself has problems. */
function flawOfValue(
  value: Json,
  field: FieldSchema,
  type: TypeDefinition,
  values: readonly string[] | undefined,
): ValueFlaw | undefined {
  if (value === null) {
    const help = 'leave it out: an optional field is null by default';
    return { kind: 'type', reason: 'null is not a value', help };
  }
  const typed = typedField(field);
  if (values === undefined) return typed && type.flawOf(value, typed);
  const name = field.type.value;
  if (typeof value !== 'string') return wrongType(value, `a value of ${name}, as a string`);
  if (values.includes(value)) return undefined;
  const reason = `\`${value}\` is not a value of ${name}`;
  return { kind: 'value', reason, help: suggest(value, values) };
}

export const rangesFitTheirType = fieldRule(({ field, type, path }, report) => {
  const { min, max } = field;
  for (const bound of [min, max]) {
    const flaw = bound === undefined ? undefined : boundFlaw(bound, field, type);
    if (bound !== undefined && flaw !== undefined) {
      report({ code: 'SCF205', at: bound.at, message: `${path}: ${flaw}`, help: boundHelp(type) });
    }
  }
  if (min && max && isLess(max.value, min.value)) {
    const message = `${path}: no value is at least ${min.value} and at most ${max.value}`;
    const help = `did you mean \`${max.value}..${min.value}\`?`;
    report({ code: 'SCF205', at: max.at, message, help });
  }
});

function boundHelp({ lengths }: TypeDefinition): string {
  return lengths === undefined
    ? 'choose another bound, or leave it out: `0..`'
    : `choose a bound from ${lengths.least} to ${lengths.most}, or leave it out`;
}

function boundFlaw(
  { value }: Located<string>,
  field: FieldSchema,
  type: TypeDefinition,
): string | undefined {
  const exact = parseExactly(value);
  if (exact === undefined) return `\`${value}\` has too many digits`;
  if (type.range === 'characters' || type.range === 'bytes') {
    const isLength = exact.scale === 0 && exact.digits >= 0n && exact.digits <= longestVarchar;
    return isLength
      ? boundLengthFlaw(value, field, type)
      : `\`${value}\` is not a length from 0 to ${longestVarchar}`;
  }
  const typed = typedField(field);
  if (typed === undefined) return undefined;
  const holds = type.limits?.(typed.type);
  if (holds === undefined)
    return Number.isFinite(Number(value)) ? undefined : `\`${value}\` is too large for a float`;
  if (exact.scale > holds.scale) {
    return holds.scale === 0
      ? `\`${value}\` is not a whole number`
      : `\`${value}\` has more than ${holds.scale} digits after the point`;
  }
  if (isLess(value, holds.min) || isLess(holds.max, value))
    return `\`${value}\` lies outside ${holds.min} to ${holds.max}`;
  return undefined;
}

/** Limits on the lengths of emails and URLs, none of which is very short or very long. */
function boundLengthFlaw(
  value: string,
  { type, min, max }: FieldSchema,
  { lengths }: TypeDefinition,
): string | undefined {
  if (lengths === undefined) return undefined;
  if (max?.value === value && Number(value) < lengths.least) {
    return `\`${value}\` characters are too few: ${type.value} needs room for ${lengths.least}`;
  }
  if (min?.value === value && Number(value) > lengths.most) {
    return `\`${value}\` characters are too many: ${type.value} has at most ${lengths.most}`;
  }
  return undefined;
}

export const patternsAreSafe = fieldRule(({ field: { pattern, min, max }, type, path }, report) => {
  if (pattern === undefined || type.pattern === undefined) return;
  const { at, value } = pattern;
  const flaw = findPatternFlaw(value);
  if (flaw !== undefined) {
    const { code, reason, help } = flaw;
    report({ code, at, message: `the pattern of ${path} ${reason}`, help });
    return;
  }
  const reason = findLengthFlaw(value, Number(min?.value ?? 0), Number(max?.value ?? Infinity));
  if (reason === undefined) return;
  const message = `the pattern of ${path} ${reason}`;
  const help = 'no text can match both: change the pattern or the range';
  report({ code: 'SCF205', at, message, help });
});

/** Undefined for a decimal without digits, which another rule reports. */
function typedField(field: FieldSchema): TypedField | undefined {
  const { min, max, pattern } = field;
  const type = readType(field);
  const rules = present({ min: min?.value, max: max?.value, pattern: pattern?.value });
  return type && { type, ...rules };
}
