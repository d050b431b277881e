import type { FieldSchema, Json, Located } from '../schema.ts';
import type { Rule } from './facts.ts';
import { misfitOf } from './misfit.ts';
import { isLess } from './numbers.ts';
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
      if (written === undefined || (key !== 'example' && written.value === type.word)) continue;
      const misfit = misfitOf(written.value, field, {
        type,
        values: facts.enums.get(field.type.value),
      });
      if (misfit === undefined) continue;
      report({
        code: codes[misfit.kind],
        at: written.at,
        message: `the ${key} of ${path} does not fit: ${misfit.reason}`,
        help:
          misfit.help ??
          wordHelp(field, key === 'example' ? undefined : type.word) ??
          `write a value that the field accepts, or leave the ${key} out`,
      });
    }
  });
};

function wordHelp({ type }: FieldSchema, word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return `or write \`${word}\`, for a ${type.value} made when the row is written`;
}
