// What `migrate.js baseline` alone needs, made by scaffold and replaced as a whole when it is newer: not to be edited.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MigrationError,
  appliedAs,
  compareSchemas,
  countBy,
  countedSql,
  databaseFile,
  makeRun,
  makeSchema,
  migrationsFolder,
  openFile,
  quoteName,
  quoteText,
  readHistory,
  readSchema,
  readStatements,
  readText,
  silent,
} from './migrate.js';

// password-hash

/** Matches columns in which other programs keep the hash of a user's password. */
const isPasswordHash = (name) =>
  /^(?:encrypted_?password|password_?(?:digest|hash)|hashed_?password)$/i.test(name);

// plan-takeover

function takeoverSql(id, steps) {
  const heading = `-- Instead of ${id}, in a database that has tables already: what they lack, or have in another way.`;
  const parts = steps.map(({ title, statements }) => `-- ${title}\n${statements.join('\n')}\n`);
  return [`${heading}\n`, ...parts].join('\n');
}

/** Tables that both have. */
function sharedTables(expected, found) {
  return tablesIn(expected).filter((table) => found.has(`table ${table}`));
}

function tablesIn(parts) {
  return [...parts.keys()]
    .filter((object) => object.startsWith('table '))
    .map((object) => object.slice('table '.length));
}

/** The parts of one kind and table, by the names after `column posts.`. */
function listParts(parts, kind, table) {
  const start = `${kind} ${table}.`;
  return [...parts]
    .filter(([object]) => object.startsWith(start))
    .map(([object, definition]) => ({ name: object.slice(start.length), definition }));
}

/** The statements of a script, without comments. */
function statementsIn(sql) {
  return readStatements(sql).map(({ text }) => text.replace(/^(?:\s|--[^\n]*\n)+/, ''));
}

/** The name of the table, index or trigger that a statement creates. */
function readCreatedName(statement) {
  const [, name = ''] =
    /^CREATE (?:TABLE|TRIGGER|(?:UNIQUE )?INDEX) ("[^"]+"|\S+) /.exec(statement) ?? [];
  return name.replaceAll('"', '');
}

/** New tables with their indexes, for which nobody has to wait. */
function tableSteps(made, { expected, found }) {
  const names = tablesIn(expected).filter((table) => !found.has(`table ${table}`));
  const statements = made.filter((it) => {
    const isTable = it.startsWith('CREATE TABLE ') && names.includes(readCreatedName(it));
    return isTable || (isIndex(it) && names.includes(placeIn(it)));
  });
  if (statements.length === 0) return [];
  return [{ title: `New, and empty: ${names.join(', ')}.`, statements }];
}

const isIndex = (statement) => /^CREATE (?:UNIQUE )?INDEX /.test(statement);

/** The table that an index or a trigger is on. */
function placeIn(statement) {
  const [, table = ''] = / ON ("[^"]+"|\S+) /.exec(statement) ?? [];
  return table.replaceAll('"', '');
}

/**
 * Models without a table. An empty table would hide that their rows are elsewhere. Users may be new. Only tables of
 * models have totals, which tells them from the server's own tables.
 */
function missingModels(expected, found) {
  return tablesIn(expected)
    .filter((table) => !found.has(`table ${table}`) && !isUserTable(expected, table))
    .filter((table) => hasTotal(expected, table))
    .map(
      (table) =>
        `The table ${table} is missing. Leave its model out of schema.yaml until the others are taken over, or say by \`table:\` what it is called here.`,
    );
}

/** Tables whose totals are not kept yet. */
function untotalled(expected, found) {
  return sharedTables(expected, found).filter(
    (table) => hasTotal(expected, table) && !hasTotal(found, table),
  );
}

function hasTotal(parts, table) {
  return listParts(parts, 'trigger', table).some(({ name }) => name.endsWith('row_counts_insert'));
}

/** A column of users that no other program has. */
const ofUsers = 'token_version';

function isUserTable(expected, table) {
  return expected.has(`column ${table}.${ofUsers}`);
}

