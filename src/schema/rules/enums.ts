import { takenTypes } from '../../naming/name.ts';
import type { EnumSchema } from '../keys/enum.ts';
import type { Report } from '../shape.ts';
import type { Rule } from './facts.ts';

const longestValue = 100;
const mostValues = 500;

/** Names that the emitted code uses beside the enums. */
export const takenEnums: ReadonlySet<string> = new Set([
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
  if (!takenEnums.has(name.value)) return;
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
      report({
        code: 'SCF217',
        at: value.at,
        message: `${name.value}: ${flaw}`,
        help: 'remove it, or write another one',
      });
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
