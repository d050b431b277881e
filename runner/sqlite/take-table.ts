import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import type { SchemaFacts } from '../checks.ts';
import {
  type Fact,
  type Facts,
  isIndex,
  inSmallLetters,
  isTakenUser,
  lacking,
  partsOf,
  passwordFrom,
  placeIn,
  rolesIn,
  sharedAddress,
  sharedAddresses,
  sharedKey,
  type TakeoverStep,
  unknownRoles,
  withoutValue,
} from '../plan-takeover.ts';
import { countBy, quoteName } from './facts.ts';

interface Scope extends Facts {
  readonly connection: DatabaseSync;
  /** The statements of the first migration. */
  readonly made: readonly string[];
}

interface Rebuilt {
  readonly step: TakeoverStep;
  readonly obstacles: readonly string[];
}

/** A new table takes the rows of the old one, what the schema does not know of it too, and then its name. */
export function rebuild(table: string, scope: Scope): Rebuilt {
  const { connection, expected, found, made } = scope;
  const [columns, there] = [partsOf(expected, 'column', table), partsOf(found, 'column', table)];
  const statement = tableStatement(table, scope);
  const values = columns.map((column) => valueOf(column, { ...scope, table, there, statement }));
  const own = there.filter(({ name }) => columns.every((column) => column.name !== name));
  const [name, newName] = [quoteName(table), quoteName(`${table}__rebuilt`)];
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
      statements: [
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
        '-- What names this table elsewhere goes on naming it.',
        'PRAGMA legacy_alter_table = ON;',
        `ALTER TABLE ${newName} RENAME TO ${name};`,
        'PRAGMA legacy_alter_table = OFF;',
        ...made.filter((it) => isIndex(it) && placeIn(it) === table),
        ...ownUniques(table, scope),
      ],
    },
  };
}

