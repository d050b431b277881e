// What `migrate.js baseline` alone needs, made by scaffold and replaced as a whole when it is newer: not to be edited.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MigrationError,
  appliedAs,
  compareSchemas,
  describeDifference,
  isAsUnique,
  isTheirDefault,
  makeRun,
  migrationsFolder,
  quoteName,
  quoteText,
  readBothSchemas,
  readHistory,
  readStatements,
  readText,
  silent,
  withClient,
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

// recreate

/**
 * Parts that keep a column from changing its type: those that name values of an enum type, ranges of times without a
 * zone, and triggers that name the column.
 */
function listObstacles(found, changed) {
  return changed.flatMap(({ table, enums, retyped, isZoned }) =>
    partsOn(found, table)
      .filter(
        ([, definition]) =>
          enums.some((type) => definition.includes(`::${type}`)) ||
          retyped.some((column) => wordsOfTrigger(definition).includes(column)) ||
          (isZoned && definition.includes('tsrange(')),
      )
      .map(
        ([object]) =>
          `The ${object} is in the way of a column that gets another type. Drop it, and create it again afterwards.`,
      ),
  );
}

/** The words of the columns and of the condition that a trigger has. */
function wordsOfTrigger(definition) {
  const [, named = ''] = /^CREATE .*? (?:UPDATE OF|WHEN) (.*) EXECUTE /s.exec(definition) ?? [];
  return [...named.matchAll(/"((?:[^"]|"")+)"|[\w$]+/g)].map(([word, quoted]) => quoted ?? word);
}

/** The parts of a table. The index of a constraint is a part of the constraint. */
function partsOn(found, table) {
  const rule = `constraint ${table}.`;
  return [...found].filter(([object, definition]) => {
    if (object.startsWith(rule) || object.startsWith(`trigger ${table}.`)) return true;
    const name = object.slice('index '.length);
    return isIndex(definition) && !found.has(rule + name) && placeIn(definition) === table;
  });
}

/** Recreates foreign keys to a primary key that is replaced. Its columns stay unique by an index. */
function recreateKeys(found, changed) {
  const tables = changed.filter(({ isRekeyed }) => isRekeyed).map(({ table }) => table);
  const keys = tables.flatMap((target) => {
    const [columns = ''] = /\(.*\)/.exec(found.get(`primary key of ${target}`) ?? '') ?? [];
    return [...found].flatMap(([object, definition]) => {
      const [, table = '', name = ''] = /^constraint (.*?)\.(.*)$/.exec(object) ?? [];
      const ends = [target, quoteName(target)].map((it) => ` REFERENCES ${it}${columns}`);
      const isKey = definition.startsWith('FOREIGN KEY ') && columns !== '';
      const leadsThere = isKey && ends.some((end) => definition.includes(end));
      const alter = `ALTER TABLE ${quoteName(table)}`;
      return leadsThere ? [{ name, definition, alter }] : [];
    });
  });
  if (keys.length === 0) return { before: [], after: [] };
  const names = keys.map(({ name }) => name).join(', ');
  return {
    before: [
      {
        title: `Foreign keys to a primary key that is replaced are recreated at the end: ${names}.`,
        statements: keys.map(({ name, alter }) => `${alter} DROP CONSTRAINT ${quoteName(name)};`),
      },
    ],
    after: [
      {
        title: 'The same foreign keys again, to columns that are unique.',
        statements: keys.map(
          ({ name, definition, alter }) =>
            `${alter} ADD CONSTRAINT ${quoteName(name)} ${definition};`,
        ),
      },
    ],
  };
}

/** Recreates views, since no column can change its type under them. Only for views that have nothing but a query. */
async function recreateViews(client, tables) {
  const { rows } = await client.query(viewsSql, [tables]);
  const plain = rows.filter(({ isPlain }) => isPlain);
  return {
    obstacles: rows
      .filter(({ isPlain }) => !isPlain)
      .map(
        ({ name }) =>
          `The view ${name} reads columns whose type changes, and is more than a query. Drop it, and make it again afterwards.`,
      ),
    before: plain.toReversed().map(({ name }) => ({
      title: `The view ${name} reads columns whose type changes: it is made again at the end.`,
      statements: [`DROP VIEW ${name};`],
    })),
    after: plain.map(({ name, definition }) => ({
      title: `The view ${name}, as it was.`,
      statements: [`CREATE VIEW ${name} AS ${definition}`],
    })),
  };
}

