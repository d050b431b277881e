import type { FieldSchema } from '../keys/field.ts';
import type { Schema } from '../keys/top.ts';
import type { SchemaRule } from '../facts.ts';

/** Only one thing may have a former name in its `was`. A thing that still has the name needs a `was` too. */
export const formerNamesAreFree: SchemaRule = ({ schema }, report) => {
  for (const siblings of listFamilies(schema)) {
    const settled = new Set(
      siblings.filter(({ was }) => was === undefined).map(({ name }) => name.value),
    );
    const claimed = new Set<string>();
    for (const { name, was } of siblings) {
      if (was === undefined) continue;
      const flaw = formerNameFlaw(was.value, name.value, settled, claimed);
      claimed.add(was.value);
      if (flaw === undefined) continue;
      report({
        code: 'SCF401',
        at: was.at,
        message: `\`${name.value}\` cannot have been \`${was.value}\`: ${flaw}`,
        help: settled.has(was.value)
          ? 'leave `was` out and run `npx scaffold regenerate --rename Model.old=new`: the thing that now has the old name counts as new'
          : '`was` is the name before a rename; remove it once that migration is written',
      });
    }
  }
};

function formerNameFlaw(
  was: string,
  name: string,
  settled: ReadonlySet<string>,
  claimed: ReadonlySet<string>,
): string | undefined {
  if (was === '') return 'a name cannot be empty';
  if (was === name) return 'that is its name now';
  if (claimed.has(was)) return 'another entry already has that name as its `was`';
  return settled.has(was) ? 'something else has that name and no `was` of its own' : undefined;
}

function listFamilies(schema: Schema): readonly (readonly Pick<FieldSchema, 'name' | 'was'>[])[] {
  return [
    schema.models,
    ...schema.models.map(({ fields, relations }) => [...fields, ...relations]),
    ...schema.enums.map(({ values }) =>
      values.map(({ value, was }) => (was === undefined ? { name: value } : { name: value, was })),
    ),
  ];
}
