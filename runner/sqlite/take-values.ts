import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import {
  type SchemaPart,
  type ComparedSchemas,
  inSmallLetters,
  isTakenUser,
  lacking,
  passwordFrom,
  withoutValue,
} from '../plan-takeover.ts';
import { countBy } from './schema.ts';
import { quoteName } from '../statements.ts';

export interface Scope extends ComparedSchemas {
  readonly connection: DatabaseSync;
  /** The statements of the first migration. */
  readonly made: readonly string[];
}

interface Value {
  readonly column: string;
  /** Absent if the database finds it itself. */
  readonly value?: string;
  readonly words?: string;
  readonly obstacle?: string;
}

interface ColumnScope extends Scope {
  readonly table: string;
  readonly there: readonly SchemaPart[];
  readonly statement: string;
}

/** Values that cannot be converted stay, and the new table refuses them, so that nothing changes silently. */
export function takeValue({ name, definition }: SchemaPart, scope: ColumnScope): Value {
  const { table, there, connection } = scope;
  const old = there.find((it) => it.name === name);
  const isRequired = / not null\b/.test(definition);
  const format = findFormat(name, scope);
  const isUser = isTakenUser(scope, table);
  if (isUser && name === 'password') {
    const words = old === undefined ? { words: `${name} is new` } : {};
    return { column: name, value: passwordFrom(there, quoteName), ...words };
  }
  if (old === undefined)
    return newValue({ name, definition }, { ...scope, format, isRequired, isUser });
  const converted = convertValue(name, { ...scope, format, isUser });
  const empty = `select count(*) from ${quoteName(table)} where ${quoteName(name)} is null`;
  const rows = isRequired ? countBy(connection, empty) : 0;
  if (rows === 0) return converted;
  const isMoment = format?.includes('T') === true;
  return { ...converted, obstacle: withoutValue({ table, column: name, rows, isUser, isMoment }) };
}

function convertValue(
  name: string,
  {
    table,
    there,
    expected,
    statement,
    format,
    isUser,
  }: ColumnScope & { readonly format: string | undefined; readonly isUser: boolean },
): Value {
  const column = quoteName(name);
  if (format !== undefined) {
    const words = `${name} as ${format.startsWith('date') ? 'a date' : 'a time to the millisecond, read as UTC'}`;
    return { column: name, value: `coalesce(${moment(column, format)}, ${column})`, words };
  }
  const unit = findUnit(name, statement);
  if (unit !== undefined) {
    const number = `${column} + 0.0`;
    const value = `CASE more_digits(${number}, ${unit}) WHEN 0 THEN decimal_units(${number}, ${unit}) ELSE ${column} END`;
    return { column: name, value, words: `${name} in units of its last digit` };
  }
  if (expected.has(`check ${table}: ${name.toLowerCase()} in (0, 1)`)) {
    const value = `CASE ${column} WHEN 't' THEN 1 WHEN 'f' THEN 0 WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE ${column} END`;
    return { column: name, value };
  }
  const small = isUser
    ? inSmallLetters(there, quoteName).find((it) => it.name === name)
    : undefined;
  if (small === undefined) return { column: name, value: column };
  return { column: name, value: small.value, words: `${name} in small letters` };
}

function newValue(
  { name, definition }: SchemaPart,
  {
    table,
    connection,
    format,
    isRequired,
    isUser,
  }: ColumnScope & {
    readonly format: string | undefined;
    readonly isRequired: boolean;
    readonly isUser: boolean;
  },
): Value {
  const words = `${name} is new`;
  const isGiven = !isRequired || / default /.test(definition) || name === 'id';
  if (isGiven) return { column: name, words };
  if (isUser && format !== undefined)
    return { column: name, words, value: moment(`'now'`, format) };
  const isEmpty =
    countBy(connection, `select count(*) from (select 1 from ${quoteName(table)} limit 1)`) === 0;
  return isEmpty
    ? { column: name, words }
    : { column: name, words, obstacle: lacking(table, name) };
}

/** The beginning of the check for times: `strftime('%H:%M:%f', ` or `date(`. */
function findFormat(
  name: string,
  { table, expected }: Pick<ColumnScope, 'table' | 'expected'>,
): string | undefined {
  const start = `check ${table}: ${name.toLowerCase()} is `;
  const check = [...expected.keys()].find((object) => object.startsWith(start));
  const [, format, text] =
    /^(?:(date)|strftime ?\(('.*?'),)/.exec(
      check?.slice(start.length).replace(/ (?=\()/g, '') ?? '',
    ) ?? [];
  return format === undefined ? text && `strftime(${text}, ` : 'date(';
}

/** Numbers are seconds since 1970, or milliseconds if they are too large for that. */
function moment(value: string, format: string): string {
  if (!format.includes('T')) return `${format}${value})`;
  const seconds = `CASE WHEN abs(${value}) > 100000000000 THEN ${value} / 1000.0 ELSE ${value} END`;
  return `CASE typeof(${value}) WHEN 'integer' THEN ${format}${seconds}, 'unixepoch') ELSE ${format}${value}) END`;
}

/** The number of decimals of a decimal, which is stored as an integer. */
function findUnit(name: string, statement: string): number | undefined {
  const line = statement
    .split('\n')
    .find((it) => [`${name} `, `${quoteName(name)} `].some((start) => it.trim().startsWith(start)));
  const [, unit] = /-- in units of (0\.0*1)$/.exec(line ?? '') ?? [];
  return unit === undefined ? undefined : unit.length - 2;
}