/** Views after those that they read. Those with grants, comments, options, triggers or stored rows are left out. */
const viewsSql = `
  with recursive standing as (
    select ev_class as oid, 1 as depth from pg_rewrite join pg_depend on pg_depend.objid = pg_rewrite.oid
    where refobjid in (
      select oid from pg_class where relnamespace = quote_ident(current_schema())::regnamespace and relname = any($1)
    ) and ev_class <> refobjid
    union
    select ev_class, depth + 1 from standing join pg_depend on refobjid = standing.oid
      join pg_rewrite on pg_rewrite.oid = pg_depend.objid
    where ev_class <> refobjid
  )
  select pg_class.oid::regclass::text as name, pg_get_viewdef(pg_class.oid) as definition,
    relkind = 'v' and relacl is null and reloptions is null and relowner = current_user::regrole
      and not exists (select from pg_description where objoid = pg_class.oid)
      and not exists (select from pg_trigger where tgrelid = pg_class.oid)
      and (select count(*) from pg_rewrite where ev_class = pg_class.oid) = 1 as "isPlain"
  from standing join pg_class using (oid) group by pg_class.oid order by max(depth), 1
`;

// take-column

/** `text collate "C" not null default 'x'::text` */
function readShape(definition) {
  const [, type = '', collation, required, counted, initial, generated] =
    /^(.*?)(?: collate (\S+))?( not null)?( generated (?:by default|always) as identity)?(?: default (.*))?( generated always as .*)?$/s.exec(
      definition,
    ) ?? [];
  return {
    type,
    collation,
    required: required !== undefined,
    isCounted: counted !== undefined,
    isAlwaysCounted: counted?.includes('always') ?? false,
    initial,
    isGenerated: generated !== undefined,
  };
}

/** Undefined if existing rows have no value for the column. */
function addedColumn({ name, definition }, place) {
  const { required, isCounted, initial, type } = readShape(definition);
  if (!required || initial !== undefined) return newColumn(name, definition);
  const column = quoteName(name);
  const table = quoteName(place.table);
  if (isCounted) {
    return { ...newColumn(name, definition), rewrites: true };
  }
  if (place.isUser && name === 'password') {
    const optional = definition.replace(' not null', '');
    return {
      ...newColumn(name, optional),
      after: [
        `UPDATE ${table} SET ${column} = ${passwordFrom(place.there, quoteName)};`,
        `ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL;`,
      ],
    };
  }
  if (!place.isUser || !type.startsWith('timestamp')) return undefined;
  return {
    ...newColumn(name, `${definition} DEFAULT now()`),
    after: [`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT;`],
  };
}

function newColumn(name, definition) {
  const clauses = [`ADD COLUMN ${quoteName(name)} ${definition}`];
  return { clauses, words: `${name} is new`, rewrites: false };
}

