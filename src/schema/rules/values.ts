import type { FieldSchema, Json, Located } from '../schema.ts';
import { isLess } from '../../types/decimals.ts';
import { type Misfit, wrongType } from '../../types/misfit.ts';
import type { TypeFacts } from '../../types/field-type.ts';
import { suggest } from '../suggest.ts';
import type { Rule } from './facts.ts';
import { typedField } from './typed-field.ts';
import { forEachField } from './types.ts';

/** Values that stand in the file for those of rows, and the codes of what is wrong with them. */
const places = [
  { key: 'default', codes: { type: 'SCF206', value: 'SCF207' } },
  { key: 'backfill', codes: { type: 'SCF402', value: 'SCF402' } },
  { key: 'example', codes: { type: 'SCF215', value: 'SCF215' } },
] as const;

/** Defaults, backfills and examples are values that a client could have sent. */
export const valuesFitTheirField: Rule = (facts, report) => {
  forEachField(facts, (field, type, path) => {
    if (
      field.min !== undefined &&
      field.max !== undefined &&
      isLess(field.max.value, field.min.value)
    )
      return;
    for (const { key, codes } of places) {
      const written: Located<Json> | undefined = field[key];
      if (written === undefined || (key !== 'example' && written.value === type.made?.word))
        continue;
      const misfit = misfitOf(written.value, field, type, facts.enums.get(field.type.value));
      if (misfit === undefined) continue;
      report({
        code: codes[misfit.kind],
        at: written.at,
        message: `the ${key} of ${path} does not fit: ${misfit.reason}`,
        help:
          misfit.help ??
          wordHelp(field, key === 'example' ? undefined : type.made?.word) ??
          `write a value that the field accepts, or leave the ${key} out`,
      });
    }
  });
};

function wordHelp({ type }: FieldSchema, word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return `or write \`${word}\`, for a ${type.value} made when the row is written`;
}

/** Undefined when the value fits, or when the field is too broken to tell. */
function misfitOf(
  value: Json,
  field: FieldSchema,
  type: TypeFacts,
  values: readonly string[] | undefined,
): Misfit | undefined {
  if (value === null) {
    const help = 'leave it out: an optional field is null by itself';
    return { kind: 'type', reason: 'null is no value', help };
  }
  const typed = typedField(field);
  if (values === undefined) return typed && type.misfit(value, typed);
  const name = field.type.value;
  if (typeof value !== 'string') return wrongType(value, `a value of ${name}, as a text`);
  if (values.includes(value)) return undefined;
  const reason = `\`${value}\` is not a value of ${name}`;
  return { kind: 'value', reason, help: suggest(value, values) };
}
