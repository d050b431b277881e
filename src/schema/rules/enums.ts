import { listTables, takenEnums } from '../claimed-names.ts';
import { listRepeats, type Flaw } from '../scope.ts';
import { ownTypes, findTypeOfEnum } from '../enum-type.ts';
import { suggest } from '../suggest.ts';
import type { SchemaRule } from '../facts.ts';

const longestValue = 100;
const mostValues = 500;

export const enumsHaveValues: SchemaRule = ({ schema }, report) => {
  for (const { name, values } of schema.enums) {
    if (takenEnums.has(name.value)) {
      const message = `the emitted code has a type \`${name.value}\` already`;
      const help = `choose a longer name, like \`${name.value}Kind\``;
      report({ code: 'SCF108', at: name.at, message, help });
    }
    if (values.length > mostValues) {
      const message = `the enum ${name.value} has ${values.length} values, more than ${mostValues}`;
      const help = 'with so many values, it should be a model';
      report({ code: 'SCF217', at: name.at, message, help });
    }
    const isType = findTypeOfEnum(name.value, schema) !== undefined;
    const repeated = listRepeats(values, ({ value }) => value.value);
    for (const it of values) {
      const { value, at } = it.value;
      const twice = flaw(`the value \`${value}\` is listed twice`);
      const flaws = [
        repeated.has(it) ? twice : valueFlaw(value),
        isType ? labelFlaw(value) : undefined,
      ];
      for (const wrong of flaws.filter((each) => each !== undefined))
        report({ ...wrong, code: 'SCF217', at, message: `${name.value}: ${wrong.message}` });
    }
  }
};

const flaw = (message: string): Flaw => ({ message, help: 'remove it, or write another one' });

function valueFlaw(value: string): Flaw | undefined {
  if (value === '') return flaw('a value cannot be empty');
  if (/[\t\n\r]/.test(value)) return flaw('a value is one line without tabs');
  if (value.length > longestValue)
    return flaw(`a value may have at most ${longestValue} characters, not ${value.length}`);
  return undefined;
}

/** PostgreSQL's limit on the values of a type. */
const longestLabel = 63;

function labelFlaw(value: string): Flaw | undefined {
  const bytes = new TextEncoder().encode(value).length;
  if (bytes <= longestLabel || value.length > longestValue) return undefined;
  const message = `a value of a type may have at most ${longestLabel} bytes, not ${bytes}`;
  return { message, help: 'write a shorter one, or leave `enums` out of `storage`' };
}

/** Types of enums differ in name from each other, from the tables and from PostgreSQL's own. */
export const enumTypesAreDistinct: SchemaRule = (facts, report) => {
  const { enums, storage } = facts.schema;
  if (storage?.enums === undefined) return;
  for (const [{ value, at }] of storage.enums.names) {
    if (facts.enums.has(value)) continue;
    const message = `\`${value}\` is not an enum of this schema`;
    report({ code: 'SCF201', at, message, help: suggest(value, [...facts.enums.keys()]) });
  }
  const taken = new Map<string, string>([
    ...[...ownTypes].map((it) => [it, 'a type of PostgreSQL'] as const),
    ...listTables(facts).map(({ value, title }) => [value, `the table of ${title}`] as const),
  ]);
  const given = new Map(storage.enums.names.map(([of, type]) => [of.value, type]));
  for (const { name } of enums) {
    const type = findTypeOfEnum(name.value, facts.schema);
    if (type === undefined) continue;
    const other = taken.get(type);
    if (other !== undefined) {
      const { at } = given.get(name.value) ?? name;
      const message = `the type of ${name.value} would be called \`${type}\`, as ${other}`;
      const help = `give it another name: \`storage: { enums: { ${name.value}: ${type}_type } }\``;
      report({ code: 'SCF109', at, message, help });
    }
    taken.set(type, `that of ${name.value}`);
  }
};
