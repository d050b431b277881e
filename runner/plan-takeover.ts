import { isPasswordHash } from '../src/import/password-hash.ts';
import type { SchemaFacts } from './checks.ts';
import { quoteText, readStatements } from './statements.ts';

/** What makes a database of somebody else's the one that the first migration would have made. */
export interface Takeover {
  /** In their order; none when it is that already. */
  readonly steps: readonly TakeoverStep[];
  /** What is to be done by hand first. */
  readonly obstacles: readonly string[];
  /** What the schema does not know: it stays as it is. */
  readonly own: readonly string[];
  /** The tables of the first migration that are there. */
  readonly tables: readonly string[];
}

export interface TakeoverStep {
  /** What it does, for the script and for whoever decides. */
  readonly title: string;
  readonly statements: readonly string[];
}

export function takeoverSql(id: string, steps: readonly TakeoverStep[]): string {
  const heading = `-- Instead of ${id}, in a database that has tables already: what they lack, or have in another way.`;
  const parts = steps.map(({ title, statements }) => `-- ${title}\n${statements.join('\n')}\n`);
  return [`${heading}\n`, ...parts].join('\n');
}

/** Those that are in both. */
export function sharedTables(expected: SchemaFacts, found: SchemaFacts): readonly string[] {
  return tablesIn(expected).filter((table) => found.has(`table ${table}`));
}

export function tablesIn(facts: SchemaFacts): readonly string[] {
  return [...facts.keys()]
    .filter((object) => object.startsWith('table '))
    .map((object) => object.slice('table '.length));
}

/** Of one table: the names behind `column posts.` and what they are. */
export function partsOf(facts: SchemaFacts, kind: string, table: string): readonly Fact[] {
  const start = `${kind} ${table}.`;
  return [...facts]
    .filter(([object]) => object.startsWith(start))
    .map(([object, definition]) => ({ name: object.slice(start.length), definition }));
}

export interface Fact {
  readonly name: string;
  readonly definition: string;
}

/** The statements of a script, without what is said of them. */
export function statementsIn(sql: string): readonly string[] {
  return readStatements(sql).map(({ text }) => text.replace(/^(?:\s|--[^\n]*\n)+/, ''));
}

/** Of what a statement makes: a table, an index or a trigger. */
export function nameOf(statement: string): string {
  const [, name = ''] =
    /^CREATE (?:TABLE|TRIGGER|(?:UNIQUE )?INDEX) ("[^"]+"|\S+) /.exec(statement) ?? [];
  return name.replaceAll('"', '');
}

/** With their indexes: in a new table, nobody waits for those. */
export function tableSteps(
  made: readonly string[],
  { expected, found }: Facts,
): readonly TakeoverStep[] {
  const names = tablesIn(expected).filter((table) => !found.has(`table ${table}`));
  const statements = made.filter((it) => {
    const isTable = it.startsWith('CREATE TABLE ') && names.includes(nameOf(it));
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

export interface Facts {
  readonly expected: SchemaFacts;
  readonly found: SchemaFacts;
}

/**
 * Models whose tables are missing: an empty one in their place would hide that the rows are elsewhere. Users may be new
 * here. A total is kept of a model's rows, and not of what the server has for itself, which is made.
 */
export function missingModels(expected: SchemaFacts, found: SchemaFacts): readonly string[] {
  return tablesIn(expected)
    .filter((table) => !found.has(`table ${table}`) && !isUserTable(expected, table))
    .filter((table) => hasTotal(expected, table))
    .map(
      (table) =>
        `The table ${table} is missing. Leave its model out of schema.yaml until the others are taken over, or say by \`table:\` what it is called here.`,
    );
}

/** Of the tables whose totals are not kept yet. */
export function untotalled(expected: SchemaFacts, found: SchemaFacts): readonly string[] {
  return sharedTables(expected, found).filter(
    (table) => hasTotal(expected, table) && !hasTotal(found, table),
  );
}

function hasTotal(facts: SchemaFacts, table: string): boolean {
  return partsOf(facts, 'trigger', table).some(({ name }) => name.endsWith('row_counts_insert'));
}

/** The column of users that no other program has, as they have it here. */
const ofUsers = 'token_version';

export function isUserTable(expected: SchemaFacts, table: string): boolean {
  return expected.has(`column ${table}.${ofUsers}`);
}

/** A hash that another program has made, if it is of bcrypt, lets people in as before; `!` is that of no password. */
export function passwordFrom(found: readonly Fact[], named: (name: string) => string): string {
  const kept = found.filter(({ name }) => name === 'password' || isPasswordHash(name));
  const hashes = kept.map(({ name }) => `nullif(${named(name)}, '')`);
  return hashes.length === 0 ? `'!'` : `coalesce(${[...hashes, `'!'`].join(', ')})`;
}

/** What is compared letter by letter here: columns of users that are there, and their values as they are here. */
export function inSmallLetters(
  found: readonly Fact[],
  named: (name: string) => string,
): readonly { readonly name: string; readonly value: string }[] {
  return found.flatMap(({ name }) => {
    const small = `lower(${named(name)})`;
    if (name === 'email') return [{ name, value: small }];
    const value = `CASE WHEN ${small} IN ('user', 'admin') THEN ${small} ELSE ${named(name)} END`;
    return name === 'role' ? [{ name, value }] : [];
  });
}

/** Users as another program has them. */
export function isTakenUser({ expected, found }: Facts, table: string): boolean {
  return isUserTable(expected, table) && !isUserTable(found, table);
}

/** Counts the addresses that more than one user has. */
export function sharedAddresses(table: string): string {
  return `select count(*) from (select 1 from ${table} where email is not null group by lower(email) having count(*) > 1) as shared`;
}

export function sharedAddress(table: string, count: number): readonly string[] {
  const some = count === 1 ? 'an address' : `${count} addresses`;
  return count === 0
    ? []
    : [
        `The table ${table} has ${some} more than once, but for capital letters. Give each user one of their own.`,
      ];
}

/** Asks for the roles that users have, as they will be written here; undefined where there is no column of them. */
export function rolesIn(
  table: string,
  found: readonly Fact[],
  named: (name: string) => string,
): string | undefined {
  const role = inSmallLetters(found, named).find(({ name }) => name === 'role');
  return role && `select distinct ${role.value} as role from ${table} where role is not null`;
}

/** `check` is what the schema's own check of roles says, in the words of the engine. */
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

/** Columns that the server does not fill in, and the database neither. */
export function unfilled(table: string, { expected, found }: Facts): readonly string[] {
  return partsOf(found, 'column', table)
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

/** What else may be done about it in schema.yaml. */
function otherwise({ column, isUser, isMoment }: Missing): string {
  if (isUser && (column === 'email' || column === 'role')) return ': every user has one';
  if (isUser && column === 'name') return ', or write `auth: { name: optional }` in schema.yaml';
  const optional = ', or write a `?` behind its type in schema.yaml';
  return isMoment ? `${optional}, or behind its name under \`timestamps\`` : optional;
}