/** The password hash of another program. bcrypt hashes keep working; `!` matches no password. */
function passwordFrom(found, named) {
  const kept = found.filter(({ name }) => name === 'password' || isPasswordHash(name));
  const hashes = kept.map(({ name }) => `nullif(${named(name)}, '')`);
  return hashes.length === 0 ? `'!'` : `coalesce(${[...hashes, `'!'`].join(', ')})`;
}

/** Columns of users that are compared letter by letter, with their values in small letters. */
function inSmallLetters(found, named) {
  return found.flatMap(({ name }) => {
    const small = `lower(${named(name)})`;
    if (name === 'email') return [{ name, value: small }];
    const value = `CASE WHEN ${small} IN ('user', 'admin') THEN ${small} ELSE ${named(name)} END`;
    return name === 'role' ? [{ name, value }] : [];
  });
}

/** Whether the table of users comes from another program. */
function isTakenUser({ expected, found }, table) {
  return isUserTable(expected, table) && !isUserTable(found, table);
}

/** Counts email addresses that several users share. */
function sharedAddresses(table) {
  return `select count(*) from (select 1 from ${table} where email is not null group by lower(email) having count(*) > 1) as shared`;
}

function sharedAddress(table, count) {
  const some = count === 1 ? 'an address' : `${count} addresses`;
  return count === 0
    ? []
    : [
        `The table ${table} has ${some} more than once if upper and lower case count as the same. Give each user a different one.`,
      ];
}

/** The roles of users in the spelling of this app; undefined if there is no such column. */
function rolesIn(table, found, named) {
  const role = inSmallLetters(found, named).find(({ name }) => name === 'role');
  return role && `select distinct ${role.value} as role from ${table} where role is not null`;
}

/** `check`: the schema's check of roles, in the words of the engine. */
function unknownRoles(table, roles, check = '') {
  const isKnown = (role) => check.includes(quoteText(role));
  const unknown = roles.filter((role) => !isKnown(role)).toSorted();
  if (unknown.length === 0) return [];
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  return [
    `Users in the table ${table} have roles that the schema does not know: ${unknown.slice(0, 5).join(', ')}${more}. Add them under \`auth: { roles: […] }\` in schema.yaml, or give these users other roles.`,
  ];
}

function sharedKey(table, columns) {
  return `Rows of the table ${table} have the same ${columns}, which is its key here. Give each another one, or call the column something else and leave ${columns} to the server.`;
}

/** Required columns that neither the server nor the database fills in. */
function unfilled(table, { expected, found }) {
  return listParts(found, 'column', table)
    .filter(({ name }) => !expected.has(`column ${table}.${name}`))
    .filter(({ definition }) => isFilledByHand(definition))
    .map(
      ({ name }) =>
        `The column ${table}.${name} needs a value in each new row, and the schema does not know it. Give it a default, let it be NULL, or add it to schema.yaml.`,
    );
}

function isFilledByHand(definition) {
  return / not null\b/.test(definition) && !/ (?:default|generated) /.test(definition);
}

function lacking(table, column) {
  return `The column ${table}.${column} is missing, and its rows have nothing to put there. Add and fill it in, or give it a default in schema.yaml.`;
}

function withoutValue(missing) {
  const { table, column, rows } = missing;
  const some = rows === 1 ? '1 row' : `${rows} rows`;
  return `The column ${table}.${column} has no value in ${some}, and is required. Fill it in${otherwise(missing)}.`;
}

/** What else can be done about it in schema.yaml. */
function otherwise({ column, isUser, isMoment }) {
  if (isUser && (column === 'email' || column === 'role')) return ': every user has one';
  if (isUser && column === 'name') return ', or write `auth: { name: optional }` in schema.yaml';
  const optional = ', or write a `?` behind its type in schema.yaml';
  return isMoment ? `${optional}, or behind its name under \`timestamps\`` : optional;
}

// takeover

/**
 * Takes over an existing database. Necessary changes are first written to a script, and are made by another call with
 * `apply`.
 */
