import type { SchemaRule } from '../facts.ts';
import type { Schema } from '../keys/top.ts';
import type { Located } from '../language.ts';
import { listRepeats } from '../scope.ts';

/** Only one thing may have a former name in its `was`. A thing that still has the name needs a `was` too. */
export const formerNamesAreFree: SchemaRule = ({ schema }, report) => {
  for (const siblings of listFamilies(schema)) {
    const settled = new Set(siblings.flatMap(({ name, was }) => (was ? [] : [name.value])));
    const renamed = siblings.flatMap(({ name, was }) => (was ? [{ name: name.value, was }] : []));
    const repeated = listRepeats(renamed, ({ was }) => was.value);
    for (const it of renamed) {
      const { value, at } = it.was;
      const twice = 'another entry already has that name as its `was`';
      const flaw =
        (value === '' ? 'a name cannot be empty' : undefined) ??
        (value === it.name ? 'that is its name now' : undefined) ??
        (repeated.has(it) ? twice : undefined) ??
        (settled.has(value) ? 'something else has that name and no `was` of its own' : undefined);
      if (flaw === undefined) continue;
      report({
        code: 'SCF401',
        at,
        message: `\`${it.name}\` cannot have been \`${value}\`: ${flaw}`,
        help: settled.has(value)
          ? 'leave `was` out and run `npx scaffold regenerate --rename Model.old=new`: the thing that now has the old name counts as new'
          : '`was` is the name before a rename; remove it once that migration is written',
      });
    }
  }
};

interface RenamedName {
  readonly name: Located<string>;
  readonly was?: Located<string>;
}

function listFamilies(schema: Schema): readonly (readonly RenamedName[])[] {
  return [
    schema.models,
    ...schema.models.map(({ fields, relations }) => [...fields, ...relations]),
    ...schema.enums.map(({ values }) => values.map(({ value, ...it }) => ({ ...it, name: value }))),
  ];
}
