import { isPasswordHash } from '../src/import/password-hash.ts';
import type { SchemaParts } from './checks.ts';
import { quoteText, readStatements } from './statements.ts';

/** What changes an existing database into the one that the first migration would have made. */
export interface Takeover {
  /** In order; empty if nothing has to change. */
  readonly steps: readonly TakeoverStep[];
  /** What people have to do first. */
  readonly obstacles: readonly string[];
  /** What the schema does not have, and what therefore stays. */
  readonly own: readonly string[];
  /** Tables of the first migration that exist. */
  readonly tables: readonly string[];
}

export interface TakeoverStep {
  /** What it does, for the script and for the person who decides. */
  readonly title: string;
  readonly statements: readonly string[];
}

export function takeoverSql(id: string, steps: readonly TakeoverStep[]): string {
  const heading = `-- Instead of ${id}, in a database that has tables already: what they lack, or have in another way.`;
  const parts = steps.map(({ title, statements }) => `-- ${title}\n${statements.join('\n')}\n`);
  return [`${heading}\n`, ...parts].join('\n');
}

/** Tables that both have. */
export function sharedTables(expected: SchemaParts, found: SchemaParts): readonly string[] {
  return tablesIn(expected).filter((table) => found.has(`table ${table}`));
}

export function tablesIn(parts: SchemaParts): readonly string[] {
  return [...parts.keys()]
    .filter((object) => object.startsWith('table '))
    .map((object) => object.slice('table '.length));
}

/** The parts of one kind and table, by the names after `column posts.`. */
export function listParts(parts: SchemaParts, kind: string, table: string): readonly SchemaPart[] {
  const start = `${kind} ${table}.`;
  return [...parts]
    .filter(([object]) => object.startsWith(start))
    .map(([object, definition]) => ({ name: object.slice(start.length), definition }));
}

export interface SchemaPart {
  readonly name: string;
  readonly definition: string;
}

/** The statements of a script, without comments. */
export function statementsIn(sql: string): readonly string[] {
  return readStatements(sql).map(({ text }) => text.replace(/^(?:\s|--[^\n]*\n)+/, ''));
}

/** The name of the table, index or trigger that a statement creates. */
export function readCreatedName(statement: string): string {
  const [, name = ''] =
    /^CREATE (?:TABLE|TRIGGER|(?:UNIQUE )?INDEX) ("[^"]+"|\S+) /.exec(statement) ?? [];
  return name.replaceAll('"', '');
}

/** New tables with their indexes, for which nobody has to wait. */
export function tableSteps(
  made: readonly string[],
  { expected, found }: ComparedSchemas,
): readonly TakeoverStep[] {
  const names = tablesIn(expected).filter((table) => !found.has(`table ${table}`));
  const statements = made.filter((it) => {
    const isTable = it.startsWith('CREATE TABLE ') && names.includes(readCreatedName(it));
    return isTable || (isIndex(it) && names.includes(placeIn(it)));
  });
  if (statements.length === 0) return [];
  return [{ title: `New, and empty: ${names.join(', ')}.`, statements }];
}

export const isIndex = (statement: string) => /^CREATE (?:UNIQUE )?INDEX /.test(statement);

/** The table that an index or a trigger is on. */
export function placeIn(statement: string): string {
  const [, table = ''] = / ON ("[^"]+"|\S+) /.exec(statement) ?? [];
  return table.replaceAll('"', '');
}

export interface ComparedSchemas {
  readonly expected: SchemaParts;
  readonly found: SchemaParts;
}

/**
 * Models without a table. An empty table would hide that their rows are elsewhere. Users may be new. Only tables of
 * models have totals, which tells them from the server's own tables.
 */
export function missingModels(expected: SchemaParts, found: SchemaParts): readonly string[] {
  return tablesIn(expected)
    .filter((table) => !found.has(`table ${table}`) && !isUserTable(expected, table))
    .filter((table) => hasTotal(expected, table))
    .map(
      (table) =>
        `The table ${table} is missing. Leave its model out of schema.yaml until the others are taken over, or say by \`table:\` what it is called here.`,
    );
}

/** Tables whose totals are not kept yet. */
export function untotalled(expected: SchemaParts, found: SchemaParts): readonly string[] {
  return sharedTables(expected, found).filter(
    (table) => hasTotal(expected, table) && !hasTotal(found, table),
  );
}

function hasTotal(parts: SchemaParts, table: string): boolean {
  return listParts(parts, 'trigger', table).some(({ name }) => name.endsWith('row_counts_insert'));
}

/** A column of users that no other program has. */
const ofUsers = 'token_version';

