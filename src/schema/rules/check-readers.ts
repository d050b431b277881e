import { accessEntries, ruleEntries } from '../access-words.ts';
import { parseCheck } from '../check.ts';
import { admitting, comparedIn, surelyAdmits } from '../covers.ts';
import type { FieldSchema } from '../keys/field.ts';
import type { ModelSchema } from '../keys/model.ts';
import { findNamed, ofModels } from '../facts.ts';

/** With a check, somebody who may write one side could find out the other by trial. */
export const checksTellNothing = ofModels(({ name, schema }, report) => {
  if (schema.endpoints?.every(({ value }) => value !== 'update')) return;
  for (const { value, at } of schema.checks) {
    const { left, right } = parseCheck(value) ?? {};
    const [one, other] = [left, right].map((side) => findNamed(side, schema.fields));
    if (one === undefined || other === undefined) continue;
    for (const [written, told] of [
      [one, other],
      [other, one],
    ] as const) {
      if (isReadByWriters(written, told, schema)) continue;
      const [mine, theirs] = [written.name.value, told.name.value];
      const message = `\`${value}\` reveals ${name}.${theirs}: some who may write \`${mine}\` may not read it`;
      const help = `let \`write\` of \`${mine}\` say the same as \`read\` of \`${theirs}\`, or leave the check out`;
      report({ code: 'SCF223', at, message, help });
    }
  }
});

function isReadByWriters(written: FieldSchema, told: FieldSchema, schema: ModelSchema): boolean {
  if (told.read === undefined || written.readonly === true || written.immutable === true)
    return true;
  const compared = { ...comparedIn(schema, 'read'), other: 'update' } as const;
  const updating = accessEntries(schema, 'update');
  const writing = written.write === undefined ? updating : ruleEntries(written.write, schema);
  const narrowing = [...updating, ...writing].filter(({ only }) => only);
  const readers = ruleEntries(told.read, schema);
  return admitting(updating).every((updater) =>
    admitting(writing).every((writer) =>
      surelyAdmits(readers, [updater, writer, ...narrowing], compared),
    ),
  );
}
