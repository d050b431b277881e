import { keyName, singularName, typeNameLike, withoutAccents } from '../../naming/name.ts';
import { tablesByVersion } from '../internal-tables.ts';
import type { Located } from '../language.ts';
import { invalidName, type ReportProblem } from '../scope.ts';
import { listTables } from '../claimed-names.ts';
import { modelRule, type SchemaRule } from '../facts.ts';

const internalTableNames = [
  ...tablesByVersion.flat().map(({ name }) => name),
  'schema_migrations',
  'schema_migration_steps',
];

/** Endings that databases and our own constraints add to the name of a table. */
const partOfTable = /_(?:pkey|key|unique|index|fkey|check|id_seq)$/;

export const tablesAreFree: SchemaRule = (facts, report) => {
  const tables = listTables(facts);
  for (const { value, at } of tables) {
    const folded = value.toLowerCase();
    const whole = partOfTable.test(folded)
      ? tables.find((table) => folded.startsWith(`${table.value.toLowerCase()}_`))
      : undefined;
    const owned = internalTableNames.includes(folded)
      ? `the server itself has a table \`${value}\``
      : /^(?:sqlite|pg)_/.test(folded) && `the database reserves names like \`${value}\``;
    const part =
      whole && `the table \`${value}\` is named like a part of the table \`${whole.value}\``;
    const message = owned || part;
    if (message === undefined) continue;
    const help = 'choose another name with `table:`';
    report({ code: owned ? 'SCF108' : 'SCF109', at, message, help });
  }
};

/** Names of indexes are shortened, but those of tables and keys are not. */
export const madeNamesAreShort = modelRule(
  ({ table, names, naming, properties, schema }, report) => {
    const { at } = schema.name;
    const made = [
      { value: schema.table === undefined ? table : '', at },
      { value: keyName(names.snake, naming.columns), at },
      ...properties
        .filter(({ kind, columnAt, at: nameAt }) => kind === 'key' && columnAt === nameAt)
        .map(({ name, at: nameAt = at }) => ({ value: name, at: nameAt })),
    ];
    for (const name of made) checkLength(name, report, ', made from this name,');
  },
);

/** PostgreSQL's limit on names in bytes. Names are ASCII, so also in characters. */
const longestIdentifier = 63;

const typeNamePattern = /^[A-Z][A-Za-z0-9_]*$/;

const propertyName = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Names become identifiers of SQL and TypeScript, and words of URLs. */
export const namesAreIdentifiers: SchemaRule = ({ schema }, report) => {
  for (const { name } of schema.models) checkType(name, 'a model', report);
  for (const { name } of schema.enums) checkType(name, 'an enum', report);
  for (const [, type] of schema.storage?.enums?.names ?? []) checkIdentifier(type, 'type', report);
  for (const model of schema.models) {
    const { id, fields, relations, table, plural, was: former, timestamps, softDelete } = model;
    for (const time of [timestamps?.created, timestamps?.updated, softDelete])
      if (typeof time === 'object') checkMember(time, 'field', report);
    for (const { name, column, was } of fields) {
      checkMember(name, 'field', report);
      checkIdentifier(column, 'column', report);
      checkIdentifier(was, 'field', report);
    }
    for (const { name, inverse, column, was } of relations) {
      checkMember(name, 'relation', report);
      if (inverse !== undefined) checkMember(inverse, 'relation', report);
      checkIdentifier(column, 'column', report);
      checkIdentifier(was, 'relation', report);
    }
    checkIdentifier(id?.column, 'column', report);
    checkIdentifier(table, 'table', report);
    if (!/^\w+\.\w+$/.test(former?.value ?? '')) checkIdentifier(former, 'model', report);
    checkIdentifier(plural, 'plural', report);
  }
};

function checkType(name: Located<string>, kind: string, report: ReportProblem): void {
  if (typeNamePattern.test(name.value)) return checkLength(name, report);
  const pascal = typeNameLike(name.value);
  const form = 'a capital letter first, then letters, digits and `_`';
  const help = typeNamePattern.test(pascal) ? `write \`${pascal}\`: ${form}` : form;
  report(invalidName(`name ${kind}`, name, help, 'SCF107'));
}

function checkMember(name: Located<string>, kind: string, report: ReportProblem): void {
  if (!propertyName.test(name.value)) return reportIllegal(name, kind, report);
  if (/__|_$/.test(name.value)) {
    const help =
      'two underscores separate a field from its operator in a filter, as in `views__gte=10`: use single ones, and none at the end';
    report(invalidName(`name a ${kind}`, name, help, 'SCF107'));
  } else checkLength(name, report);
}

function checkIdentifier(
  name: Located<string> | undefined,
  kind: string,
  report: ReportProblem,
): void {
  if (name === undefined) return;
  if (propertyName.test(name.value)) checkLength(name, report);
  else reportIllegal(name, kind, report);
}

function reportIllegal(name: Located<string>, kind: string, report: ReportProblem): void {
  const corrected = withoutAccents(name.value.trim())
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '');
  const isUsable = corrected !== '' && !/^\d/.test(name.value);
  const like = isUsable ? `, like \`${corrected}\`` : '';
  const help = name.value.endsWith('?')
    ? `put the \`?\` after the type: \`${corrected}: string?\``
    : `a letter first, then letters, digits and \`_\`${like}`;
  report(invalidName(`name a ${kind}`, name, help, 'SCF107'));
}

function checkLength({ value, at }: Located<string>, report: ReportProblem, origin = ''): void {
  if (value.length <= longestIdentifier) return;
  const message = `\`${value}\`${origin} has ${value.length} characters; a name may have at most ${longestIdentifier}`;
  const help = 'PostgreSQL cuts longer ones; choose a shorter name';
  report({ code: 'SCF111', at, message, help });
}

/** `plural` confirms a name that looks plural. */
export const modelsAreSingular: SchemaRule = ({ schema }, report) => {
  const names = new Set(schema.models.map(({ name }) => name.value));
  for (const { name, plural } of schema.models) {
    const one = singularName(name.value);
    if (one === undefined || names.has(one) || plural !== undefined) continue;
    const message = `\`${name.value}\` looks plural, and a model is named for one row`;
    const help = `write \`${one}\`, or give it a \`plural\` if that is its name`;
    report({ code: 'SCF122', severity: 'warning', at: name.at, message, help });
  }
};
