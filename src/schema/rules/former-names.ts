import type { FieldSchema } from '../keys/field.ts';
import type { Schema } from '../keys/top.ts';
import type { SchemaRule } from '../facts.ts';

/**
 * A former name is claimed once, and only where its present holder has a `was` too: so two can swap, and three go
 * round.
 */
export const formerNamesAreFree: SchemaRule = ({ schema }, report) => {
  for (const siblings of families(schema)) {
    const settled = new Set(
      siblings.filter(({ was }) => was === undefined).map(({ name }) => name.value),
    );
    const claimed = new Set<string>();
    for (const { name, was } of siblings) {
      if (was === undefined) continue;
      const flaw = renameFlaw(was.value, name.value, settled, claimed);
      claimed.add(was.value);
      if (flaw === undefined) continue;
      report({
        code: 'SCF401',
        at: was.at,
        message: `\`${name.value}\` cannot have been \`${was.value}\`: ${flaw}`,
        help: settled.has(was.value)
          ? 'leave `was` out, and run `npx scaffold regenerate --rename Model.old=new`: what has the old name is new then'
          : '`was` is the name before a rename; it can go once that migration is written',
      });
    }
  }
};

function renameFlaw(
  was: string,
  name: string,
  settled: ReadonlySet<string>,
  claimed: ReadonlySet<string>,
): string | undefined {
  if (was === '') return 'a name is not empty';
  if (was === name) return 'that is its name now';
  if (claimed.has(was)) return 'another entry already says `was` for that name';
  return settled.has(was)
    ? 'that name is in use, by something without a `was` of its own'
    : undefined;
}

function families(schema: Schema): readonly (readonly Pick<FieldSchema, 'name' | 'was'>[])[] {
  return [
    schema.models,
    ...schema.models.map(({ fields, relations }) => [...fields, ...relations]),
    ...schema.enums.map(({ values }) =>
      values.map(({ value, was }) => (was === undefined ? { name: value } : { name: value, was })),
    ),
  ];
}