/** A sentence, if its values cannot be converted. */
function changedColumn(name, { table, was, is, enums }) {
  const column = `ALTER COLUMN ${quoteName(name)}`;
  const isRetyped = was.type !== is.type || was.collation !== is.collation;
  const cast = isRetyped ? findCast(was.type, is.type, enums) : undefined;
  if (isRetyped && cast === undefined) {
    return `The column ${table}.${name} is ${was.type} and would have to be ${is.type}. Change it, or say in schema.yaml what it is.`;
  }
  const { using, words = '', rewrites = false } = cast ?? {};
  const collation = is.collation === undefined ? '' : ` COLLATE ${is.collation}`;
  const value = using === undefined ? '' : ` USING ${using(quoteName(name))}`;
  const isReset = was.initial !== is.initial || was.isCounted !== is.isCounted;
  const type = isRetyped ? [`${column} TYPE ${is.type}${collation}${value}`] : [];
  const clauses = [
    ...(was.isGenerated ? [`${column} DROP EXPRESSION`] : []),
    ...(isReset && was.initial !== undefined ? [`${column} DROP DEFAULT`] : []),
    ...(isReset && was.isCounted ? [`${column} DROP IDENTITY`] : []),
    ...type,
    ...(isReset && is.initial !== undefined ? [`${column} SET DEFAULT ${is.initial}`] : []),
    ...(isReset && is.isCounted ? [`${column} ADD GENERATED BY DEFAULT AS IDENTITY`] : []),
    ...(!isReset && was.isAlwaysCounted ? [`${column} SET GENERATED BY DEFAULT`] : []),
    ...(is.required && !was.required ? [`${column} SET NOT NULL`] : []),
    ...(was.required && !is.required ? [`${column} DROP NOT NULL`] : []),
  ];
  return {
    clauses,
    words: isRetyped ? `${name} becomes ${is.type}${words}` : `${name} becomes ${described(is)}`,
    rewrites,
    isRetyped,
    isZoned: was.type.endsWith(zoneless) && is.type.endsWith(zoned),
    ...(isReset && is.isCounted ? countOn(table, name, was.initial) : {}),
    ...(!isReset && is.isCounted && isRetyped ? { after: [countsAs(is.type, table, name)] } : {}),
  };
}

function described({ type, required, isCounted, initial }) {
  if (isCounted) return 'an identity';
  return `${type} ${required ? 'NOT NULL' : 'NULL'}${initial === undefined ? '' : ` DEFAULT ${initial}`}`;
}

/** The sequence of a `serial` keeps its type when the column gets another one. */
function countsAs(type, table, name) {
  return `DO $$ BEGIN EXECUTE format('ALTER SEQUENCE %s AS ${type}', ${counterSql(table, name)}); END $$;`;
}

/** Ids that the old sequence has used are not used again. */
function countOn(table, name, initial = '') {
  const [, old] = /^nextval\('(.*)'::regclass\)$/.exec(initial) ?? [];
  const highest = `(SELECT coalesce(max(${quoteName(name)}), 1) FROM ${quoteName(table)})`;
  const last = old === undefined ? '' : `, (SELECT last_value FROM ${old})`;
  const start = `SELECT setval(${counterSql(table, name)}, greatest(${highest}${last}));`;
  if (old === undefined) return { before: [], after: [start] };
  return {
    before: [`ALTER SEQUENCE ${old} OWNED BY NONE;`],
    after: [start, `DROP SEQUENCE ${old};`],
  };
}

function counterSql(table, column) {
  const [place, name] = [quoteName(table), column].map(quoteText);
  return `pg_get_serial_sequence(${place}, ${name})`;
}

const [zoned, zoneless] = [' with time zone', ' without time zone'];
const texts = /^(?:text|character varying|citext)$/;
const wholes = ['smallint', 'integer', 'bigint'];

const isNarrowed = (was, is) => was === 'bigint' && is === 'integer';

function tooLarge(table, column, rows) {
  const some = rows === 1 ? '1 row' : `${rows} rows`;
  return `The column ${table}.${column} has a number beyond 2147483647 in ${some}, which 32 bits do not hold. Where it is an id or leads to one, leave \`keys: int\` out of \`storage\` in schema.yaml, and the other ids become numbers of 64 bits; else call its type \`bigint\` there.`;
}

