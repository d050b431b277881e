import { takenTypes } from '../../naming/name.ts';
import type { EnumSchema } from '../keys/enum.ts';
import type { Report } from '../scope.ts';
import { ownTypes, typeOfEnum } from '../enum-type.ts';
import { suggest } from '../suggest.ts';
import { tablesOf } from './collisions.ts';
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
    if (typeOfEnum(declared.name.value, schema) !== undefined) checkLabels(declared, report);
  }
};

/** PostgreSQL keeps no longer ones in a type. */
const longestLabel = 63;

function checkLabels({ name, values }: EnumSchema, report: Report): void {
  for (const { value } of values) {
    const bytes = new TextEncoder().encode(value.value).length;
    if (bytes <= longestLabel || value.value.length > longestValue) continue;
    report({
      code: 'SCF217',
      at: value.at,
      message: `${name.value}: a value of a type may have ${longestLabel} bytes, not ${bytes}`,
      help: 'write a shorter one, or leave `enums` out of `storage`',
    });
  }
}

/** Each type has a name of its own, and tables have one of their name. */
export const enumTypesAreDistinct: Rule = (facts, report) => {
  const { enums, storage } = facts.schema;
  if (storage?.enums === undefined) return;
  for (const [{ value, at }] of storage.enums.names) {
    if (facts.enums.has(value)) continue;
    const message = `\`${value}\` is no enum of this schema`;
    report({ code: 'SCF201', at, message, help: suggest(value, [...facts.enums.keys()]) });
  }
  const taken = new Map<string, string>([
    ...[...ownTypes].map((it) => [it, 'a type of PostgreSQL'] as const),
    ...tablesOf(facts).map(({ value, title }) => [value, `the table of ${title}`] as const),
  ]);
  const said = new Map(storage.enums.names.map(([of, type]) => [of.value, type]));
  for (const { name } of enums) {
    const type = typeOfEnum(name.value, facts.schema);
    if (type === undefined) continue;
    const other = taken.get(type);
    if (other !== undefined) {
      const { at } = said.get(name.value) ?? name;
      const message = `the type of ${name.value} would be called \`${type}\`, as ${other}`;
      const help = `give it another name: \`storage: { enums: { ${name.value}: ${type}_type } }\``;
      report({ code: 'SCF109', at, message, help });
    }
    taken.set(type, `that of ${name.value}`);
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
