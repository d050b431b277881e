import { accessWords, entriesAmong } from '../access-words.ts';
import { parseCheck } from '../check.ts';
import { type Compared, covers } from '../covers.ts';
import type { Entry } from '../entry.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { RuleSchema } from '../keys/people.ts';
import type { ModelSchema } from '../keys/model.ts';
import { admitting } from './access-effect.ts';
import { ofModels } from './facts.ts';

/** Whoever may write one side of a check and not read the other finds that by halving. */
export const checksTellNothing = ofModels(({ name, schema }, report) => {
  if (schema.endpoints?.every(({ value }) => value !== 'update')) return;
  for (const { value, at } of schema.checks) {
    const { left, right } = parseCheck(value) ?? {};
    const [one, other] = [left, right].map((side) =>
      schema.fields.find((field) => field.name.value === side),
    );
    if (one === undefined || other === undefined) continue;
    for (const [written, told] of [
      [one, other],
      [other, one],
    ] as const) {
      if (isReadByWriters(written, told, schema)) continue;
      const [mine, theirs] = [written.name.value, told.name.value];
      const message = `\`${value}\` tells what ${name}.${theirs} is: some who may write \`${mine}\` may not read it`;
      const help = `let \`write\` of \`${mine}\` say the same as \`read\` of \`${theirs}\`, or leave the check out`;
      report({ code: 'SCF223', at, message, help });
    }
  }
});

function isReadByWriters(written: FieldSchema, told: FieldSchema, schema: ModelSchema): boolean {
  if (told.read === undefined || written.readonly === true || written.immutable === true)
    return true;
  const compared: Compared = {
    owner: schema.owner?.relation.value,
    operation: 'read',
    other: 'update',
  };
  const parsed = (rule: RuleSchema) =>
    entriesAmong(
      rule.map(({ value }) => value),
      schema,
    );
  const updating = entriesAmong(accessWords(schema, 'update'), schema);
  const writing = written.write === undefined ? updating : parsed(written.write);
  const narrowing = [...updating, ...writing].filter(({ only }) => only);
  const readers = parsed(told.read);
  const isMet = (reader: Entry, who: readonly Entry[]) =>
    who.some((entry) => covers(reader, entry, compared));
  const reads = (who: readonly Entry[]) =>
    readers.every((reader) => !reader.only || isMet(reader, who)) &&
    readers.some((reader) => !reader.only && isMet(reader, who));
  return admitting(updating).every((updater) =>
    admitting(writing).every((writer) => reads([updater, writer, ...narrowing])),
  );
}
