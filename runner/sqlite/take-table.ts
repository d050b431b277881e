import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import {
  type SchemaPart,
  isIndex,
  isTakenUser,
  listParts,
  placeIn,
  rolesIn,
  sharedAddress,
  sharedAddresses,
  sharedKey,
  type TakeoverStep,
  unknownRoles,
} from '../plan-takeover.ts';
import { countBy } from './schema.ts';
import { carry, carryLast, ownRules, ownUniques, primaryKey, quoted } from './kept-objects.ts';
import { type Scope, takeValue } from './take-values.ts';
import { quoteName, quoteText } from '../statements.ts';

interface Rebuilt {
  readonly step: TakeoverStep;
  readonly obstacles: readonly string[];
}

/** Creates a new table that takes the rows and unknown parts of the old one, and then its name. */
export function rebuild(table: string, scope: Scope): Rebuilt {
  const { connection, expected, found } = scope;
  const [columns, there] = [
    listParts(expected, 'column', table),
    listParts(found, 'column', table),
  ];
  const statement = tableStatement(table, scope);
  const values = columns.map((column) => takeValue(column, { ...scope, table, there, statement }));
  const own = there.filter(({ name }) => columns.every((column) => column.name !== name));
  const rows = [
    ...rowId(table, { ...scope, columns, there }),
    ...values.flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }])),
    ...own.map((column) => ({ column: column.name, value: quoteName(column.name) })),
  ];
  const words = values.flatMap((value) => (value.words === undefined ? [] : [value.words]));
  return {
    obstacles: [
      ...userObstacles(table, { ...scope, there }),
      ...keyObstacles(table, scope),
      ...values.flatMap(({ obstacle }) => (obstacle === undefined ? [] : [obstacle])),
      ...generatedColumns(connection, table)
        .filter((column) => own.some((it) => it.name === column))
        .map(
          (column) =>
            `The column ${table}.${column} is calculated, and the table has to be made again. Drop it first, and add it afterwards.`,
        ),
    ],
    step: {
      title: `${table} is made again, so that it keeps to its types${words.length === 0 ? '' : `: ${words.join(', ')}`}.`,
      statements: rebuildStatements({ table, statement, own, rows }, scope),
    },
  };
}

interface NewTable {
  readonly table: string;
  /** What creates it under its own name. */
  readonly statement: string;
  /** Columns that only the owner knows. */
  readonly own: readonly SchemaPart[];
  /** What each column gets from the old table. */
  readonly rows: readonly { readonly column: string; readonly value: string }[];
}

function rebuildStatements(
  { table, statement, own, rows }: NewTable,
  scope: Scope,
): readonly string[] {
  const [name, newName] = [quoteName(table), quoteName(`${table}__rebuilt`)];
  return [
    withRules(statement, ownRules(table, scope)).replace(
      /^CREATE TABLE ("[^"]+"|\S+) /,
      `CREATE TABLE ${newName} `,
    ),
    ...own.map(
      (column) =>
        `ALTER TABLE ${newName} ADD COLUMN ${quoteName(column.name)} ${looseType(column)};`,
    ),
    `INSERT INTO ${newName} (${rows.map(({ column }) => quoteName(column)).join(', ')})`,
    `SELECT\n  ${rows.map(({ value }) => value).join(',\n  ')}\nFROM ${name};`,
    ...carryLast(table, scope),
    ...carry(table, scope),
    `DROP TABLE ${name};`,
    '-- Views, triggers and keys keep referring to this table by name.',
    'PRAGMA legacy_alter_table = ON;',
    `ALTER TABLE ${newName} RENAME TO ${name};`,
    'PRAGMA legacy_alter_table = OFF;',
    ...scope.made.filter((it) => isIndex(it) && placeIn(it) === table),
    ...ownUniques(table, scope),
  ];
}

function userObstacles(
  table: string,
  { there, connection, ...facts }: Scope & { readonly there: readonly SchemaPart[] },
): readonly string[] {
  if (!isTakenUser(facts, table)) return [];
  const hasEmail = there.some(({ name }) => name === 'email');
  const addresses = hasEmail ? countBy(connection, sharedAddresses(quoteName(table))) : 0;
  const asked = rolesIn(quoteName(table), there, quoteName);
  const roles = asked === undefined ? [] : connection.prepare<{ role: unknown }>(asked).all();
  const start = `check ${table}: role in (`;
  return [
    ...sharedAddress(table, addresses),
    ...unknownRoles(
      table,
      roles.map(({ role }) => String(role)),
      [...facts.expected.keys()].find((object) => object.startsWith(start)),
    ),
  ];
}

/** Rows that share a key which was only a part of another key, or no key. */
function keyObstacles(table: string, { connection, expected, found }: Scope): readonly string[] {
  const key = primaryKey(expected, table);
  const isThere = key.split(', ').every((it) => found.has(`column ${table}.${it}`));
  if (!isThere || primaryKey(found, table) === key) return [];
  const twice = `select 1 from ${quoteName(table)} group by ${quoted(key)} having count(*) > 1 limit 1`;
  return countBy(connection, `select count(*) from (${twice})`) > 0 ? [sharedKey(table, key)] : [];
}

function tableStatement(table: string, { made }: Scope): string {
  return (
    made.find(
      (it) =>
        it.startsWith(`CREATE TABLE ${table} (`) ||
        it.startsWith(`CREATE TABLE ${quoteName(table)} (`),
    ) ?? ''
  );
}

function hasColumn(columns: readonly SchemaPart[], name: string): boolean {
  return columns.some((it) => it.name.toLowerCase() === name);
}

/** SQLite's row number, which a search index may refer to. It becomes the id of a row without one. */
function rowId(
  table: string,
  {
    connection,
    columns,
    there,
  }: Scope & { readonly columns: readonly SchemaPart[]; readonly there: readonly SchemaPart[] },
) {
  const hasRowId =
    countBy(
      connection,
      `select wr = 0 from pragma_table_list where schema = 'main' and name = ${quoteText(table)}`,
    ) === 1;
  if (!hasRowId || hasColumn(there, 'rowid')) return [];
  const keys = columns.filter(({ definition }) => definition.includes(' primary key '));
  const [id] = keys.filter(({ definition }) => definition.startsWith('integer '));
  if (id === undefined || keys.length > 1)
    return hasColumn(columns, 'rowid') ? [] : [{ column: 'rowid', value: 'rowid' }];
  const isThere = hasColumn(there, id.name.toLowerCase());
  return isThere ? [] : [{ column: id.name, value: 'rowid' }];
}

function generatedColumns(connection: DatabaseSync, table: string): readonly string[] {
  return connection
    .prepare<{ name: string }>('select name from pragma_table_xinfo(?) where hidden in (2, 3)')
    .all(table)
    .map(({ name }) => name);
}

/** A strict table has few types. One that accepts any value converts none. */
function looseType({ definition }: SchemaPart): string {
  const [, type = '', rest = ''] =
    /^(.*?)((?: not null)?(?: default .*)?)$/s.exec(definition) ?? [];
  const isKnown = /^(?:int|integer|real|text|blob)$/.test(type);
  return `${isKnown ? type : 'any'}${rest}`;
}

/** Adds constraints at the end of a table. */
function withRules(statement: string, rules: readonly string[]): string {
  const end = statement.lastIndexOf('\n)');
  return `${statement.slice(0, end)}${rules.map((rule) => `\n  , ${rule}`).join('')}${statement.slice(end)}`;
}