async function takeOver(engine, url, { apply = false, ...options }) {
  const [first] = readHistory(options).migrations;
  if (first === undefined) throw new MigrationError('There is no migration to begin with.');
  const found = await getPlan(engine, url, first);
  const { steps, obstacles, tables } = found;
  const answer = { id: first.id, found, file: `migrations/${first.id}/baseline.sql` };
  if (obstacles.length > 0) return { ...answer, state: 'refused' };
  const sql = steps.length === 0 ? '' : takeoverSql(first.id, steps);
  const file = join(options.folder ?? migrationsFolder, first.id, 'baseline.sql');
  const written = steps.length === 0 ? '' : readText(file);
  if (steps.length > 0 && !apply) {
    if (written !== undefined && written !== sql) return { ...answer, state: 'outdated' };
    writeFileSync(file, sql);
    return { ...answer, state: 'written' };
  }
  if (written === undefined) {
    throw new MigrationError(
      `There is no ${answer.file} yet: leave \`--apply\` out first, and read it.`,
    );
  }
  const run = takeoverRun(first, { sql: written, tables, isEdited: written !== sql });
  await engine.migrationSession(url, { ...silent, ...options }, (session) =>
    session.run(({ migrations }) => {
      refuseRecord(migrations);
      return run;
    }),
  );
  return { ...answer, state: 'taken' };
}

const unfounded = { steps: [], obstacles: [], own: [], tables: [] };

async function getPlan(engine, url, { id, up }) {
  const hasDatabase = engine.hasDatabase(url);
  if (hasDatabase) refuseRecord((await engine.readRecorded(url)).migrations);
  const found = hasDatabase ? await engine.planTakeover(url, up.sql) : unfounded;
  if (found.tables.length > 0) return found;
  throw new MigrationError(
    `The database has none of the tables of ${id}: \`npm run db:migrate\` makes them.`,
  );
}

function refuseRecord({ length }) {
  if (length === 0) return;
  throw new MigrationError(
    'The database already has migrations: continue with `npm run db:migrate`.',
  );
}

/** Takes the place of the first migration in a database that has its tables. Every row stays. */
function takeoverRun(first, { sql, tables, isEdited }) {
  const { up } = first;
  return {
    ...makeRun(first, { ...up, sql, isEdited, data: [], hazards: [], rebuilt: {}, backup: true }),
    tables: Object.fromEntries(tables.map((table) => [table, table])),
    adds: [appliedAs(first)],
    schema: up.sql,
  };
}

// kept-objects