export function isUserTable(expected: SchemaParts, table: string): boolean {
  return expected.has(`column ${table}.${ofUsers}`);
}

/** The password hash of another program. bcrypt hashes keep working; `!` matches no password. */
export function passwordFrom(
  found: readonly SchemaPart[],
  named: (name: string) => string,
): string {
  const kept = found.filter(({ name }) => name === 'password' || isPasswordHash(name));
  const hashes = kept.map(({ name }) => `nullif(${named(name)}, '')`);
  return hashes.length === 0 ? `'!'` : `coalesce(${[...hashes, `'!'`].join(', ')})`;
}

/** Columns of users that are compared letter by letter, with their values in small letters. */
export function inSmallLetters(
  found: readonly SchemaPart[],
  named: (name: string) => string,
): readonly { readonly name: string; readonly value: string }[] {
  return found.flatMap(({ name }) => {
    const small = `lower(${named(name)})`;
    if (name === 'email') return [{ name, value: small }];
    const value = `CASE WHEN ${small} IN ('user', 'admin') THEN ${small} ELSE ${named(name)} END`;
    return name === 'role' ? [{ name, value }] : [];
  });
}

/** Whether the table of users comes from another program. */
export function isTakenUser({ expected, found }: ComparedSchemas, table: string): boolean {
  return isUserTable(expected, table) && !isUserTable(found, table);
}

/** Counts email addresses that several users share. */
export function sharedAddresses(table: string): string {
  return `select count(*) from (select 1 from ${table} where email is not null group by lower(email) having count(*) > 1) as shared`;
}

export function sharedAddress(table: string, count: number): readonly string[] {
  const some = count === 1 ? 'an address' : `${count} addresses`;
  return count === 0
    ? []
    : [
        `The table ${table} has ${some} more than once if upper and lower case count as the same. Give each user a different one.`,
      ];
}

/** The roles of users in the spelling of this app; undefined if there is no such column. */
export function rolesIn(
  table: string,
  found: readonly SchemaPart[],
  named: (name: string) => string,
): string | undefined {
  const role = inSmallLetters(found, named).find(({ name }) => name === 'role');
  return role && `select distinct ${role.value} as role from ${table} where role is not null`;
}

/** `check`: the schema's check of roles, in the words of the engine. */
export function unknownRoles(
  table: string,
  roles: readonly string[],
  check = '',
): readonly string[] {
  const isKnown = (role: string) => check.includes(quoteText(role));
  const unknown = roles.filter((role) => !isKnown(role)).toSorted();
  if (unknown.length === 0) return [];
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  return [
    `Users in the table ${table} have roles that the schema does not know: ${unknown.slice(0, 5).join(', ')}${more}. Add them under \`auth: { roles: […] }\` in schema.yaml, or give these users other roles.`,
  ];
}

export function sharedKey(table: string, columns: string): string {
  return `Rows of the table ${table} have the same ${columns}, which is its key here. Give each another one, or call the column something else and leave ${columns} to the server.`;
}

/** Required columns that neither the server nor the database fills in. */
export function unfilled(table: string, { expected, found }: ComparedSchemas): readonly string[] {
  return listParts(found, 'column', table)
    .filter(({ name }) => !expected.has(`column ${table}.${name}`))
    .filter(({ definition }) => isFilledByHand(definition))
    .map(
      ({ name }) =>
        `The column ${table}.${name} needs a value in each new row, and the schema does not know it. Give it a default, let it be NULL, or add it to schema.yaml.`,
    );
}

function isFilledByHand(definition: string): boolean {
  return / not null\b/.test(definition) && !/ (?:default|generated) /.test(definition);
}

export function lacking(table: string, column: string): string {
  return `The column ${table}.${column} is missing, and its rows have nothing to put there. Add and fill it in, or give it a default in schema.yaml.`;
}

interface Missing {
  readonly table: string;
  readonly column: string;
  readonly rows: number;
  readonly isUser: boolean;
  readonly isMoment: boolean;
}

export function withoutValue(missing: Missing): string {
  const { table, column, rows } = missing;
  const some = rows === 1 ? '1 row' : `${rows} rows`;
  return `The column ${table}.${column} has no value in ${some}, and is required. Fill it in${otherwise(missing)}.`;
}

/** What else can be done about it in schema.yaml. */
function otherwise({ column, isUser, isMoment }: Missing): string {
  if (isUser && (column === 'email' || column === 'role')) return ': every user has one';
  if (isUser && column === 'name') return ', or write `auth: { name: optional }` in schema.yaml';
  const optional = ', or write a `?` behind its type in schema.yaml';
  return isMoment ? `${optional}, or behind its name under \`timestamps\`` : optional;
}