/** How to convert values of one type to another, losing only what `words` describe; undefined if that is impossible. */
function findCast(from, to, enums) {
  const [was, is] = [readType(from), readType(to)];
  if (texts.test(was.base) && texts.test(is.base)) {
    return { rewrites: is.size !== undefined && !(was.size !== undefined && was.size <= is.size) };
  }
  if (was.base === 'character' && texts.test(is.base)) {
    return { rewrites: true, words: ', without the blanks at its end' };
  }
  if (enums.has(from) && texts.test(is.base)) {
    return { rewrites: true, using: (column) => `${column}::text` };
  }
  const isRounded = (was.size ?? 6) > (is.size ?? 6);
  const precise = isRounded ? ', to the millisecond' : '';
  if (was.base === `timestamp${zoneless}` && is.base === `timestamp${zoned}`) {
    return { rewrites: true, using: inUtc, words: `, read as UTC${precise}` };
  }
  if (was.base === `timestamp${zoned}` && is.base === `timestamp${zoneless}`) {
    return { rewrites: true, using: inUtc, words: `, in UTC${precise}` };
  }
  if (was.base === is.base && is.base.startsWith('time'))
    return { rewrites: isRounded, words: precise };
  if (was.base === is.base && is.base === 'numeric') return numericCast(was, is);
  const isWider = wholes.includes(from) && wholes.indexOf(from) < wholes.indexOf(to);
  if (isWider || isNarrowed(from, to)) return { rewrites: true };
  if (was.base === 'real' && is.base === 'double precision') {
    return { rewrites: true, using: (column) => `${column}::text::double precision` };
  }
  if (was.base === 'json' && is.base === 'jsonb') return { rewrites: true };
  if (was.base === 'character varying[]' && is.base === 'text[]') return { rewrites: true };
  if (enums.has(from.replace('[]', '')) && to === 'text[]') {
    return { rewrites: true, using: (column) => `${column}::text[]` };
  }
  if (from.endsWith('[]') && to === 'jsonb') {
    return { rewrites: true, using: (column) => `to_jsonb(${column})` };
  }
  return was.base === is.base && was.size === is.size ? { rewrites: false } : undefined;
}

const inUtc = (column) => `${column} AT TIME ZONE 'UTC'`;

function numericCast(was, is) {
  const [digits, more] = [was.scale, is.scale ?? 0];
  if (digits !== undefined && digits <= more) return { rewrites: digits < more };
  return digits === undefined
    ? { rewrites: true, words: `, rounded to ${more} digits behind the point` }
    : undefined;
}

/** `timestamp(3) with time zone`, `character varying(80)[]`, `numeric(8,2)` */
function readType(type) {
  const [digits, size, scale] = /\((\d+)(?:,(\d+))?\)/.exec(type) ?? [];
  const base = type.replace(digits ?? '', '');
  const sizes = [size, scale].map((it) => (it === undefined ? undefined : Number(it)));
  return { base, size: sizes[0], scale: sizes[1] };
}

// take-columns

/** One statement for each table, which is rewritten at most once. */
async function changeColumns(client, tables, both) {
  const { rows } = await client.query(
    `select format_type(oid, null) as name from pg_type where typtype = 'e'`,
  );
  const enums = new Set(rows.map(({ name }) => name));
  const changed = [];
  for (const table of tables) changed.push(await changeTable(client, table, { ...both, enums }));
  return changed;
}

async function changeTable(client, table, { expected, found, enums }) {
  const [columns, there] = [
    listParts(expected, 'column', table),
    listParts(found, 'column', table),
  ];
  const isUser = isTakenUser({ expected, found }, table);
  const changes = [];
  const retyped = [];
  const obstacles = isUser ? await userObstacles(client, table, { expected, there }) : [];
  for (const column of columns) {
    const result = await changeColumn(client, column, { table, there, isUser, enums });
    const changed = result.filter((it) => typeof it !== 'string');
    if (changed.some((change) => change.isRetyped)) retyped.push(column.name);
    changes.push(...changed);
    obstacles.push(...result.filter((it) => typeof it === 'string'));
  }
  const isZoned = changes.some((change) => change.isZoned);
  const key = await changedKey(client, table, { expected, found });
  obstacles.push(...key.obstacles);
  const letters = isUser ? smallLetters(table, there) : [];
  const steps = makeSteps(table, [...key.changes, ...changes, ...letters]);
  const isRekeyed = key.changes.length > 0;
  const types = listEnums(columns, there, enums);
  return { table, obstacles, retyped, isZoned, isRekeyed, enums: types, steps };
}

