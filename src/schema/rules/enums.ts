import { takenTypes } from '../../naming/name.ts';
import type { EnumSchema, FieldSchema, Schema } from '../schema.ts';
import type { Report } from '../shape.ts';
import type { Rule } from './facts.ts';

const longestValue = 100;
const mostValues = 500;

/** Names that the emitted code uses beside the enums. */
const takenNames = new Set([
  ...takenTypes,
  ...'BigInt Bool Bytes DateOnly DateTime Decimal Email Float Int Nullable OneOf Text Time Url Uuid'.split(
    ' ',
  ),
]);

export const enumsHaveValues: Rule = ({ schema }, report) => {
  for (const declared of schema.enums) {
    checkName(declared, report);
    checkValues(declared, report);
  }
};

function checkName({ name }: EnumSchema, report: Report): void {
  if (!takenNames.has(name.value)) return;
  report({
    code: 'SCF108',
    at: name.at,
    message: `the emitted code has a type \`${name.value}\` already`,
    help: `choose a longer name, like \`${name.value}Kind\``,
  });
}

function checkValues({ name, values }: EnumSchema, report: Report): void {
  if (values.length > mostValues) {
    report({
      code: 'SCF217',
      at: name.at,
      message: `the enum ${name.value} has ${values.length} values, more than ${mostValues}`,
      help: 'so many are rows: make it a model',
    });
  }
  const seen = new Set<string>();
  for (const { value } of values) {
    const flaw = valueFlaw(value.value, seen);
    seen.add(value.value);
    if (flaw !== undefined)
      report({ code: 'SCF217', at: value.at, message: `${name.value}: ${flaw}` });
  }
}

function valueFlaw(value: string, seen: ReadonlySet<string>): string | undefined {
  if (seen.has(value)) return `the value \`${value}\` is listed twice`;
  if (value === '') return 'a value cannot be empty';
  if (/[\t\n\r]/.test(value)) return 'a value is one line without tabs';
  if (value.length > longestValue)
    return `a value may have ${longestValue} characters, not ${value.length}`;
  return undefined;
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
      const flaw = renameFlaw(was.value, { name: name.value, settled, claimed });
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

function renameFlaw(
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

function families(schema: Schema): readonly (readonly Pick<FieldSchema, 'name' | 'was'>[])[] {
  return [
    schema.models,
    ...schema.models.map(({ fields, relations }) => [...fields, ...relations]),
    ...schema.enums.map(({ values }) =>
      values.map(({ value, was }) => (was === undefined ? { name: value } : { name: value, was })),
    ),
  ];
}