/** Checks and keys of the old table that the new one would lack. */
function ownRules(table, { connection, expected, found }) {
  const start = `check ${table}: `;
  const checks = [...found.keys()]
    .filter((object) => object.startsWith(start) && !expected.has(object))
    .map((object) => `CHECK (${object.slice(start.length)})`);
  const keys = connection
    .prepare(
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

const quoted = (names) => names.split(', ').map(quoteName).join(', ');

/** Ids that the old table has used are not used again. */
function carryLast(table, { expected, found }) {
  const isCounted = [expected, found].every((facts) =>
    facts.get(`table ${table}`)?.includes('autoincrement'),
  );
  if (!isCounted) return [];
  const name = quoteText(`${table}__rebuilt`);
  return [
    `DELETE FROM sqlite_sequence WHERE name = ${name};`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${name}, seq FROM sqlite_sequence WHERE name = ${quoteText(table)};`,
  ];
}

/** Parts that `DROP TABLE` drops with the table, and that the runner creates again. */
function carry(table, { expected, found }) {
  const ours = [...expected].filter(
    ([object, definition]) => object.startsWith('index ') && isOn(definition, table),
  );
  const known = ours.flatMap(([object, definition]) => [
    object.slice('index '.length),
    ...indexesLike(found, definition),
  ]);
  const others =
    known.length === 0 ? '' : ` AND name NOT IN (${[...new Set(known)].map(quoteText).join(', ')})`;
  return [
    'CREATE TEMP TABLE IF NOT EXISTS carried__objects (sql text NOT NULL);',
    'INSERT INTO carried__objects SELECT sql FROM sqlite_master',
    `  WHERE tbl_name = ${quoteText(table)} AND type IN ('index', 'trigger') AND sql IS NOT NULL${others};`,
  ];
}

/** `unique on posts (slug)` */
function isOn(definition, table) {
  return definition.replace(/^unique /, '').startsWith(`on ${table.toLowerCase()} `);
}

/** Indexes with this definition, whatever their names. */
function indexesLike(found, definition) {
  return [...found]
    .filter(([object, it]) => object.startsWith('index ') && it === definition)
    .map(([object]) => object.slice('index '.length));
}

/** Unique constraints of the table, which become indexes. */
function ownUniques(table, { connection, expected }) {
  const lists = connection
    .prepare(
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

/** Whether the schema has the same unique constraint. */
function isUnique(table, columns, expected) {
  const index = `unique on ${table.toLowerCase()} (${columns.toLowerCase()})`;
  return [...expected.values()].includes(index) || columns === primaryKey(expected, table);
}

function primaryKey(facts, table) {
  return listParts(facts, 'column', table)
    .flatMap(({ name, definition }) => {
      const [, place] = / primary key (\d+)/.exec(definition) ?? [];
      return place === undefined ? [] : [{ name, place: Number(place) }];
    })
    .toSorted((left, right) => left.place - right.place)
    .map(({ name }) => name)
    .join(', ');
}

// take-values

/** Values that cannot be converted stay, and the new table refuses them, so that nothing changes silently. */
function takeValue({ name, definition }, scope) {
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

function convertValue(name, { table, there, expected, statement, format, isUser }) {
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

function newValue({ name, definition }, { table, connection, format, isRequired, isUser }) {
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
function findFormat(name, { table, expected }) {
  const start = `check ${table}: ${name.toLowerCase()} is `;
  const check = [...expected.keys()].find((object) => object.startsWith(start));
  const [, format, text] =
    /^(?:(date)|strftime ?\(('.*?'),)/.exec(
      check?.slice(start.length).replace(/ (?=\()/g, '') ?? '',
    ) ?? [];
  return format === undefined ? text && `strftime(${text}, ` : 'date(';
}

/** Numbers are seconds since 1970, or milliseconds if they are too large for that. */
function moment(value, format) {
  if (!format.includes('T')) return `${format}${value})`;
  const seconds = `CASE WHEN abs(${value}) > 100000000000 THEN ${value} / 1000.0 ELSE ${value} END`;
  return `CASE typeof(${value}) WHEN 'integer' THEN ${format}${seconds}, 'unixepoch') ELSE ${format}${value}) END`;
}

/** The number of decimals of a decimal, which is stored as an integer. */
function findUnit(name, statement) {
  const line = statement
    .split('\n')
    .find((it) => [`${name} `, `${quoteName(name)} `].some((start) => it.trim().startsWith(start)));
  const [, unit] = /-- in units of (0\.0*1)$/.exec(line ?? '') ?? [];
  return unit === undefined ? undefined : unit.length - 2;
}

// take-table

/** Creates a new table that takes the rows and unknown parts of the old one, and then its name. */
function rebuild(table, scope) {
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

function rebuildStatements({ table, statement, own, rows }, scope) {
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

function userObstacles(table, { there, connection, ...facts }) {
  if (!isTakenUser(facts, table)) return [];
  const hasEmail = there.some(({ name }) => name === 'email');
  const addresses = hasEmail ? countBy(connection, sharedAddresses(quoteName(table))) : 0;
  const asked = rolesIn(quoteName(table), there, quoteName);
  const roles = asked === undefined ? [] : connection.prepare(asked).all();
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
function keyObstacles(table, { connection, expected, found }) {
  const key = primaryKey(expected, table);
  const isThere = key.split(', ').every((it) => found.has(`column ${table}.${it}`));
  if (!isThere || primaryKey(found, table) === key) return [];
  const twice = `select 1 from ${quoteName(table)} group by ${quoted(key)} having count(*) > 1 limit 1`;
  return countBy(connection, `select count(*) from (${twice})`) > 0 ? [sharedKey(table, key)] : [];
}

function tableStatement(table, { made }) {
  return (
    made.find(
      (it) =>
        it.startsWith(`CREATE TABLE ${table} (`) ||
        it.startsWith(`CREATE TABLE ${quoteName(table)} (`),
    ) ?? ''
  );
}

function hasColumn(columns, name) {
  return columns.some((it) => it.name.toLowerCase() === name);
}

/** SQLite's row number, which a search index may refer to. It becomes the id of a row without one. */
function rowId(table, { connection, columns, there }) {
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

function generatedColumns(connection, table) {
  return connection
    .prepare('select name from pragma_table_xinfo(?) where hidden in (2, 3)')
    .all(table)
    .map(({ name }) => name);
}

/** A strict table has few types. One that accepts any value converts none. */
function looseType({ definition }) {
  const [, type = '', rest = ''] =
    /^(.*?)((?: not null)?(?: default .*)?)$/s.exec(definition) ?? [];
  const isKnown = /^(?:int|integer|real|text|blob)$/.test(type);
  return `${isKnown ? type : 'any'}${rest}`;
}

/** Adds constraints at the end of a table. */
function withRules(statement, rules) {
  const end = statement.lastIndexOf('\n)');
  return `${statement.slice(0, end)}${rules.map((rule) => `\n  , ${rule}`).join('')}${statement.slice(end)}`;
}

// take-pairs

/** Many-to-many: new join tables take the rows of existing ones with the same pairs. */
function pairSteps({ expected, found, keysIn, named }) {
  const pairsIn = (facts, others) =>
    tablesIn(facts)
      .filter((table) => !others.has(`table ${table}`))
      .map((table) => ({ table, keys: keysIn(facts, table) }))
      .filter(({ table, keys }) => {
        const columns = listParts(facts, 'column', table);
        return keys.length === 2 && columns.length === 2;
      });
  const theirs = pairsIn(found, expected);
  const steps = [];
  const obstacles = [];
  for (const { table, keys } of pairsIn(expected, found)) {
    const same = theirs.flatMap((it) => matching(it, keys));
    const names = same.map((it) => it.table);
    if (same.length > 1) obstacles.push(manyPairs(table, keys, names));
    for (const { table: from, keys: columns } of same) {
      const [into, values] = [keys, columns].map((all) =>
        all.map(({ column }) => named(column)).join(', '),
      );
      steps.push({
        title: `${table} takes the pairs of ${from}, which stays; what is written there later is not seen here.`,
        statements: [
          `INSERT INTO ${named(table)} (${into}) SELECT DISTINCT ${values} FROM ${named(from)};`,
        ],
      });
    }
  }
  return { steps, obstacles };
}

/** The table with its keys in our order, if they lead to the same tables. */
function matching({ table, keys }, ours) {
  const orders = [keys, keys.toReversed()];
  const order = orders.find((all) => all.every(({ target }, at) => target === ours[at]?.target));
  return order === undefined ? [] : [{ table, keys: order }];
}

function manyPairs(table, keys, from) {
  const columns = keys.map(({ column }) => column).join(' and ');
  return `The pairs of ${table} may be those of ${from.toSorted().join(' or of ')}. Call the right one ${table}, and its columns ${columns}.`;
}

// baseline

/** See `takeOver`. */
export function baseline(engine, url, options) {
  return takeOver({ ...engine, planTakeover }, url, options);
}

async function planTakeover(url, sql) {
  const connection = openFile(databaseFile(url), { readOnly: true });
  try {
    return planFor(connection, sql);
  } finally {
    connection.close();
  }
}

function planFor(connection, sql) {
  const [expected, found] = [makeSchema(sql), readSchema(connection)];
  const tables = sharedTables(expected, found);
  const differences = compareSchemas(expected, found);
  const lacks = differences.filter(({ kind }) => kind !== 'extra');
  const made = statementsIn(sql);
  const remade = tables.filter((table) => lacks.some((it) => isOfTable(it, table)));
  const scope = { connection, expected, found, made };
  const rebuilt = remade.map((table) => rebuild(table, scope));
  const pairs = pairSteps({ ...scope, keysIn: pairKeys, named: quoteName });
  return {
    tables,
    own: differences
      .filter((it) => it.kind === 'extra' && !isReplaced(it, { expected, remade }))
      .map(({ object }) => object),
    obstacles: [
      ...missingModels(expected, found),
      ...rebuilt.flatMap(({ obstacles }) => obstacles),
      ...tables.flatMap((table) => unfilled(table, scope)),
      ...pairs.obstacles,
    ],
    steps: [
      ...rebuilt.map(({ step }) => step),
      ...tableSteps(made, scope),
      ...pairs.steps,
      ...indexSteps(lacks, { ...scope, remade }),
      ...totalSteps(lacks, scope),
    ],
  };
}

function pairKeys(facts, table) {
  const keys = listParts(facts, 'foreign key', table).map(({ name: column, definition }) => {
    const target = definition.slice(0, definition.indexOf(' ('));
    const [, place = 0] =
      / primary key (\d+)/.exec(facts.get(`column ${table}.${column}`) ?? '') ?? [];
    return { column, target, place: Number(place) };
  });
  return keys.toSorted(
    (left, right) => left.place - right.place || (left.column < right.column ? -1 : 1),
  );
}

/** Whether an index is ours under another name, or replaces a unique constraint of a rebuilt table. */
function isReplaced({ object, found }, { expected, remade }) {
  const [, table = '', columns = ''] = /^unique constraint (.*?)\.(.*)$/.exec(object) ?? [];
  if (remade.includes(table)) return isUnique(table, columns, expected);
  return object.startsWith('index ') && [...expected.values()].includes(found ?? '');
}

function isOfTable({ object }, table) {
  return (
    object === `table ${table}` ||
    object.startsWith(`check ${table}: `) ||
    ['column', 'foreign key'].some((kind) => object.startsWith(`${kind} ${table}.`))
  );
}

function indexSteps(lacks, { expected, found, made, remade }) {
  const lacked = new Map(lacks.map(({ object, kind }) => [object, kind]));
  return made.filter(isIndex).flatMap((statement) => {
    const [name, table] = [readCreatedName(statement), placeIn(statement)];
    const kind = lacked.get(`index ${name}`);
    const isThere = found.has(`table ${table}`) && !remade.includes(table);
    if (kind === undefined || !isThere) return [];
    const same = indexesLike(found, expected.get(`index ${name}`) ?? '');
    const former = kind === 'different' ? [...same, name] : same;
    const words = same.length === 0 ? 'is new' : `takes the place of ${same.join(', ')}`;
    return [
      {
        title: `${table}: the index ${name} ${words}.`,
        statements: [...former.map((it) => `DROP INDEX ${quoteName(it)};`), statement],
      },
    ];
  });
}

function totalSteps(lacks, { expected, found, made }) {
  const missing = new Set(lacks.map(({ object }) => object));
  const triggers = made.filter(
    (it) =>
      it.startsWith('CREATE TRIGGER ') &&
      missing.has(`trigger ${placeIn(it)}.${readCreatedName(it)}`),
  );
  const counted = untotalled(expected, found).map((table) => {
    const sql = listParts(expected, 'trigger', table)
      .map(({ definition }) => definition)
      .join('\n');
    return `INSERT OR REPLACE INTO row_counts (name, id, total, deleted)\n${countedSql({ name: table, sql })};`;
  });
  if (triggers.length + counted.length === 0) return [];
  return [
    {
      title: 'Triggers keep how many rows each table has: all are counted once.',
      statements: [...triggers, ...counted],
    },
  ];
}