/** Its changes; texts say what stands in the way. */
async function changeColumn(client, { name, definition }, { table, there, isUser, enums }) {
  const old = there.find((it) => it.name === name)?.definition;
  if (old === definition || (old !== undefined && isTheirDefault(definition, old))) return [];
  if (old === undefined) {
    const added = addedColumn({ name, definition }, { table, there, isUser });
    if (added !== undefined) return [added];
    const isEmpty = (await rowsIn(client, table)) === 0;
    return [isEmpty ? newColumn(name, definition) : lacking(table, name)];
  }
  const [was, is] = [readShape(old), readShape(definition)];
  const found = [changedColumn(name, { table, was, is, enums })];
  if (isNarrowed(was.type, is.type)) {
    const beyond = `where ${quoteName(name)} not between -2147483648 and 2147483647`;
    const rows = await rowsIn(client, table, beyond);
    if (rows > 0) found.push(tooLarge(table, name, rows));
  }
  if (was.required || !is.required) return found;
  if (isUser && name === 'password') return [...found, filledPassword(table, there)];
  const rows = await rowsIn(client, table, `where ${quoteName(name)} is null`);
  const isMoment = is.type.startsWith('timestamp');
  if (rows === 0) return found;
  return [...found, withoutValue({ table, column: name, rows, isUser, isMoment })];
}

/** Enum types of columns that are texts here. */
function listEnums(columns, there, enums) {
  const types = columns.flatMap(({ name, definition }) => {
    const old = there.find((it) => it.name === name);
    const [was, is] = [old?.definition, definition].map((it) => it && readShape(it).type);
    return was === undefined || was === is ? [] : [was.replace('[]', '')];
  });
  return [...new Set(types)].filter((type) => enums.has(type));
}

async function userObstacles(client, table, { expected, there }) {
  const obstacles = [];
  if (there.some(({ name }) => name === 'email')) {
    const { rows } = await client.query(sharedAddresses(quoteName(table)));
    obstacles.push(...sharedAddress(table, Number(rows[0]?.count)));
  }
  const roles = rolesIn(quoteName(table), there, (name) => `${quoteName(name)}::text`);
  if (roles !== undefined) {
    const { rows } = await client.query(roles);
    const check = listParts(expected, 'constraint', table)
      .map(({ definition }) => definition)
      .find((it) => it.startsWith('CHECK ((role = '));
    obstacles.push(
      ...unknownRoles(
        table,
        rows.map(({ role }) => role),
        check,
      ),
    );
  }
  return obstacles;
}

/** The password of users who have none. */
function filledPassword(table, there) {
  const statement = `UPDATE ${quoteName(table)} SET password = ${passwordFrom(there, quoteName)} WHERE password IS NULL;`;
  return { clauses: [], words: '', rewrites: false, before: [statement] };
}

function smallLetters(table, there) {
  const columns = inSmallLetters(there, quoteName);
  if (columns.length === 0) return [];
  return [
    {
      clauses: [],
      words: `${columns.map(({ name }) => name).join(' and ')} in small letters`,
      rewrites: false,
      after: columns.map(
        ({ name, value }) =>
          `UPDATE ${quoteName(table)} SET ${quoteName(name)} = ${value} WHERE ${quoteName(name)} <> ${value};`,
      ),
    },
  ];
}

async function rowsIn(client, table, where = '') {
  const { rows } = await client.query(
    `select count(*) as rows from (select from ${quoteName(table)} ${where} limit 1000000) as found`,
  );
  return Number(rows[0]?.rows);
}

function makeSteps(table, changes) {
  if (changes.length === 0) return [];
  const words = changes.map((change) => change.words).filter((it) => it !== '');
  const rewrites = changes.some((change) => change.rewrites);
  const way = rewrites ? 'is rewritten, and nobody can use it meanwhile' : 'changes';
  const clauses = changes.flatMap((change) => change.clauses);
  return [
    {
      title: `${table} ${way}: ${words.join(', ')}.`,
      statements: [
        ...changes.flatMap(({ before = [] }) => before),
        `ALTER TABLE ${quoteName(table)}\n  ${clauses.join(',\n  ')};`,
        ...changes.flatMap(({ after = [] }) => after),
      ],
    },
  ];
}