function userObstacles(
  table: string,
  { there, connection, ...facts }: Scope & { readonly there: readonly Fact[] },
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

/** Rows with one key, where that has been a part of another key, or none. */
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

interface Value {
  readonly column: string;
  /** Absent where the database finds it itself. */
  readonly value?: string;
  readonly words?: string;
  readonly obstacle?: string;
}

interface ColumnScope extends Scope {
  readonly table: string;
  readonly there: readonly Fact[];
  readonly statement: string;
}

/** What cannot be converted stays as it is, and the new table refuses it: nothing becomes something else in silence. */
function valueOf({ name, definition }: Fact, scope: ColumnScope): Value {
  const { table, there, connection, expected, statement } = scope;
  const old = there.find((it) => it.name === name);
  const column = quoteName(name);
  const isRequired = / not null\b/.test(definition);
  const format = formatOf(name, { table, expected });
  const isUser = isTakenUser(scope, table);
  if (isUser && name === 'password') {
    const words = old === undefined ? { words: `${name} is new` } : {};
    return { column: name, value: passwordFrom(there, quoteName), ...words };
  }
  if (old === undefined)
    return newValue({ name, definition }, { ...scope, format, isRequired, isUser });
  const missing = isRequired
    ? countBy(connection, `select count(*) from ${quoteName(table)} where ${column} is null`)
    : 0;
  const isMoment = format?.includes('T') === true;
  const obstacle =
    missing > 0
      ? { obstacle: withoutValue({ table, column: name, rows: missing, isUser, isMoment }) }
      : {};
  const unit = unitOf(name, statement);
  if (format !== undefined) {
    const words = `${name} as ${format.startsWith('date') ? 'a date' : 'a time to the millisecond, read as UTC'}`;
    return {
      column: name,
      value: `coalesce(${moment(column, format)}, ${column})`,
      words,
      ...obstacle,
    };
  }
  if (unit !== undefined) {
    const number = `${column} + 0.0`;
    const value = `CASE more_digits(${number}, ${unit}) WHEN 0 THEN decimal_units(${number}, ${unit}) ELSE ${column} END`;
    return { column: name, value, words: `${name} in units of its last digit`, ...obstacle };
  }
  if (expected.has(`check ${table}: ${name.toLowerCase()} in (0, 1)`)) {
    const value = `CASE ${column} WHEN 't' THEN 1 WHEN 'f' THEN 0 WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE ${column} END`;
    return { column: name, value, ...obstacle };
  }
  const small = isUser
    ? inSmallLetters(there, quoteName).find((it) => it.name === name)
    : undefined;
  const words = small === undefined ? {} : { words: `${name} in small letters` };
  return { column: name, value: small?.value ?? column, ...words, ...obstacle };
}

function newValue(
  { name, definition }: Fact,
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

/** `strftime('%H:%M:%f', ` or `date(`, by which the new table knows its times. */
function formatOf(
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

/** Numbers are seconds since 1970, or milliseconds where they are too many for that. */
function moment(value: string, format: string): string {
  if (!format.includes('T')) return `${format}${value})`;
  const seconds = `CASE WHEN abs(${value}) > 100000000000 THEN ${value} / 1000.0 ELSE ${value} END`;
  return `CASE typeof(${value}) WHEN 'integer' THEN ${format}${seconds}, 'unixepoch') ELSE ${format}${value}) END`;
}

/** The digits behind the point of a decimal, which is kept as a whole number. */
function unitOf(name: string, statement: string): number | undefined {
  const line = statement
    .split('\n')
    .find((it) => [`${name} `, `${quoteName(name)} `].some((start) => it.trim().startsWith(start)));
  const [, unit] = /-- in units of (0\.0*1)$/.exec(line ?? '') ?? [];
  return unit === undefined ? undefined : unit.length - 2;
}

function hasColumn(columns: readonly Fact[], name: string): boolean {
  return columns.some((it) => it.name.toLowerCase() === name);
}

/** SQLite's own number of a row, by which a search index may know it: it is the id of one that had none. */
function rowId(
  table: string,
  {
    connection,
    columns,
    there,
  }: Scope & { readonly columns: readonly Fact[]; readonly there: readonly Fact[] },
) {
  const hasRowId =
    countBy(
      connection,
      `select wr = 0 from pragma_table_list where schema = 'main' and name = '${table.replaceAll("'", "''")}'`,
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

/** A strict table has few types; one that takes any value changes none. */
function looseType({ definition }: Fact): string {
  const [, type = '', rest = ''] =
    /^(.*?)((?: not null)?(?: default .*)?)$/s.exec(definition) ?? [];
  const isKnown = /^(?:int|integer|real|text|blob)$/.test(type);
  return `${isKnown ? type : 'any'}${rest}`;
}

/** Between the last line of the table and its end. */
function withRules(statement: string, rules: readonly string[]): string {
  const end = statement.lastIndexOf('\n)');
  return `${statement.slice(0, end)}${rules.map((rule) => `\n  , ${rule}`).join('')}${statement.slice(end)}`;
}

interface Key {
  readonly columns: string;
  readonly places: string;
  readonly target: string;
  readonly rules: string;
}

/** Checks and keys of the old table that the new one would not have. */
function ownRules(table: string, { connection, expected, found }: Scope): readonly string[] {
  const start = `check ${table}: `;
  const checks = [...found.keys()]
    .filter((object) => object.startsWith(start) && !expected.has(object))
    .map((object) => `CHECK (${object.slice(start.length)})`);
  const keys = connection
    .prepare<Key>(
      `select group_concat("from", ', ') as columns, "table" as target,
        group_concat(coalesce("to", (
          select name from pragma_table_info(list."table") where pk = list.seq + 1
        )), ', ') as places,
        ' ON UPDATE ' || on_update || ' ON DELETE ' || on_delete as rules
      from pragma_foreign_key_list(?, 'main') as list group by id`,
    )
    .all(table)
    .filter(({ columns }) => !expected.has(`foreign key ${table}.${columns}`))
    .map(
      ({ columns, target, places, rules }) =>
        `FOREIGN KEY (${quoted(columns)}) REFERENCES ${quoteName(target)} (${quoted(places)})${rules}`,
    );
  return [...checks, ...keys];
}

const quoted = (names: string) => names.split(', ').map(quoteName).join(', ');

/** No id is given out again that the old table has given out. */
function carryLast(table: string, { expected, found }: Scope): readonly string[] {
  const isCounted = [expected, found].every((facts) =>
    facts.get(`table ${table}`)?.includes('autoincrement'),
  );
  if (!isCounted) return [];
  const name = text(`${table}__rebuilt`);
  return [
    `DELETE FROM sqlite_sequence WHERE name = ${name};`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${name}, seq FROM sqlite_sequence WHERE name = ${text(table)};`,
  ];
}

/** `DROP TABLE` takes along what others have made on the table; the runner makes it again. */
function carry(table: string, { expected, found }: Scope): readonly string[] {
  const ours = [...expected].filter(
    ([object, definition]) => object.startsWith('index ') && isOn(definition, table),
  );
  const known = ours.flatMap(([object, definition]) => [
    object.slice('index '.length),
    ...indexesLike(found, definition),
  ]);
  const others =
    known.length === 0 ? '' : ` AND name NOT IN (${[...new Set(known)].map(text).join(', ')})`;
  return [
    'CREATE TEMP TABLE IF NOT EXISTS carried__objects (sql text NOT NULL);',
    'INSERT INTO carried__objects SELECT sql FROM sqlite_master',
    `  WHERE tbl_name = ${text(table)} AND type IN ('index', 'trigger') AND sql IS NOT NULL${others};`,
  ];
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** `unique on posts (slug)` */
export function isOn(definition: string, table: string): boolean {
  return definition.replace(/^unique /, '').startsWith(`on ${table.toLowerCase()} `);
}

/** Indexes that are this, whatever they are called. */
export function indexesLike(found: SchemaFacts, definition: string): readonly string[] {
  return [...found]
    .filter(([object, it]) => object.startsWith('index ') && it === definition)
    .map(([object]) => object.slice('index '.length));
}

/** What the table itself said to be unique is so by an index from now on. */
function ownUniques(table: string, { connection, expected }: Scope): readonly string[] {
  const lists = connection
    .prepare<{ columns: string; origin: string }>(
      `select group_concat(part.name, ', ') as columns, origin
      from pragma_index_list(?) as list, pragma_index_info(list.name) as part
      where origin in ('u', 'pk') group by list.name`,
    )
    .all(table);
  return [...new Set(lists.map(({ columns }) => columns))]
    .filter((columns) => !isUnique(table, columns, expected))
    .map((columns) => {
      const name = quoteName(`${table}_${columns.replaceAll(', ', '_')}_key`);
      return `CREATE UNIQUE INDEX ${name} ON ${quoteName(table)} (${quoted(columns)});`;
    });
}

/** Whether the schema says so, too. */
export function isUnique(table: string, columns: string, expected: SchemaFacts): boolean {
  const index = `unique on ${table.toLowerCase()} (${columns.toLowerCase()})`;
  return [...expected.values()].includes(index) || columns === primaryKey(expected, table);
}

function primaryKey(facts: SchemaFacts, table: string): string {
  return partsOf(facts, 'column', table)
    .flatMap(({ name, definition }) => {
      const [, place] = / primary key (\d+)/.exec(definition) ?? [];
      return place === undefined ? [] : [{ name, place: Number(place) }];
    })
    .toSorted((left, right) => left.place - right.place)
    .map(({ name }) => name)
    .join(', ');
}
