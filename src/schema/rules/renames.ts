import type { Located, Schema } from '../schema.ts';
import type { Rule } from './facts.ts';

interface Renamed {
  readonly name: Located<string>;
  readonly was?: Located<string>;
}

/** One thing had a former name, and what has it now says what that was: so two can swap, and three go round. */
export const formerNamesAreFree: Rule = ({ schema }, report) => {
  for (const siblings of families(schema)) {
    const settled = new Set(
      siblings.filter(({ was }) => was === undefined).map(({ name }) => name.value),
    );
    const claimed = new Set<string>();
    for (const { name, was } of siblings) {
      if (was === undefined) continue;
      const flaw = flawOf(was.value, { name: name.value, settled, claimed });
      claimed.add(was.value);
      if (flaw === undefined) continue;
      report({
        code: 'SCF401',
        at: was.at,
        message: `\`${name.value}\` cannot have been \`${was.value}\`: ${flaw}`,
        help: '`was` is the name before a rename; it can go once that migration is written',
      });
    }
  }
};

function flawOf(
  was: string,
  context: {
    readonly name: string;
    readonly settled: ReadonlySet<string>;
    readonly claimed: ReadonlySet<string>;
  },
): string | undefined {
  if (was === '') return 'a name is not empty';
  if (was === context.name) return 'that is its name now';
  if (context.claimed.has(was)) return 'something else was';
  return context.settled.has(was)
    ? 'that name is in use, by something without a `was` of its own'
    : undefined;
}

function families(schema: Schema): readonly (readonly Renamed[])[] {
  return [
    schema.models,
    ...schema.models.map(({ fields, relations }) => [...fields, ...relations]),
    ...schema.enums.map(({ values }) =>
      values.map(({ value, was }) => (was === undefined ? { name: value } : { name: value, was })),
    ),
  ];
}