/** Replaces a primary key of other columns, if `id` is new or was only a part of it. */
async function changedKey(client, table, { expected, found }) {
  const object = `primary key of ${table}`;
  const key = expected.get(object);
  if (key === undefined || found.get(object) === key) return { changes: [], obstacles: [] };
  const { rows } = await client.query(
    `select conname as name from pg_constraint where conrelid = to_regclass($1) and contype = 'p'`,
    [quoteName(table)],
  );
  const drops = rows.map(({ name }) => `DROP CONSTRAINT ${quoteName(name)}`);
  const columns = key.replace(/^PRIMARY KEY \((.*)\)$/, '$1');
  const words = `its key is ${columns}`;
  const isThere = columns.split(', ').every((it) => found.has(`column ${table}.${it}`));
  const isTwice =
    isThere && (await rowsIn(client, table, `group by ${columns} having count(*) > 1`)) > 0;
  return {
    changes: [{ clauses: [...drops, `ADD ${key}`], words, rewrites: false }],
    obstacles: isTwice ? [sharedKey(table, columns)] : [],
  };
}

// take-types

/** Creates missing enum types, and adds missing values to existing ones. */
async function changeTypes(client, expected) {
  const wanted = [...expected].filter(([object]) => object.startsWith('type '));
  const { rows } = await client.query(`
    select typname as name, typtype = 'e' as "isEnum",
      array(select quote_literal(enumlabel) from pg_enum where enumtypid = pg_type.oid) as labels
    from pg_type where typnamespace = quote_ident(current_schema())::regnamespace`);
  const changes = wanted.map(([object, labels]) => {
    const name = object.slice('type '.length);
    const there = rows.find((row) => row.name === name);
    if (there === undefined) {
      const statement = `CREATE TYPE ${quoteName(name)} AS ENUM (${labels});`;
      return { steps: [{ title: `The type ${name} is new.`, statements: [statement] }] };
    }
    return there.isEnum ? addLabels(there, labels.match(literal) ?? [], expected) : nameTaken(name);
  });
  return {
    steps: changes.flatMap(({ steps = [] }) => steps),
    obstacles: changes.flatMap(({ obstacles = [] }) => obstacles),
  };
}

function nameTaken(name) {
  return {
    obstacles: [
      `The database has a table or a type ${name}, so no enum can be a type of that name. Give it another one in schema.yaml, under \`storage: { enums: { … } }\`.`,
    ],
  };
}

function addLabels({ name, labels: found }, listed, expected) {
  const absent = listed.filter((label) => !found.includes(label));
  const unknown = found.filter((label) => !listed.includes(label));
  const used = absent.filter((label) => isUsed(`${label}::${name}`, expected));
  const add = (label) => `ALTER TYPE ${quoteName(name)} ADD VALUE ${label};`;
  const steps =
    absent.length === 0 || used.length > 0
      ? []
      : [{ title: `The type ${name} gets ${absent.join(', ')}.`, statements: absent.map(add) }];
  const obstacles = [];
  if (used.length > 0) {
    obstacles.push(
      `The type ${name} lacks ${used.join(', ')}, which a default or an index uses, and PostgreSQL can use a new value only after the transaction that adds it. Run \`${used.map(add).join(' ')}\` first.`,
    );
  }
  if (unknown.length > 0) {
    obstacles.push(
      `The type ${name} has ${unknown.join(', ')}, which schema.yaml does not have. Add it to the enum there.`,
    );
  }
  return { steps, obstacles };
}

/** Whether a default, a constraint or the condition of an index uses it. */
function isUsed(value, expected) {
  return [...expected.values()].some((definition) =>
    definition.replaceAll('"', '').includes(value),
  );
}

const literal = /E?'(?:[^']|'')*'/g;

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

function planTakeover(url, sql) {
  return withClient(url, async (client) =>
    planIn(client, { ...(await readBothSchemas(client, sql)), made: statementsIn(sql) }),
  );
}

