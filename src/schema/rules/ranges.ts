import type { FieldSchema, Located } from '../schema.ts';
import type { Report } from '../shape.ts';
import type { Rule } from './facts.ts';
import { exactly, isLess } from '../../types/decimals.ts';
import type { TypeFacts } from '../../types/field-type.ts';
import { forEachField } from './types.ts';
import { typedField } from './typed-field.ts';

/** PostgreSQL's bound on the length of a varchar; no request is as long. */
const longestText = 10_485_760;

export const rangesFitTheirType: Rule = (facts, report) => {
  forEachField(facts, (field, type, path) => {
    const { min, max } = field;
    for (const bound of [min, max]) {
      const flaw = bound === undefined ? undefined : flawOf(bound, field, type);
      if (bound !== undefined && flaw !== undefined) {
        const help = `write a bound that ${field.type.value} can have, or leave it out: \`0..\``;
        report({ code: 'SCF205', at: bound.at, message: `${path}: ${flaw}`, help });
      }
    }
    if (min !== undefined && max !== undefined && isLess(max.value, min.value))
      reportEmpty(min, max, { path, report });
  });
};

function flawOf(
  { value }: Located<string>,
  field: FieldSchema,
  type: TypeFacts,
): string | undefined {
  const exact = exactly(value);
  if (exact === undefined) return `\`${value}\` has too many digits`;
  if (type.range === 'characters' || type.range === 'bytes') {
    const isLength = exact.scale === 0 && exact.digits >= 0n && exact.digits <= longestText;
    return isLength
      ? flawOfLength(value, field, type)
      : `\`${value}\` is not a length from 0 to ${longestText}`;
  }
  const typed = typedField(field);
  if (typed === undefined) return undefined;
  const holds = type.limits?.(typed.type);
  if (holds === undefined)
    return Number.isFinite(Number(value)) ? undefined : `\`${value}\` is beyond a float`;
  if (exact.scale > holds.scale) {
    return holds.scale === 0
      ? `\`${value}\` is not a whole number`
      : `\`${value}\` has more than ${holds.scale} digits after the point`;
  }
  if (isLess(value, holds.min) || isLess(holds.max, value))
    return `\`${value}\` lies outside ${holds.min} to ${holds.max}`;
  return undefined;
}

/** An address of three characters is none, and one of a thousand neither. */
function flawOfLength(
  value: string,
  { type, min, max }: FieldSchema,
  { lengths }: TypeFacts,
): string | undefined {
  if (lengths === undefined) return undefined;
  if (max?.value === value && Number(value) < lengths.least) {
    return `\`${value}\` characters are too few: ${type.value} needs room for ${lengths.least}`;
  }
  if (min?.value === value && Number(value) > lengths.most) {
    return `\`${value}\` characters are too many: ${type.value} ends at ${lengths.most}`;
  }
  return undefined;
}

function reportEmpty(
  min: Located<string>,
  max: Located<string>,
  { path, report }: { readonly path: string; readonly report: Report },
): void {
  report({
    code: 'SCF205',
    at: max.at,
    message: `${path}: nothing is at least ${min.value} and at most ${max.value}`,
    help: `did you mean \`${max.value}..${min.value}\`?`,
  });
}
