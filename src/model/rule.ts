import { z } from 'zod';
import { type Comparison, comparisons, type Entry, whoCalled, whoKinds } from '../schema/entry.ts';
import { parseCondition, parseEntry } from '../schema/parse-entry.ts';
import { operations } from '../schema/language.ts';
import { isFlaw } from '../schema/scope.ts';

const ruleText = z.string();
const path = z.array(ruleText);
const comparison = z.strictObject({
  path,
  operator: z.enum(comparisons),
  values: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('literal'), text: ruleText }),
      z.strictObject({ kind: z.literal('now') }),
      z.strictObject({ kind: z.literal('me'), path }),
    ]),
  ),
});
export const conditionShape = z.array(comparison).exactOptional();
const conditions = {
  only: z.literal(true).exactOptional(),
  if: conditionShape,
  after: conditionShape,
};

/** Earlier versions recorded only the word. */
const entry: z.ZodType<Entry> = z.union([
  ruleText.transform((written) => entryFromText(written)),
  z.strictObject({ kind: z.enum(whoKinds), ...conditions }),
  z.strictObject({ kind: z.literal('role'), role: ruleText, ...conditions }),
  z.strictObject({
    kind: z.literal('members'),
    word: ruleText,
    roles: z.array(ruleText),
    ...conditions,
  }),
  z.strictObject({ kind: z.literal('shares'), model: ruleText, ...conditions }),
  z.strictObject({ kind: z.literal('is'), relation: ruleText, ...conditions }),
  z.strictObject({
    kind: z.literal('via'),
    relation: ruleText,
    operation: z.enum(operations).exactOptional(),
    ...conditions,
  }),
]);

/** Admits whom any of its entries admits, and always admins. */
export const ruleShape = z.array(entry);

/** Parses an entry that the rules of the schema have checked. */
export function entryFromText(written: string): Entry {
  const parsed = parseEntry(written);
  return isFlaw(parsed) ? whoCalled(written) : parsed;
}

/** Parses a condition that the rules of the schema have checked. */
export function conditionFromText(written: string): readonly Comparison[] {
  const parsed = parseCondition(written);
  return isFlaw(parsed) ? [] : parsed;
}