async function planIn(client, scope) {
  const { expected, found, made } = scope;
  const tables = sharedTables(expected, found);
  const types = await changeTypes(client, expected);
  const changed = await changeColumns(client, tables, scope);
  const keys = recreateKeys(found, changed);
  const differences = compareSchemas(expected, found);
  const retyped = changed.flatMap((it) => (it.retyped.length > 0 ? [it.table] : []));
  const views = await recreateViews(client, retyped);
  const pairs = pairSteps({ ...scope, keysIn: pairKeys, named: quoteName });
  const objects = objectSteps(differences, scope);
  return {
    tables,
    own: objects.own,
    obstacles: [
      ...missingModels(expected, found),
      ...types.obstacles,
      ...changed.flatMap(({ obstacles }) => obstacles),
      ...tables.flatMap((table) => unfilled(table, scope)),
      ...views.obstacles,
      ...listObstacles(found, changed),
      ...pairs.obstacles,
      ...differences.filter(isInTheWay).map(describeDifference),
    ],
    steps: [
      ...views.before,
      ...keys.before,
      ...types.steps,
      ...changed.flatMap(({ steps }) => steps),
      ...tableSteps(made, scope),
      ...pairs.steps,
      ...objects.steps,
      ...keys.after,
      ...views.after,
    ],
  };
}

/** What becomes of constraints, indexes and triggers, and which of them are the owner's and stay. */
function objectSteps(differences, scope) {
  const rules = constraintSteps(differences, scope);
  const indexes = indexSteps(differences, scope);
  const left = [...rules.own.filter((it) => !indexes.replaced.includes(it)), ...indexes.own];
  return {
    own: differences.filter((it) => isLeft(it, left)).map(({ object }) => object),
    steps: [
      ...rules.made,
      ...renameSteps([...rules.renamed, ...indexes.renamed]),
      ...indexes.made,
      ...totalSteps(differences, scope),
    ],
  };
}

function pairKeys(known, table) {
  const key = known.get(`primary key of ${table}`) ?? '';
  const keys = listParts(known, 'constraint', table).flatMap(({ definition }) => {
    const [, column, target] =
      /^FOREIGN KEY \(([^,)]+)\) REFERENCES ([^(]+)\(/.exec(definition) ?? [];
    if (column === undefined || target === undefined) return [];
    return [{ column: column.replaceAll('"', ''), target, place: key.indexOf(column) }];
  });
  return keys.toSorted(
    (left, right) => left.place - right.place || (left.column < right.column ? -1 : 1),
  );
}

/** Whether a constraint or index is one of those that remain. */
function isLeft(difference, left) {
  const hasName = isRule(difference) || difference.object.startsWith('index ');
  return difference.kind === 'extra' && (!hasName || left.includes(difference));
}

/** Whether no statement of the takeover can fix a difference. */
function isInTheWay({ kind, object }) {
  return kind === 'different' && object.startsWith('table ');
}

/** Renames constraints that exist under another name, and recreates keys that behave differently. */
function constraintSteps(differences, { found }) {
  const renamed = [];
  const made = [];
  const spare = new Set(differences.filter((it) => it.kind === 'extra' && isRule(it)));
  for (const wanted of differences.filter((it) => it.kind !== 'extra' && isRule(it))) {
    const [table, name] = splitPlace(wanted.object);
    if (!found.has(`table ${table}`)) continue;
    const { expected = '' } = wanted;
    const ofTable = [...spare].filter(({ object }) => splitPlace(object)[0] === table);
    const same = ofTable.find((it) => it.found === expected);
    const old = wanted.kind === 'different' ? wanted : (same ?? keyLike(ofTable, expected));
    if (old !== undefined) spare.delete(old);
    const [, former] = splitPlace(old?.object ?? '');
    const alter = `ALTER TABLE ${quoteName(table)}`;
    if (old !== undefined && old === same) {
      const statement = `${alter} RENAME CONSTRAINT ${quoteName(former)} TO ${quoteName(name)};`;
      renamed.push({ former, name, statement });
    } else {
      const drop = old === undefined ? [] : [`${alter} DROP CONSTRAINT ${quoteName(former)};`];
      made.push({
        title: `${table} keeps to ${name}${old === undefined ? '' : `, in place of ${former}`}: ${expected}.`,
        statements: [...drop, `${alter} ADD CONSTRAINT ${quoteName(name)} ${expected};`],
      });
    }
  }
  return { renamed, made, own: [...spare] };
}

function renameSteps(renamed) {
  if (renamed.length === 0) return [];
  const names = renamed.map(({ former, name }) => `${former} is ${name}`);
  return [
    {
      title: `Other names: ${names.join(', ')}.`,
      statements: renamed.map(({ statement }) => statement),
    },
  ];
}

/** A key of the same columns to the same table, whatever its rules for deletes and updates. */
function keyLike(differences, definition) {
  const key = /^FOREIGN KEY \(.*?\) REFERENCES [^(]+\(.*?\)/.exec(definition)?.[0];
  return key === undefined ? undefined : differences.find((it) => it.found?.startsWith(key));
}

const isRule = ({ object }) => object.startsWith('constraint ');

/** `constraint posts.posts_title_check` → the table and the name. */
function splitPlace(object) {
  const [, table = '', name = ''] = /^\w+ (.*?)\.(.*)$/.exec(object) ?? [];
  return [table, name];
}

/** Indexes of existing tables. */
function indexSteps(differences, { found }) {
  const renamed = [];
  const made = [];
  const replaced = [];
  const ofIndexes = differences.filter(({ object }) => object.startsWith('index '));
  const spare = new Set(ofIndexes.filter(({ kind }) => kind === 'extra'));
  for (const { kind, object, expected = '' } of ofIndexes.filter((it) => it.kind !== 'extra')) {
    const table = placeIn(expected);
    if (!found.has(`table ${table}`)) continue;
    const name = object.slice('index '.length);
    const same = [...spare].find((it) => nameless(it.found) === nameless(expected));
    const former = same?.object.slice('index '.length) ?? '';
    const rule = differences.find((it) => it.object === `constraint ${table}.${former}`);
    if (same !== undefined) spare.delete(same);
    if (rule !== undefined) replaced.push(rule);
    if (rule !== undefined && !isAsUnique(rule.found)) {
      made.push({
        title: `${table}: the index ${name} takes the place of the constraint ${former}.`,
        statements: [
          `${expected};`,
          `ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(former)};`,
        ],
      });
    } else if (same !== undefined && kind === 'missing') {
      const statement = `ALTER INDEX ${quoteName(former)} RENAME TO ${quoteName(name)};`;
      renamed.push({ former, name, statement });
    } else {
      const drop = kind === 'different' ? [`DROP INDEX ${quoteName(name)};`] : [];
      made.push({
        title: `${table} gets the index ${name}; nobody writes to it meanwhile.`,
        statements: [...drop, `${expected};`],
      });
    }
  }
  return { renamed, made, own: [...spare], replaced };
}

/** An index without its name: `CREATE UNIQUE INDEX … ON posts USING btree (slug)`. */
function nameless(definition = '') {
  return definition.replace(/ INDEX ("[^"]+"|\S+) ON /, ' INDEX ON ');
}

function totalSteps(differences, { expected, found, made }) {
  const ofKind = (start) =>
    differences.filter(({ kind, object }) => kind !== 'extra' && object.startsWith(start));
  const functions = ofKind('function ');
  const setUp = made.filter((it) => /^(?:CREATE FUNCTION|DO) /.test(it));
  const triggers = ofKind('trigger ').map((it) => `${it.expected};`);
  const counted = untotalled(expected, found).map(
    (table) => `INSERT INTO row_counts (name) VALUES (${quoteText(table)});`,
  );
  const statements = [...(functions.length > 0 ? setUp : []), ...triggers, ...counted];
  if (statements.length === 0) return [];
  return [
    { title: 'Triggers keep how many rows each table has: all are counted once.', statements },
  ];
}
