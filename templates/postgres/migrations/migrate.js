// The program that applies migrations, made by scaffold and replaced as a whole when it is newer: not to be edited.
// `node migrations/migrate.js migrate|status|baseline|rollback|squash`, with DATABASE_URL; the server and its commands call it, too.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, DatabaseError } from 'pg';

// history

/** A migration cannot be applied, and the database is unchanged. The message is for the person who runs it. */
class MigrationError extends Error {
  name = 'MigrationError';
}

function compareHistory({ migrations }, applied) {
  const checksums = new Map(applied.map(({ id, checksum }) => [id, checksum]));
  const pending = migrations.filter(({ id }) => !checksums.has(id));
  const known = new Set([
    ...migrations.map(({ id }) => id),
    ...migrations.flatMap(({ replaces }) => replaces),
  ]);
  return {
    applied: migrations.filter(({ id }) => checksums.has(id)).map(({ id }) => id),
    pending: pending.map(({ id }) => id),
    unknown: [...checksums.keys()].filter((id) => !known.has(id)).toSorted(),
    altered: migrations
      .filter(({ id, up, formerly }) => {
        const checksum = checksums.get(id);
        return checksum !== undefined && ![up.checksum, ...formerly].includes(checksum);
      })
      .map(({ id }) => id),
  };
}

function describeUnderWay({ id, command, done }) {
  return `${id} is under way: \`npm run ${command}\` ended after step ${done} of it. Run that again first, with migrations/${id}/ as it was then.`;
}

/** The next migration; `undefined` if all are applied. */
function nextRun(history, applied) {
  const pending = listPending(history, applied);
  const run = insteadRun(pending, applied) ?? upRun(pending);
  if (run === undefined) return undefined;
  return { ...run, schema: pending.length === run.adds.length ? history.schema : undefined };
}

/** Rolls back the last migration. `restore`: what to do if that is impossible. */
function backRun(history, { migrations: applied, underWay }, restore) {
  if (underWay?.command === 'db:migrate') throw new MigrationError(describeUnderWay(underWay));
  const pending = listPending(history, applied);
  const [unknown] = compareHistory(history, applied).unknown;
  if (unknown !== undefined) {
    throw new MigrationError(
      `${unknown} was applied by newer code: take it back with that. Nothing was changed.`,
    );
  }
  const last = history.migrations.findLast((migration) => !pending.includes(migration));
  if (last === undefined) throw new MigrationError('No migration is applied.');
  const { id, parent, down } = last;
  if (parent === null) {
    throw new MigrationError(
      `${id} made the tables: to take it back would delete all that is in them.`,
    );
  }
  if (down !== undefined) return { ...makeRun(last, down), removes: [id] };
  throw new MigrationError(
    `${id} has no down.sql, because something would be lost on the way back. Go back by another migration, or ${restore(id)}`,
  );
}

function upRun(pending) {
  const [next] = pending;
  return next && { ...makeRun(next, next.up), adds: [appliedAs(next)] };
}

/** Brings a database that has migrations of another branch to the point where the branches were joined. */
function insteadRun(pending, applied) {
  const ids = new Set(applied.map(({ id }) => id));
  const joint = pending.findLast(({ replaces }) => replaces.some((id) => ids.has(id)));
  if (joint === undefined) return undefined;
  if (joint.instead === undefined) {
    throw new MigrationError(
      `migrations/${joint.id}/instead.sql is missing, and this database needs it: restore it. Nothing was changed.`,
    );
  }
  const missing = joint.replaces.filter((id) => !ids.has(id));
  if (missing.length > 0) {
    throw new MigrationError(
      `${joint.id} stands for ${joint.replaces.join(', ')}, and this database has only a part of them. Apply ${missing.join(', ')} with the code that has them, then come back. Nothing was changed.`,
    );
  }
  return {
    ...makeRun(joint, joint.instead),
    adds: pending.slice(0, pending.indexOf(joint) + 1).map(appliedAs),
    removes: joint.replaces,
  };
}

function rowChecks(hazards) {
  return hazards.flatMap(({ count, ...hazard }) =>
    count === undefined ? [] : [{ ...hazard, count }],
  );
}

function makeRun({ id, replaces }, { hazards, ...script }) {
  const isJoint = replaces.length > 0;
  const checks = rowChecks(hazards);
  return { ...script, id, isJoint, checks, adds: [], removes: [], schema: undefined };
}

function appliedAs({ id, up, isAdditive }) {
  return { id, checksum: up.checksum, additive: isAdditive ? 1 : 0 };
}

/** Refuses a table of this name that belongs to another tool, such as Rails. */
function refuseForeignRecord(columns) {
  if (columns.length === 0 || columns.includes('checksum')) return;
  throw new MigrationError(
    'The table schema_migrations belongs to another tool, and the record of migrations needs that name. Once that tool no longer migrates this database, rename it: `alter table schema_migrations rename to former_schema_migrations`. Nothing was changed.',
  );
}

/** Throws a MigrationError if the histories do not agree. */
function listPending(history, applied) {
  const { pending, unknown, altered } = compareHistory(history, applied);
  const additions = new Set(applied.filter(({ additive }) => additive === 1).map(({ id }) => id));
  // An older release may run with additions of a newer one, but applies nothing after them.
  const isOlder = pending.length === 0 && unknown.every((id) => additions.has(id));
  if (unknown.length > 0 && !isOlder) {
    throw new MigrationError(
      `The database has migrations that this code does not have: ${unknown.join(', ')}. Run the code that made them, or bring their folders into migrations/. Nothing was changed.`,
    );
  }
  if (altered.length > 0) {
    throw new MigrationError(
      `Migrations were edited after they had been applied: ${altered.join(', ')}. Restore them, and put the change into a new one. Nothing was changed.`,
    );
  }
  return history.migrations.filter(({ id }) => pending.includes(id));
}

// checks

/** Reports the rows that the checks of a migration have found. Throws if they stop it. */
function reportRows({ id, adds, isJoint }, checks) {
  const found = checks.filter(({ rows }) => rows > 0);
  const stopping = found.filter(({ stops }) => stops);
  if (stopping.length === 0) return found.map((check) => `${id}: ${describeRows(check)}`);
  const isBack = adds.length === 0;
  const what = isBack ? `${id} cannot be rolled back` : `Migration ${id} cannot be applied`;
  const backfill = !isBack && !isJoint && stopping.some(isFilled) ? filling : '';
  throw new MigrationError(
    [
      `${what} because of rows in the database; nothing was changed:`,
      ...stopping.map((check) => `  ${describeRows(check)}`),
      `Change those rows; ${backfill}or write into migrations/${id}/${isBack ? 'down' : 'up'}.sql what becomes of them: SQL that you have edited is not stopped.`,
    ].join('\n'),
  );
}

const filling = 'or give the field a `backfill` in schema.yaml and run `scaffold regenerate`; ';

/** A value for all rows does not help with duplicates or dangling keys; the schema has no place for one of a role. */
function isFilled({ code, target }) {
  const isRole = code === 'SCF415' && target.startsWith('Role.');
  return code !== 'SCF423' && code !== 'SCF425' && !isRole;
}

function describeRows({ code, target, message, rows }) {
  return `${code} ${target}, ${rows === 1 ? '1 row' : `${rows} rows`}: ${message}`;
}

/** Sorted by the names of objects. Leaves out parts of tables that the schema does not have. */
function compareSchemas(expected, found) {
  const isOwn = (name) => found.has(`table ${name}`) && !expected.has(`table ${name}`);
  const objects = [...new Set([...expected.keys(), ...found.keys()])].toSorted();
  return objects.flatMap((object) => {
    const [, table = ''] = /^(?!table|index)[a-z ]+ (.+?)(?:[.:]|$)/.exec(object) ?? [];
    if (isOwn(table)) return [];
    const [was, is] = [expected.get(object), found.get(object)];
    if (was !== undefined && is !== undefined && inOrder(was) === inOrder(is)) return [];
    if (was !== undefined && is !== undefined && isTheirDefault(was, is)) {
      const own = object.replace('column ', 'default of ');
      const initial = is.slice(filledBase(was).length + 1);
      return initial === '' ? [] : [{ kind: 'extra', object: own, found: initial }];
    }
    if (is === undefined) return [{ kind: 'missing', object, ...(was && { expected: was }) }];
    const [, name] = /^constraint .*?\.(.*)$/.exec(object) ?? [];
    if (expected.has(`index ${name}`) && isAsUnique(is)) return [];
    if (was === undefined) return [{ kind: 'extra', object, ...(is && { found: is }) }];
    return [{ kind: 'different', object, expected: was, found: is }];
  });
}

/** Whether a constraint of another program does the same as its index. */
const isAsUnique = (rule = '') => /^UNIQUE (?!.* DEFERRABLE)/.test(rule);

/**
 * Whether a column only differs in its default: a value, or a generated number. The server never leaves out a required
 * value, except for a time.
 */
function isTheirDefault(expected, found) {
  const base = filledBase(expected);
  const isMore = [' default ', ' generated by default '].some((it) => found.startsWith(base + it));
  return found === base || (isMore && (base !== expected || expected.endsWith(' not null')));
}

/** The column without a default that the server does not need. */
const filledBase = (expected) => expected.replace(/ default now\(\)$/, '');

const listedTexts = /'(?:[^']|'')*'(?:::text)?(?:, '(?:[^']|'')*'(?:::text)?)+/g;

/** The order of values in a check makes no difference. */
function inOrder(definition) {
  return definition.replace(listedTexts, (texts) =>
    (texts.match(/'(?:[^']|'')*'/g) ?? []).toSorted().join(', '),
  );
}

/** What the owner has added is no drift, but anything missing or different is. */
function isDrift({ kind }) {
  return kind !== 'extra';
}

/** A line for each difference, and one for everything that the owner has added. */
function describeDrift(differences) {
  const own = differences.filter((difference) => !isDrift(difference)).map(({ object }) => object);
  return [
    ...differences.filter(isDrift).map(describeDifference),
    ...(own.length > 0 ? [`Yours, beside migrations/schema.sql: ${own.join(', ')}.`] : []),
  ];
}

function describeDifference({ kind, object, expected, found }) {
  if (kind === 'missing') return `The ${object} is missing${expected ? `: ${expected}` : ''}.`;
  return `The ${object} is \`${found}\` and not \`${expected}\`.`;
}

/** Throws if the database differs from what the code expects. */
function refuseDrift(differences) {
  const drift = differences.filter(isDrift).map(describeDifference);
  if (drift.length === 0) return;
  throw new Error(
    [
      'The database would not be what migrations/schema.sql says:',
      ...drift.map((line) => `  ${line}`),
      'If the SQL was edited, correct it; if the database was changed by hand, take that change back there.',
    ].join('\n'),
  );
}

// digest

/** The SHA-256 of a content, in the form used by records, journals and migrations. */
function digest(content) {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

// without-comments

/** Adding a comment is not an edit; the lines that tell the runner how to run a step are not comments. */
function withoutComments(sql) {
  const lines = sql.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '' && !remark.test(line)).join('\n');
}

const remark = /^--(?! step | then )/;

// read

/** The folder of this program. */
const migrationsFolder = fileURLToPath(new URL('.', import.meta.url));

/** Reads migrations, each after its parent. Throws a MigrationError if they do not form a single chain. */
function readMigrations(folder = migrationsFolder) {
  const ids = readdirSync(folder)
    .filter((id) => existsSync(join(folder, id, 'up.sql')))
    .toSorted();
  return chain(ids.map((id, index) => readMigration(join(folder, id), id, ids[index - 1])));
}

/** Reads the `meta.json` of a migration that is not in `migrations/` yet. */
function readDraft(file) {
  if (!existsSync(file)) throw new MigrationError(`There is no file ${file}.`);
  const { id = 'draft', hazards = [] } = readMeta(file);
  return { id, hazards };
}

/** The SQL of all tables after the last migration. */
function readSchemaSql(folder = migrationsFolder) {
  return readText(join(folder, 'schema.sql'));
}

/** A migration without `meta.json` was written by hand and follows the one before it by name. */
function readMigration(folder, id, previous) {
  const meta = readMeta(join(folder, 'meta.json'));
  const script = (name, precautions = {}) =>
    readScript(join(folder, name), precautions, [meta.checksums?.[name], meta.statements?.[name]]);
  const up = script('up.sql', meta);
  if (up === undefined) throw new MigrationError(`migrations/${id}/up.sql is missing.`);
  return {
    id,
    parent: meta.parent === undefined ? (previous ?? null) : meta.parent,
    up,
    down: script('down.sql', meta.down ?? { tables: reversed(meta.tables) }),
    formerly: meta.formerly ?? [],
    replaces: meta.replaces ?? [],
    instead: script('instead.sql', meta.instead),
    isAdditive: meta.additive === true && !up.isEdited,
  };
}

function readMeta(file) {
  const text = readText(file);
  if (text === undefined) return {};
  try {
    const meta = JSON.parse(text);
    return meta;
  } catch (cause) {
    throw new MigrationError(`${file} is not JSON. Restore it.`, { cause });
  }
}

/** Rows are also counted for edited SQL, but do not stop it. */
function readScript(file, { hazards = [], backup = false, tables = {}, rebuilt = {} }, written) {
  const text = readText(file);
  if (text === undefined) return undefined;
  // SQLite would silently stop reading there.
  if (text.includes('\0')) throw new MigrationError(`${file} holds a NUL character. Remove it.`);
  const checksum = digest(text);
  // PostgreSQL would read a byte-order mark as part of the first word.
  const sql = text.replace(/^\uFEFF/, '');
  const isEdited = ![checksum, digest(withoutComments(text))].some((it) => written.includes(it));
  const counted = isEdited ? hazards.map((hazard) => ({ ...hazard, stops: false })) : hazards;
  const data = dataFiles(join(file, '../../..'), sql);
  return { sql, checksum, data, isEdited, hazards: counted, backup, tables, rebuilt };
}

/** `-- then src/database/data/0008_fill_slugs.ts`; a baseline may have several. */
function dataFiles(project, sql) {
  const names = sql.matchAll(/^-- then src\/(database\/data\/.+)\.ts$/gm);
  return [...names].map(([, name]) => ({
    source: join(project, `src/${name}.ts`),
    built: join(project, `dist/${name}.js`),
  }));
}

/** Line ends may differ between checkouts. In SQL, they are `\n`, so that neither a checksum nor a value changes. */
function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined;
}

function reversed(tables = {}) {
  return Object.fromEntries(Object.entries(tables).map(([before, after]) => [after, before]));
}

function chain(migrations) {
  const ordered = [];
  for (;;) {
    const last = ordered.at(-1)?.id ?? null;
    const [next, other] = migrations.filter(({ parent }) => parent === last);
    if (next === undefined) break;
    if (other !== undefined) throw new MigrationError(fork(last, [next.id, other.id]));
    ordered.push(next);
  }
  const [lost] = migrations.filter((migration) => !ordered.includes(migration));
  if (lost === undefined) return ordered;
  throw new MigrationError(
    `migrations/${lost.id} follows ${lost.parent}, which is not in migrations/ or follows nothing itself. Restore what is missing there, or run \`scaffold regenerate\`.`,
  );
}

function fork(parent, ids) {
  const place = parent === null ? 'come first' : `follow ${parent}`;
  return `Two migrations ${place}: ${ids.join(' and ')}. Both were made on branches that are merged now; \`scaffold regenerate\` puts them in order.`;
}

// squash

/**
 * Makes the last generated migration create the whole database, and removes those before it. A database that has all of
 * them stays as it is. One that lacks only the last one runs what that was before.
 */
function squashMigrations(folder = migrationsFolder) {
  const migrations = readMigrations(folder);
  const isGenerated = ({ id }) => existsSync(join(folder, id, 'schema.yaml'));
  const last = migrations.findLast(isGenerated);
  const schema = readSchemaSql(folder);
  if (last === undefined || last.parent === null) {
    throw new MigrationError('There is only one migration: there is nothing to put together.');
  }
  if (schema === undefined)
    throw new MigrationError('migrations/schema.sql is missing: restore it.');
  if (last.instead !== undefined) {
    throw new MigrationError(
      `${last.id} joins two branches, and databases of one of them need its instead.sql. Do this after the next migration.`,
    );
  }
  const removed = migrations.slice(0, migrations.indexOf(last));
  const own = removed.filter((migration) => !isGenerated(migration));
  writeBaseline(folder, { last, removed, sql: baselineSql(last, schema, own) });
  for (const { id } of removed) rmSync(join(folder, id), { recursive: true });
  const edited = removed.filter((migration) => isGenerated(migration) && migration.up.isEdited);
  return { id: last.id, removed: listIds(removed), own: listIds(own), edited: listIds(edited) };
}

function baselineSql({ id }, schema, own) {
  const parts = own.map((migration) => `-- Of ${migration.id}:\n${migration.up.sql.trim()}\n`);
  const all = [`-- All that a database has after ${id}.\n\n${schema.trim()}\n`, ...parts];
  return inSteps(all).join('\n');
}

const stepLine = /^-- step \d+ of \d+: /m;

/** On PostgreSQL, if one of the owner's migrations has steps, the whole script needs them. */
function inSteps(parts) {
  if (!parts.some((part) => stepLine.test(part))) return parts;
  const steps = parts.flatMap((part) =>
    stepLine.test(part)
      ? part.split(/^(?=-- step (?!1 )\d+ of \d+: )/m)
      : [`-- step 1 of 1: one transaction\n${part}`],
  );
  return steps.map((step, index) =>
    step.replace(stepLine, `-- step ${index + 1} of ${steps.length}: `),
  );
}

function writeBaseline(folder, { last, removed, sql }) {
  const home = join(folder, last.id);
  const { down: _, additive: __, statements: ___, ...meta } = readMeta(join(home, 'meta.json'));
  const { hazards, backup, tables, rebuilt } = meta;
  const facts = {
    ...meta,
    parent: null,
    formerly: [...last.formerly, last.up.checksum],
    replaces: removed.flatMap(({ id, replaces }) => [...replaces, id]),
    hazards: [],
    backup: false,
    tables: {},
    rebuilt: {},
    instead: { hazards, backup, tables, rebuilt },
    checksums: {
      ...meta.checksums,
      'up.sql': digest(sql),
      'instead.sql': meta.checksums?.['up.sql'],
    },
  };
  const former = readFileSync(join(home, 'up.sql'), 'utf8');
  writeFileSync(join(home, 'instead.sql'), former);
  writeFileSync(join(home, 'up.sql'), sql);
  writeFileSync(join(home, 'meta.json'), `${JSON.stringify(facts, null, 2)}\n`);
  rmSync(join(home, 'down.sql'), { force: true });
}

function listIds(migrations) {
  return migrations.map(({ id }) => id);
}

// commands

/** The commands with their arguments. */
const commands = {
  migrate: { usage: ' [--wait <seconds>]', run: runMigrate },
  status: { usage: ' [--json] [--draft <meta.json>]', run: runStatus },
  baseline: { usage: ' [--apply]', run: runBaseline },
  rollback: { usage: '', run: runRollback },
  squash: { usage: '', run: runSquash },
};

/** The command was called in a wrong way. */
class UsageError extends Error {
  name = 'UsageError';
}

/**
 * Runs a command with its arguments, prints the result and returns the exit status. Throws errors that are not the
 * user's.
 */
async function runCommand(name, call) {
  const { usage, run } = commands[name];
  try {
    return await run(call);
  } catch (error) {
    if (error instanceof UsageError) {
      warn(`${error.message}\nUsage: ${name}${usage}`);
      return 2;
    }
    if (error instanceof MigrationError) warn(error.message);
    else if (call.runner.isUnavailable(error) && error instanceof Error) {
      warn(`The database does not answer: ${error.message}`);
    } else throw error;
    return 1;
  }
}

/** Runs this file as a program: `node migrations/migrate.js status`. */
async function runProgram(runner) {
  const [name = 'migrate', ...args] = process.argv.slice(2);
  // The environment takes precedence over the file.
  if (existsSync('.env')) process.loadEnvFile();
  const url = process.env['DATABASE_URL'] ?? '';
  if (!isCommand(name)) {
    warn(`Usage: node migrations/migrate.js ${Object.keys(commands).join('|')} [options]`);
    process.exitCode = 2;
  } else if (url === '' && name !== 'squash') {
    warn('DATABASE_URL is not set: it says which database to migrate.');
    process.exitCode = 2;
  } else process.exitCode = await runCommand(name, { runner, url, args });
}

function isCommand(name) {
  return Object.hasOwn(commands, name);
}

async function runMigrate({ runner, url, args }) {
  const { wait } = readOptions(args, { wait: { type: 'string' } });
  const timeout = wait === undefined ? {} : { timeout: 1000 * readSeconds(wait) };
  const applied = await runner.migrate(url, { report: print, ...timeout });
  for (const id of applied) print(`Applied ${id}.`);
  if (applied.length === 0) print('Nothing to apply: the database is up to date.');
  return 0;
}

/** 1 unless the database is up to date. */
async function runStatus({ runner, url, args }) {
  const { json, draft } = readOptions(args, {
    json: { type: 'boolean' },
    draft: { type: 'string' },
  });
  const { status, isInStep, drift, uncompared, outlook } = await runner.inspect(url, draft);
  const { id: next, found = [], uncounted } = outlook;
  const { applied, pending, unknown, altered, underWay } = status;
  if (json === true) {
    const concerned = found.map(({ code, target, rows }) => ({
      migration: next,
      hazard: `${code}:${target}`,
      rows,
    }));
    print(JSON.stringify({ ...status, drift, concerned, uncounted, uncompared }));
    return isInStep ? 0 : 1;
  }
  for (const id of applied) print(`${altered.includes(id) ? 'altered' : 'applied'}  ${id}`);
  for (const id of unknown) print(`unknown  ${id}`);
  for (const id of pending) {
    print(`pending  ${id}`);
    const rows = id === next ? found.filter((some) => some.rows > 0) : [];
    for (const some of rows) print(`         ${describeRows(some)}`);
  }
  if (uncounted !== undefined) print(uncounted);
  if (underWay !== undefined) print(describeUnderWay(underWay));
  for (const line of describeDrift(drift ?? [])) print(line);
  if (uncompared !== undefined) print(`Tables were not compared: ${uncompared}`);
  if (isInStep) print('The database is up to date.');
  return isInStep ? 0 : 1;
}

/** 1 unless the database is taken over. */
async function runBaseline({ runner, url, args }) {
  const { apply } = readOptions(args, { apply: { type: 'boolean' } });
  const { id, file, found, state } = await runner.baseline(url, {
    report: print,
    apply: apply === true,
  });
  if (state === 'taken') print(`The database counts as having ${id}.`);
  else if (state === 'refused') print('The database cannot be taken over as it is:');
  else print(`${id} would have made this database in another way. It can be taken over:`);
  const lines = state === 'refused' ? found.obstacles : found.steps.map(({ title }) => title);
  if (state !== 'taken') for (const line of lines) print(`  ${line}`);
  if (found.own.length > 0) print(`Yours, left as it is: ${found.own.join(', ')}.`);
  if (state === 'refused') print('Nothing was changed.');
  if (state === 'outdated') {
    print(`${file} is something else: what somebody has edited, or what another database needs.`);
    print('Delete it, and it is written again.');
  }
  if (state === 'written') print(`The SQL is in ${file}: read it, and edit it if you like.`);
  if (state === 'written' || state === 'outdated') {
    print(
      'Nothing was changed yet. With a backup, and with nobody at work, `npm run db:baseline -- --apply` runs it.',
    );
  }
  return state === 'taken' ? 0 : 1;
}

async function runRollback({ runner, url, args }) {
  readOptions(args, {});
  const id = await runner.rollback(url, { report: print });
  print(`Took ${id} back; \`npm run db:migrate\` applies it again.`);
  return 0;
}

async function runSquash({ args }) {
  readOptions(args, {});
  const { id, removed, own, edited } = squashMigrations();
  print(`migrations/${id} makes the whole database now, and stands for ${removed.join(', ')}.`);
  if (own.length > 0) print(`It ends with the SQL of ${own.join(', ')}: see that it still fits.`);
  if (edited.length > 0) {
    print(`What you had written into ${edited.join(', ')} beside the tables is not in it.`);
  }
  print('Apply it to an empty database before you commit it: `npm test` does.');
  return 0;
}

/** Throws a UsageError for unknown options. */
function readOptions(args, options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readSeconds(value) {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new UsageError('--wait takes a number from 0 to 999999.');
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

function warn(line) {
  process.stderr.write(`${line}\n`);
}

// runner

const silent = { report: () => {} };

function openRunner(engine) {
  return {
    migrate: (url, options = {}) => applyPending(engine, url, options),
    /** See `takeOver`. */
    baseline: async (url, options = {}) =>
      (await engine.loadBaseline()).baseline(engine, url, options),
    rollback: (url, options = {}) => takeBackLast(engine, url, options),
    readStatus: (url, options = {}) => compareApplied(engine, url, options),
    refusePending: (url) => requireApplied(engine, url),
    inspect: (url, draft) => inspectDatabase(engine, url, draft),
    isUnavailable: engine.isUnavailable,
  };
}

/**
 * Applies pending migrations and returns their ids. Any number of processes may call it at the same time: each
 * migration is applied once. Throws a MigrationError, and changes nothing, if the histories do not agree.
 */
async function applyPending(engine, url, options) {
  const history = readHistory(options);
  return engine.migrationSession(url, { ...silent, ...options }, async (session) => {
    const ids = [];
    let isFirst = false;
    const choose = ({ migrations }) => {
      isFirst = migrations.length === 0;
      return nextRun(history, migrations);
    };
    for (;;) {
      const run = await session.run(choose).catch((error) => {
        throw isFirst && isOverTables(error, engine) ? withWayOut(error) : error;
      });
      if (run === undefined) return ids;
      ids.push(...run.adds.map(({ id }) => id));
    }
  });
}

const isOverTables = (error, engine) =>
  error instanceof MigrationError && engine.isTaken(error.cause);

/** Rolls back the last migration and returns its id. Throws a MigrationError if that is impossible. */
async function takeBackLast(engine, url, options) {
  if (!engine.hasDatabase(url)) throw new MigrationError('No migration is applied.');
  const history = readHistory(options);
  return engine.migrationSession(url, { ...silent, ...options }, async (session) => {
    const restore = (id) => session.restore(id);
    const run = await session.run((applied) => backRun(history, applied, restore));
    return run?.id ?? '';
  });
}

/** If there is no database, everything is pending. */
async function compareApplied(engine, url, options = {}) {
  const { migrations, underWay } = await engine.readRecorded(url);
  return { ...compareHistory(readHistory(options), migrations), ...(underWay && { underWay }) };
}

/** Throws a MigrationError if migrations are pending. */
async function requireApplied(engine, url) {
  const { migrations, underWay } = await engine.readRecorded(url);
  const pending = listPending(readHistory({}), migrations).map(({ id }) => id);
  if (underWay !== undefined) throw new MigrationError(describeUnderWay(underWay));
  if (pending.length === 0) return;
  throw new MigrationError(
    `Not applied to the database yet: ${pending.join(', ')}. Start with --migrate to apply what is pending.`,
  );
}

/** Inspects a database without changing it. `draft`: the `meta.json` of a migration that is not written yet. */
async function inspectDatabase(engine, url, draft) {
  const status = await compareApplied(engine, url);
  const { pending, unknown, altered, underWay } = status;
  // If migrations are pending, the tables are those of an older schema.
  const isSettled = pending.length === 0 && underWay === undefined;
  const { drift, uncompared } = await compareTables(engine, url, isSettled);
  return {
    status,
    isInStep: drift !== undefined && altered.length + unknown.length === 0 && !drift.some(isDrift),
    ...(drift && { drift }),
    ...(uncompared !== undefined && { uncompared }),
    outlook: await lookAhead(engine, url, status, draft),
  };
}

async function compareTables(engine, url, isSettled) {
  const schema = readSchemaSql();
  if (schema === undefined) return { uncompared: noSchemaSql };
  try {
    return isSettled ? { drift: await engine.listDrift(url, schema) } : {};
  } catch (error) {
    if (error instanceof MigrationError) return { uncompared: error.message };
    throw error;
  }
}

/** Counts rows for the next migration. An error here does not hide the rest of the report. */
async function lookAhead(engine, url, { pending, unknown, altered, underWay }, draftFile) {
  const draft = draftFile === undefined ? undefined : readDraft(draftFile);
  const isCertain = unknown.length + altered.length === 0 && underWay === undefined;
  if (!isCertain || !engine.hasDatabase(url)) return {};
  try {
    if (draft !== undefined && pending.length > 0) return {};
    if (draft !== undefined) {
      return { id: draft.id, found: await engine.inspectRows(url, rowChecks(draft.hazards)) };
    }
    const { migrations } = await engine.readRecorded(url);
    const next = nextRun(readHistory({}), migrations);
    if (next === undefined) return {};
    return { id: next.id, found: await engine.inspectRows(url, next.checks) };
  } catch (error) {
    if (engine.isUnavailable(error) || !(error instanceof Error)) throw error;
    if (error instanceof MigrationError) return { uncounted: error.message };
    const reason = `${error.message}. Are the tables as the migrations before it have left them?`;
    return { uncounted: `The affected rows cannot be counted: ${reason}` };
  }
}

/** Adds a hint if the tables of the first migration exist already. */
function withWayOut(error) {
  return new MigrationError(
    `${error.message}. A database that has tables already is taken over by \`npm run db:baseline\`.`,
    { cause: error },
  );
}

function readHistory({ folder }) {
  return { migrations: readMigrations(folder), schema: readSchemaSql(folder) };
}

const noSchemaSql =
  'migrations/schema.sql is missing. Restore it, or run `scaffold regenerate --restore migrations/schema.sql`.';

// client

/** Opens a session for some work. */
async function withClient(url, work) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // The running query fails as well. Without a listener, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function inTransaction(client, work, begin = 'begin') {
  await client.query(begin);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Whether the error says that the database does not answer. */
function isUnavailable(error) {
  if (isLostConnection(error)) return true;
  if (!(error instanceof DatabaseError)) return false;
  // A fatal error has ended the connection.
  return error.severity === 'FATAL' || unavailableCodes.test(error.code ?? '');
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: lost connections, a full server or disk, a shutdown,
 * a read-only standby, deadlocks after all retries, locks and statements that took too long, missing rights.
 */
const unavailableCodes = /^(08|53|57P|58)|^(25006|25P03|40001|40P01|42501|55P03|57014)$/;

/**
 * Whether the error says that something to be created exists already: a table, index, view, type, constraint or
 * function.
 */
function isTaken(error) {
  return error instanceof DatabaseError && /^(42P07|42710|42723)$/.test(error.code ?? '');
}

/** Errors of a socket have a code of the system. Those of a client or a pool have none. */
function isLostConnection(error) {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return lostSockets.has(error.code);
  return lostConnections.test(error.message);
}

const lostSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

const lostConnections =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

// rights

/** For comparisons, which create temporary tables. */
const temporaryTables = `
  select format('grant temporary on database %I to %I', current_database(), current_user) as missing
  where not has_database_privilege(current_database(), 'temporary')
`;

const newTables = `
  select format('grant usage, create on schema %I to %I', coalesce(current_schema(), 'public'), current_user) as missing
  where has_schema_privilege(current_schema(), 'create') is not true
`;

const ownTables = `
  select format('alter table %I owner to %I', relname, current_user) as missing from pg_class
  where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p') and relname = any($1)
    and not pg_has_role(relowner, 'usage')
`;

/** Each query returns the SQL that grants the missing right. */
async function refuseMissingRights(client, rights, tables) {
  const query = `${rights.join(' union all ')} order by 1`;
  const { rows } = await client.query(query, tables && [tables]);
  if (rows.length === 0) return;
  throw new MigrationError(
    `The role of DATABASE_URL lacks rights that this needs. Nothing was changed. Use another role, or let the owner run \`${rows.map(({ missing }) => missing).join('; ')}\`.`,
  );
}

/** The expected tables are created as temporary ones. */
async function refuseNoComparing(client) {
  await refuseNoWrites(client);
  await refuseMissingRights(client, [temporaryTables]);
}

/** The record of applied migrations needs a table. */
async function refuseReadOnly(client) {
  await refuseNoWrites(client);
  await refuseMissingRights(client, [newTables]);
}

async function refuseNoWrites(client) {
  const { rows } = await client.query(`
    select case when pg_is_in_recovery() then 'it is a standby, which follows another server'
      else '\`default_transaction_read_only\` is on' end as reason
    where current_setting('transaction_read_only')::boolean`);
  for (const { reason } of rows) {
    throw new MigrationError(
      `The database takes no writes here: ${reason}. Nothing was changed. Use the server that takes them.`,
    );
  }
}

/** Only the owner of a table can change it. */
async function refusePoorRole(client, tables) {
  await refuseMissingRights(client, [temporaryTables, ownTables], tables);
}

// statements

/** A comment, a string, a quoted name, a dollar-quoted string, a word, a semicolon, or any other sign. */
const token =
  /--[^\n]*|\/\*[^]*?\*\/|[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$([A-Za-z_]\w*)?\$[^]*?\$\1\$|[A-Za-z_][\w$]*|[^]/g;

/** The statements of a script. The unquoted body of a trigger or function belongs to its statement. */
function readStatements(sql) {
  const statements = [];
  let [text, words, isBody] = ['', [], false];
  for (const [part] of sql.matchAll(token)) {
    text += part;
    if (/^[A-Za-z_][\w$]*$/.test(part)) words.push(part.toUpperCase());
    if (part !== ';') continue;
    isBody = isBody ? !closesBody(words) : opensBody(words);
    if (isBody) continue;
    statements.push(makeStatement(text, words));
    [text, words] = ['', []];
  }
  if (words.length > 0) statements.push(makeStatement(text, words));
  return statements;
}

/** `CREATE TRIGGER … BEGIN …;` continues until `END;`, and so does a function with BEGIN ATOMIC. */
function opensBody(words) {
  if (words[0] !== 'CREATE') return false;
  const begin = words.indexOf('BEGIN');
  const isTrigger = words.slice(0, 3).includes('TRIGGER');
  return begin !== -1 && (isTrigger || words[begin + 1] === 'ATOMIC');
}

/** Each `CASE` in a body has its own `END`. */
function closesBody(words) {
  const count = (word) => words.filter((it) => it === word).length;
  return count('END') > count('CASE');
}

function makeStatement(text, [verb = '', next = '']) {
  return { text, verb, next };
}

const endings = new Set(['BEGIN', 'START', 'COMMIT', 'END', 'ROLLBACK', 'ABORT']);

/** SQL that ends its own transaction could not be undone, nor would it be known what was applied. */
function refuseTransactions(sql, who) {
  const found = readStatements(sql).find(({ verb, next }) => endings.has(verb) && next !== 'TO');
  if (found === undefined) return;
  throw new MigrationError(
    `${who} \`${[found.verb, found.next].join(' ').trim()}\`, and is in a transaction already: remove that. Nothing was changed.`,
  );
}

function quoteName(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

// schema

/** How the database differs from one that `migrations/schema.sql` makes. */
function listDrift(url, schemaSql) {
  return withClient(url, async (client) => {
    const { expected, found } = await readBothSchemas(client, schemaSql, readAllParts);
    return compareSchemas(expected, found);
  });
}

/** The parts that the SQL would make, and those of the database. */
async function readBothSchemas(client, schemaSql, read = readSchema) {
  await refuseNoComparing(client);
  return { expected: await readExpectedSchema(client, schemaSql, read), found: await read(client) };
}

/** Creates the tables as temporary ones, which affect nobody, and drops them again. */
async function readExpectedSchema(client, schemaSql, read = readSchema) {
  await client.query('begin; set local search_path = pg_temp');
  try {
    await client.query(schemaSql.replace(ownFunctions, 'pg_temp.$&'));
    return await read(client);
  } finally {
    await client.query('rollback');
  }
}

/** PostgreSQL looks for functions in the temporary schema only if they are qualified. */
const ownFunctions = /\b(?:keep|correct)_row_counts\(/g;

/** The parts of the first schema in the search path, as PostgreSQL itself writes them. */
async function readSchema(client) {
  const { rows } = await client.query(partsSql);
  return new Map(rows.map(({ object, definition }) => [object, definition]));
}

/**
 * Leaves out the order of columns and enum values and the names of primary keys. Equivalent definitions have one
 * spelling: lists, decimals, times with microseconds, generated ids, and keys with RESTRICT or NO ACTION that cannot be
 * deferred.
 */
const partsSql = `
  with tables as (
    select oid, relname as name, relpersistence as persistence, relrowsecurity as secured,
      relforcerowsecurity as forced, relowner as owner, relacl as acl
    from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
      and relname not in ('schema_migrations', 'schema_migration_steps')
  )
  select 'table ' || name as object, case persistence when 'u' then 'unlogged' else '' end as definition
  from tables
  union all
  select 'column ' || name || '.' || attname,
    concat_ws(' ', regexp_replace(format_type(atttypid, atttypmod), '^timestamp with', 'timestamp(6) with'),
      case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
      case when attnotnull then 'not null' end,
      case when attidentity = 'd' or initial = serial then 'generated by default as identity'
        when attidentity = 'a' then 'generated always as identity' end,
      case attgenerated when '' then 'default ' else 'generated always as ' end ||
        case when atttypid = 'numeric'::regtype and initial ~ '^[(''-]*\\d+(\\.\\d+)?[)'']*(::\\w+)?$'
          then trim_scale(substring(initial from '-?\\d+(?:\\.\\d+)?')::numeric)::text
        when initial ~ '^ARRAY\\[(''\\w+''::text(, )?)+\\]$'
          then quote_literal('{' || regexp_replace(substring(initial from 7), '''::text|''|[] ]', '', 'g') || '}') || '::text[]'
        else regexp_replace(nullif(initial, serial), '^ARRAY\\[\\]::', '''{}''::') end)
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    cross join lateral (
      select pg_get_expr(adbin, adrelid) as initial,
        format('nextval(%L::regclass)', pg_get_serial_sequence(quote_ident(name), attname)::regclass) as serial
    ) as defaults
  union all
  select 'type ' || typname, string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)
  from pg_type join pg_enum on enumtypid = pg_type.oid
  where typnamespace = quote_ident(current_schema())::regnamespace
    and pg_type.oid in (select atttypid from tables join pg_attribute on attrelid = tables.oid)
  group by typname
  union all
  select case contype when 'p' then 'primary key of ' || name else 'constraint ' || name || '.' || conname end,
    case when contype = 'f' and not condeferrable then replace(pg_get_constraintdef(pg_constraint.oid), ' ON DELETE RESTRICT', '')
      else pg_get_constraintdef(pg_constraint.oid) end || case when exists (
      select from pg_trigger where tgconstraint = pg_constraint.oid and tgenabled = 'D'
    ) then ' (switched off)' else '' end
  from tables join pg_constraint on conrelid = tables.oid and contype in ('c', 'f', 'p', 'u', 'x')
  union all
  select 'index ' || index.relname,
    pg_get_indexdef(indexrelid, 0, true) || case when indisvalid then '' else ' (invalid)' end
  from tables join pg_index on indrelid = tables.oid and not indisprimary
    join pg_class as index on index.oid = indexrelid
  union all
  select 'trigger ' || name || '.' || tgname,
    regexp_replace(pg_get_triggerdef(pg_trigger.oid, true), 'pg_temp(_\\d+)?\\.', '')
      || case tgenabled when 'D' then ' (switched off)' else '' end
  from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
  union all
  select 'function ' || proname, prosrc from pg_proc
  where pronamespace = quote_ident(current_schema())::regnamespace
    and proname in ('keep_row_counts', 'correct_row_counts')
  union all
  select 'row security of ' || name, case when forced then 'forced' else 'enabled' end
  from tables where secured
  union all
  select 'policy ' || name || '.' || polname, '' from tables join pg_policy on polrelid = tables.oid
  union all
  select 'grant ' || name || '.' || coalesce(rolname, 'public'), string_agg(privilege_type, ', ' order by privilege_type)
  from tables cross join aclexplode(acl) left join pg_roles on pg_roles.oid = grantee
  where grantee <> owner group by name, rolname
  union all
  select 'grant ' || name || '.' || attname || '.' || coalesce(rolname, 'public'), string_agg(privilege_type, ', ' order by privilege_type)
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    cross join aclexplode(attacl) left join pg_roles on pg_roles.oid = grantee
  where grantee <> owner group by name, attname, rolname
`;

/**
 * Also reads what no migration changes: counters of ids that are behind the rows, and totals that are wrong because
 * triggers were off.
 */
async function readAllParts(client) {
  const { rows } = await client.query(counters);
  const all = new Map(await readSchema(client));
  const tables = await client.query(totals);
  for (const { table, wrong } of tables.rows) {
    const { rowCount } = await client.query(wrong);
    all.set(`total of ${table}`, rowCount === 0 ? rightTotal : wrongTotal(table));
  }
  for (const { column, behind } of rows) {
    const { rowCount } = await client.query(behind);
    all.set(`sequence ${column}`, rowCount === 0 ? 'ahead of its rows' : 'behind its rows');
  }
  return all;
}

const rightTotal = 'as many as there are rows';

function wrongTotal(table) {
  return `not that of its rows: insert into row_counts (name) values (${quoteText(table)})`;
}

/** Queries that find a row if a total is wrong. */
const totals = `
  select relname as table, format(
    'select from (select count(*) as total, count(%1$s) as deleted from %2$I) as found
      where (total, deleted) <> (select coalesce(sum(total), 0), coalesce(sum(deleted), 0) from row_counts where name = %2$L)',
    coalesce(quote_ident(split_part(encode(marks.tgargs, 'escape'), '\\000', 1)), 'null'), relname) as wrong
  from pg_class join pg_trigger as counts on counts.tgrelid = pg_class.oid and counts.tgname = 'row_counts_insert'
    left join pg_trigger as marks on marks.tgrelid = pg_class.oid and marks.tgname = 'row_counts_deleted_insert'
  where relnamespace = quote_ident(current_schema())::regnamespace
`;

/** Queries that find a row if a counter is behind. */
const counters = `
  select relname || '.' || attname as column,
    format('select from %s where (select max(%I) from %I) > last_value - case when is_called then 0 else 1 end',
      pg_get_serial_sequence(quote_ident(relname), attname), attname, relname) as behind
  from pg_class join pg_attribute on attrelid = pg_class.oid and (attidentity <> '' or atthasdef)
  where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r'
    and pg_get_serial_sequence(quote_ident(relname), attname) is not null
`;

function inspectRows(url, checks) {
  return withClient(url, (client) =>
    inTransaction(client, () => countRows(client, checks), 'begin; set local row_security = off'),
  );
}

async function countRows(client, checks) {
  const found = [];
  for (const check of checks) {
    const { rows } = await client
      .query({ text: check.count, rowMode: 'array' })
      .catch(explainPolicies);
    found.push({ ...check, rows: Number(rows[0]?.[0]) });
  }
  return found;
}

/** PostgreSQL refuses to read if a policy hides rows from this role: see the settings of the session. */
async function refuseHiddenRows(client, tables) {
  for (const table of tables) {
    await client
      .query(`select from ${client.escapeIdentifier(table)} limit 0`)
      .catch(explainPolicies);
  }
}

function explainPolicies(error) {
  if (!(error instanceof DatabaseError) || !error.message.includes('row-level security'))
    throw error;
  throw new MigrationError(
    `${error.message}. A migration has to see every row: run it as a role with BYPASSRLS. Nothing was changed.`,
    { cause: error },
  );
}

// locks

/**
 * Without row security, PostgreSQL refuses a statement that a policy would hide rows from. The time zone is UTC, for
 * conversions between times with and without a zone. There is no limit for statements. Since PostgreSQL 14, a statement
 * ends within seconds if this process dies, and the session within a minute if its machine does.
 */
const settings = `
  set client_min_messages = warning;
  set row_security = off;
  set timezone = 'UTC';
  set tcp_keepalives_idle = 30;
  set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3;
  select set_config(name, case name when 'client_connection_check_interval' then '5s' else '0' end, false)
  from pg_settings where name in (
    'client_connection_check_interval', 'statement_timeout', 'transaction_timeout',
    'idle_in_transaction_session_timeout'
  )
`;

/** Settings of a migration must not affect the record of it or later migrations. */
async function resetSession(client) {
  await client.query(`reset session authorization; reset role; reset all; ${settings}`);
}

const [shortestPause, longestPause] = [200, 5000];

/**
 * Repeats work that a lock of another session has stopped. Other sessions queue up behind one that waits for a table,
 * so each wait is short, with pauses in between.
 */
async function withRetries({ name, report, timeout }, work) {
  const deadline = performance.now() + timeout;
  for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() + pause > deadline) throw error;
      report(`${name}: another session holds a lock that it needs; trying again.`);
      await sleep(pause * (0.75 + Math.random() / 2));
    }
  }
}

/** `lock_not_available` or `deadlock_detected`. */
function isLocked(error) {
  return error instanceof DatabaseError && (error.code === '55P03' || error.code === '40P01');
}

function describeSession({ pid, address, query }) {
  const statement = query.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `session ${pid}${address === null ? '' : ` from ${address}`}, \`${statement}\``;
}

/** The session with the oldest transaction, for which others most likely wait. */
async function findOldest(client) {
  const { rows } = await client.query(`select pid, host(client_addr) as address, query
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`);
  return rows[0];
}

// migration-failure

/** The error to report if a step fails, with the state of the database. */
async function migrationFailure(client, { id, step, steps, isUndone }, cause) {
  const reason = await explain(client, cause);
  const message =
    step === 1 && isUndone
      ? `Migration ${id} failed and was undone: ${reason}`
      : `Migration ${id} failed at step ${step} of ${steps}: ${reason}\nWhat was done before it stays. Fix what is wrong and start again; it goes on from this step.`;
  return new MigrationError(message, { cause });
}

async function explain(client, error) {
  if (isLocked(error)) {
    const oldest = await findOldest(client).catch(() => undefined);
    const holder =
      oldest &&
      ` The oldest transaction is that of ${describeSession(oldest)}. Start again when it has ended; \`select pg_terminate_backend(${oldest.pid})\` ends it.`;
    return `other sessions did not give a lock free that it needs.${holder ?? ''}`;
  }
  if (!(error instanceof DatabaseError)) return error instanceof Error ? error.message : `${error}`;
  if (error.code === brokenCheck) return explainCheck(client, error);
  if (error.code === diskFull) return `the disk of the database server is full: ${error.message}.`;
  const more =
    error.code === activeTransaction ? `Put the line \`${alone}\` above it.` : error.detail;
  return more === undefined ? error.message : `${error.message}. ${more}`;
}

/** A row that violates a new constraint was written during the migration. PostgreSQL does not say which one. */
async function explainCheck(client, { message, table, constraint }) {
  const rows = await listBreakers(client, table, constraint).catch(() => []);
  if (rows.length === 0) return message;
  return `${message}: ${rows.join(', ')}. Change those rows to what the rule allows, and run \`npm run db:migrate\` again.`;
}

async function listBreakers(client, table = '', constraint = '') {
  const { rows } = await client.query(
    `select format('select %I::text as id, %I::text as value from %s where not (%s) limit 5',
      id.attname, found.attname, conrelid::regclass, pg_get_expr(conbin, conrelid)) as query
    from pg_constraint join pg_attribute as found on found.attrelid = conrelid and found.attnum = conkey[1]
      join pg_index on indrelid = conrelid and indisprimary
      join pg_attribute as id on id.attrelid = conrelid and id.attnum = indkey[0]
    where conrelid = to_regclass(quote_ident($1)) and conname = $2 and contype = 'c'`,
    [table, constraint],
  );
  if (rows[0] === undefined) return [];
  const found = await client.query(rows[0].query);
  return found.rows.map(
    ({ id, value }) => `id ${id} has ${value === null ? 'nothing' : `'${value}'`}`,
  );
}

/** The code for a violated CHECK. */
const brokenCheck = '23514';
const diskFull = '53100';

/** The code for a statement that cannot run in a transaction. */
const activeTransaction = '25001';
const alone = '-- step 1 of 1: outside of a transaction';

// watch-parts

/** Lists the parts of tables before a step. `refuse` throws if the step has dropped some that it does not name. */
async function watchParts(client, sql) {
  const before = await readParts(client);
  return {
    async refuse() {
      const after = new Set((await readParts(client)).map(({ object }) => object));
      const gone = before.filter(({ object, name }) => !after.has(object) && !isNamed(name, sql));
      const tables = await readTables(client);
      const lost = gone.filter(({ table }) => tables.has(table)).map(({ object }) => object);
      if (lost.length === 0) return;
      throw new MigrationError(
        `It would also drop what you made in the database: ${lost.join(', ')}. Drop that first, or in up.sql, where you can then create it again in its new form.`,
      );
    },
  };
}

function isNamed(name, sql) {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(sql);
}

async function readParts(client) {
  const { rows } = await client.query(`
    with tables as (
      select oid, relname as place from pg_class
      where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
    )
    select 'index ' || relname as object, relname as name, tables.oid as table
    from tables join pg_index on indrelid = tables.oid join pg_class on pg_class.oid = indexrelid
    union all
    select 'constraint ' || conname || ' of ' || place, conname, tables.oid
    from tables join pg_constraint on conrelid = tables.oid and contype in ('c', 'f', 'u', 'x')
    union all
    select 'statistics ' || stxname, stxname, tables.oid
    from tables join pg_statistic_ext on stxrelid = tables.oid
  `);
  return rows;
}

async function readTables(client) {
  const { rows } = await client.query(`select oid from pg_class where relkind in ('r', 'p')`);
  return new Set(rows.map(({ oid }) => oid));
}

// data

async function runData(modules, database) {
  for (const module of modules) {
    const file = existsSync(module.source) ? module.source : module.built;
    if (!existsSync(file)) {
      throw new MigrationError(`There is no file ${module.source}, which the SQL names.`);
    }
    const refuse = (sql) => refuseTransactions(sql, `${file} runs`);
    const connection = {
      async all(sql, ...values) {
        refuse(sql);
        return database.all(sql, ...values);
      },
      async run(sql, ...values) {
        refuse(sql);
        await database.run(sql, ...values);
      },
    };
    const { up } = await load(module, file);
    if (!isDataMigration(up)) throw new MigrationError(`${file} exports no function \`up\`.`);
    await up(connection);
  }
}

/** Loads TypeScript if this process can read it. Node.js 20 needs a loader for that. */
async function load({ built }, file) {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const isUnread =
      error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    if (!isUnread || !existsSync(built)) throw error;
    return import(pathToFileURL(built).href);
  }
}

function isDataMigration(value) {
  return typeof value === 'function';
}

// steps

/** Text before the first step belongs to it. SQL without steps is one transaction. */
function readSteps(sql) {
  return sql
    .split(/^(?=-- step (?!1 )\d+ of \d+: )/m)
    .map((text) => ({ way: readWay(/^-- step \d+ of \d+: (.*)/m.exec(text)?.[1]), sql: text }));
}

function readWay(words = '') {
  if (words.startsWith('outside of a transaction')) return { kind: 'alone' };
  const [, way, table, id = 'id'] =
    /^(in batches of|at once for) (.+?)(?: by (.+?))?\s*$/.exec(words) ?? [];
  if (table === undefined) return { kind: 'transaction' };
  return { kind: way === 'at once for' ? 'update' : 'batches', table, id };
}

/** How many milliseconds a batch may take, since others wait for its rows. */
const [shortest, longest] = [20, 50];
const [smallestBatch, largestBatch] = [100, 10_000];

/**
 * Runs an UPDATE over all rows in the order of their ids, with a transaction for each batch. A second run must find
 * nothing to do, which is checked. Returns when no row is left.
 */
async function updateInBatches(client, { table, id }, update) {
  let size = smallestBatch;
  let first = await findId(
    client,
    `select ${id}::text as found from ${table} order by ${id} limit 1`,
  );
  while (first !== undefined) {
    const start = performance.now();
    const last = await findId(
      client,
      `select ${id}::text as found
      from (select ${id} from ${table} where ${id} >= $1 order by ${id} limit ${size}) as batch
      order by ${id} desc limit 1`,
      first,
    );
    if (last === undefined) return;
    const ids = [first, last];
    await inTransaction(client, () =>
      withoutTriggers(client, table, async () => {
        await client.query(update, ids);
        const { rowCount } = await client.query(update, ids);
        if (rowCount !== 0) throw new MigrationError(unsettled(table, ids, rowCount));
      }),
    );
    const took = performance.now() - start;
    if (took > longest) size = Math.max(Math.floor(size / 2), smallestBatch);
    if (took < shortest) size = Math.min(size * 2, largestBatch);
    first = await findId(
      client,
      `select ${id}::text as found from ${table} where ${id} > $1 order by ${id} limit 1`,
      last,
    );
  }
}

async function findId(client, query, ...after) {
  const { rows } = await client.query(query, after);
  return rows[0]?.found;
}

function unsettled(table, ids, rows) {
  return `${rows} rows of ${table} with ids from ${ids.join(' to ')} do not hold what they were just given.`;
}

/** A rule of the owner would silently write something else, or nothing. */
async function refuseRules(client, tables) {
  const { rows } = await client.query(
    `select rulename || ' on ' || tablename as rule from pg_rules
    where schemaname = current_schema() and tablename = any($1) order by 1`,
    [tables],
  );
  if (rows.length === 0) return;
  throw new MigrationError(
    `Rows are filled in, and a rule of yours may change what is written: ${rows.map(({ rule }) => rule).join(', ')}. Drop it first. Nothing was changed.`,
  );
}

/**
 * Turns off triggers, which are meant for changes by people and could change or refuse these values. Nobody else writes
 * to the table until the transaction ends.
 */
async function withoutTriggers(client, table, work) {
  const { rows } = await client.query(
    `select quote_ident(tgname) as name, tgenabled as enabled from pg_trigger
    where tgrelid = $1::regclass and not tgisinternal and tgenabled in ('O', 'A') and tgtype & 16 > 0
      and tgname not like 'row\\_counts\\_%'`,
    [table],
  );
  for (const { name } of rows) await client.query(`alter table ${table} disable trigger ${name}`);
  const result = await work();
  for (const { name, enabled } of rows) {
    const always = enabled === 'A' ? 'always ' : '';
    await client.query(`alter table ${table} enable ${always}trigger ${name}`);
  }
  return result;
}

/** Has one row while a migration of several steps is in progress. */
const progressTable =
  'create table if not exists schema_migration_steps (id text primary key, command text not null, done integer not null, checksum text not null)';

/** How many steps an earlier run has done. Throws if that run was of another migration. */
async function readProgress(client, run, steps) {
  const { rows } = await client.query('select * from schema_migration_steps');
  const [begun] = rows;
  if (begun === undefined) return 0;
  const { id, command, done } = begun;
  if (run?.id !== id || chooseCommand(run) !== command) {
    throw new MigrationError(describeUnderWay(begun));
  }
  if (sumOfSteps(steps.slice(0, done)) === begun.checksum) return done;
  throw new MigrationError(
    `${id} is under way, and its first ${done} steps were edited after they had been done. Restore them, from git or by \`scaffold regenerate --undo\`; the steps after them may be changed.`,
  );
}

async function saveProgress(client, run, done) {
  await client.query(
    `insert into schema_migration_steps values ($1, $2, $3, $4)
    on conflict (id) do update set done = excluded.done, checksum = excluded.checksum`,
    [run.id, chooseCommand(run), done.length, sumOfSteps(done)],
  );
}

/** Records that the whole migration is done. */
async function saveRun(client, { adds, removes }) {
  await client.query('delete from schema_migration_steps');
  await client.query('delete from schema_migrations where id = any($1)', [removes]);
  await client.query(
    `insert into schema_migrations (id, checksum, applied_at, additive)
    select id, checksum, now(), additive
    from unnest($1::text[], $2::text[], $3::integer[]) as added (id, checksum, additive)`,
    [
      adds.map(({ id }) => id),
      adds.map(({ checksum }) => checksum),
      adds.map(({ additive }) => additive),
    ],
  );
}

function chooseCommand({ adds }) {
  return adds.length > 0 ? 'db:migrate' : 'db:rollback';
}

function sumOfSteps(steps) {
  const text = steps.map(({ sql }) => sql.trim()).join('\n\n');
  return digest(text);
}

// run-steps

/** Runs the remaining steps of a migration. If one fails, those before it stay done, and the next run continues. */
async function runSteps(client, run, options) {
  const steps = run === undefined ? [] : readSteps(run.sql);
  if (run !== undefined) refuseTransactions(run.sql, `Migration ${run.id} says`);
  const done = await readProgress(client, run, steps);
  if (run === undefined) return undefined;
  await refusePoorRole(client, Object.keys(run.tables));
  // The owner may have created temporary tables of these names.
  await client.query('discard temp');
  if (done === 0) {
    const isFilling = steps.some(({ way }) => 'table' in way);
    if (isFilling) await refuseRules(client, Object.keys(run.tables));
    await checkRows(client, run, options);
  }
  const place = { id: run.id, step: done + 1, steps: steps.length, isUndone: true };
  const finish = await finisher(client, run).catch(async (error) => {
    throw await migrationFailure(client, place, error);
  });
  for (const [index, step] of [...steps.entries()].slice(done)) {
    const isLast = index === steps.length - 1;
    const save = isLast ? finish : () => saveProgress(client, run, steps.slice(0, index + 1));
    const here = { ...place, step: index + 1, isUndone: step.way.kind !== 'alone' };
    const name = steps.length === 1 ? run.id : `${run.id}, step ${here.step} of ${here.steps}`;
    if (steps.length > 1) options.report(`${name}.`);
    try {
      await withRetries({ ...options, name }, () =>
        runStep(client, step, { ...options, run, save }),
      );
    } catch (error) {
      throw await migrationFailure(client, here, error);
    }
  }
  // The remaining steps were removed from the SQL.
  if (done === steps.length) await inTransaction(client, finish);
  return run;
}

async function checkRows(client, run, { report }) {
  try {
    await refuseHiddenRows(client, Object.keys(run.tables));
    const found = await countRows(client, run.checks);
    for (const line of reportRows(run, found)) report(line);
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw await migrationFailure(client, { id: run.id, step: 1, steps: 1, isUndone: true }, error);
  }
}

/** Prepares the comparison with the expected tables, so that the last step holds its locks only briefly. */
async function finisher(client, run) {
  const expected =
    run.schema === undefined ? undefined : await readExpectedSchema(client, run.schema);
  return async () => {
    await runData(run.data, {
      all: async (sql, ...values) => (await client.query(sql, [...values])).rows,
      run: async (sql, ...values) => void (await client.query(sql, [...values])),
    });
    if (expected !== undefined) refuseDrift(compareSchemas(expected, await readSchema(client)));
    await saveRun(client, run);
  };
}

/** For a lock that others queue up behind. */
const longestWait = 3000;

/** What is not in the transaction of `save` may have been done already, so it can be repeated. */
async function runStep(client, { way, sql }, options) {
  if (way.kind === 'alone' || way.kind === 'batches') {
    // One by one, because PostgreSQL runs several statements as one transaction.
    for (const { text } of readStatements(sql)) {
      const isBatch = way.kind === 'batches' && text.includes('$1');
      await (isBatch ? runBatches(client, way, text) : runAlone(client, text, options));
    }
  }
  const reset = async () => {
    await resetSession(client);
    await limitWait(client, Math.min(options.timeout, longestWait));
  };
  await reset();
  await inTransaction(client, async () => {
    const before = await countDeletions(client);
    if (way.kind === 'update') {
      await withoutTriggers(client, way.table, () => client.query(sql));
    }
    if (way.kind === 'transaction') {
      const parts = await watchParts(client, options.run.sql);
      await client.query(await withoutRules(client, sql));
      await reset();
      await parts.refuse();
    }
    await reportLostRows(client, options, before);
    await options.save();
  });
}

/** Drops the constraint of an index that another program made as a constraint. */
async function withoutRules(client, sql) {
  const { rows } =
    await client.query(`select conname as name, format('ALTER TABLE %s DROP CONSTRAINT %I;', conrelid::regclass, conname) as drop
    from pg_constraint where contype = 'u' and connamespace = quote_ident(current_schema())::regnamespace`);
  const drops = new Map(rows.map(({ name, drop }) => [name, drop]));
  return sql.replace(/^DROP INDEX ("[^"]+"|\w+);$/gm, (statement, name) => {
    return drops.get(name.replaceAll('"', '')) ?? statement;
  });
}

async function runBatches(client, rows, update) {
  await limitWait(client, longestWait);
  await updateInBatches(client, rows, update);
}

const isConcurrent = /^\s*\w+\s+(unique\s+)?index\s+concurrently\b/im;
const newIndex =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("[^"]+"|\S+)/im;

async function runAlone(client, statement, { timeout }) {
  await limitWait(client, isConcurrent.test(statement) ? timeout : longestWait);
  const index = newIndex.exec(statement)?.[1];
  if (index === undefined) await client.query(statement);
  else await buildIndex(client, statement, index);
}

/** An interrupted build leaves an unused index, which blocks the next build and slows down writes. */
async function buildIndex(client, statement, index) {
  await dropInvalid(client, index);
  try {
    await client.query(statement);
  } catch (error) {
    await dropInvalid(client, index).catch(() => {});
    throw error;
  }
}

async function dropInvalid(client, index) {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${index}`);
}

async function limitWait(client, milliseconds) {
  await client.query(`set lock_timeout = ${milliseconds}`);
}

/**
 * How many rows of each table, by its oid, this session has deleted lately: others may do so meanwhile, too. PostgreSQL
 * also counts earlier transactions, until it has passed their figures on.
 */
async function countDeletions(client) {
  const { rows } =
    await client.query(`select relid as table, relname as name, n_tup_del as count from pg_stat_xact_user_tables
    where schemaname = current_schema() and n_tup_del > 0`);
  return new Map(rows.map((row) => [row.table, row]));
}

async function reportLostRows(client, { run, report }, before) {
  const kept = Object.values(run.tables);
  for (const [table, { name, count }] of await countDeletions(client)) {
    const lost = Number(count) - Number(before.get(table)?.count ?? 0);
    if (lost === 0 || !kept.includes(name)) continue;
    if (!run.isEdited) {
      throw new MigrationError(
        `It would delete ${lost} rows of ${name}, and this migration must not delete any.`,
      );
    }
    report(`${run.id}, whose SQL was edited, deletes ${lost} rows of ${name}.`);
  }
}

// wait-for

const [firstNotice, nextNotice] = [1000, 5000];

/** Tries until it succeeds or the time is up. Returns whether it did. Does not block the process. */
async function waitFor(attempt, { timeout, onWait }) {
  const start = performance.now();
  let notice = firstNotice;
  while (!(await attempt())) {
    const waited = performance.now() - start;
    if (waited > timeout) return false;
    if (waited > notice) {
      await onWait(Math.round(waited / 1000));
      notice = waited + nextNotice;
    }
    await sleep(20 + Math.random() * 80);
  }
  return true;
}

// session

/** The default number of milliseconds to wait for a lock of a session that does not migrate. */
const usualTimeout = 60_000;

/** Uses one session for all work. The lock belongs to it and ends with it, however the process ends. */
async function migrationSession(url, options, work) {
  return withClient(url, async (client) => {
    await withClient(url, (other) => refusePooler(client, other));
    await refuseReadOnly(client);
    await client.query(settings);
    await lockMigrations(client, options);
    await readRecord(client, 'schema_migrations');
    await client.query(`${migrationsTable}; ${progressTable}`);
    const waiting = { timeout: usualTimeout, ...options };
    return work({
      run: async (choose) => runSteps(client, choose(await readState(client)), waiting),
      restore: (id) => `restore a backup of the database from before ${id}.`,
    });
  });
}

/**
 * A table of an earlier version has no `additive`. A table that has it is not altered, since that would wait for its
 * readers.
 */
const migrationsTable = `
  create table if not exists schema_migrations
    (id text primary key, checksum text not null, applied_at timestamptz(3) not null, additive integer);
  do $$ begin
    if not exists (
      select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'additive'
    ) then
      alter table schema_migrations add column additive integer;
    end if;
  end $$
`;

async function readState(client) {
  const { rows: migrations } = await client.query(
    'select id, checksum, additive from schema_migrations',
  );
  const { rows } = await client.query('select id, command, done from schema_migration_steps');
  return { migrations, ...(rows[0] && { underWay: rows[0] }) };
}

const rounds = 3;

/**
 * A pooler in transaction mode gives each transaction any free session, so locks and settings get lost. It is detected
 * if two clients get the same session, or one client gets two.
 */
async function refusePooler(client, other) {
  for (let round = 0; round < rounds; round += 1) {
    const ours = await backend(client);
    await other.query('begin');
    const theirs = await backend(other);
    // In this order, because a pooler with one session could not answer while the other client is in a transaction.
    const isShared = ours === theirs || ours !== (await backend(client));
    await other.query('rollback');
    if (isShared) throw new MigrationError(advice);
  }
}

async function backend(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

const advice =
  'DATABASE_URL leads to a connection pooler in transaction mode, and a migration needs one session from its beginning to its end. Nothing was changed. Run it with the direct URL, that of the PostgreSQL server itself: `DATABASE_URL=postgres://… npm run db:migrate`.';

/** Reads what is applied without changing anything. A database of an earlier version has fewer columns. */
function readRecorded(url) {
  return withClient(url, async (client) => {
    const migrations = await readRecord(client, 'schema_migrations');
    const [underWay] = await readRecord(client, 'schema_migration_steps');
    return { migrations, ...(underWay && { underWay }) };
  });
}

async function readRecord(client, table) {
  const { rows: found } = await client.query('select where to_regclass($1) is not null', [table]);
  if (found.length === 0) return [];
  const { rows, fields } = await client.query(`select * from ${table}`);
  refuseForeignRecord(fields.map(({ name }) => name));
  return rows;
}

/** Any number that all processes share. PostgreSQL separates such locks by database. */
const lockKey = 7_263_548_190;

/** After this many seconds without a statement, a process hangs instead of migrating. */
const longestSilence = 60;

/**
 * Waits for the process that holds the lock as long as it works. If it dies, the lock is free. Asks repeatedly, since a
 * session that waits inside PostgreSQL would block CREATE INDEX CONCURRENTLY.
 */
async function lockMigrations(client, { timeout = Infinity, report }) {
  const hasLock = await waitFor(() => tryLock(client), {
    timeout,
    async onWait(seconds) {
      const holder = await findHolder(client);
      if (holder !== undefined && holder.idle > longestSilence) throw hanging(holder);
      report(
        `${describeHolder(holder)} migrates this database; waiting for it, ${seconds} s by now.`,
      );
    },
  });
  if (hasLock) return;
  throw new MigrationError(
    `${describeHolder(await findHolder(client))} has been migrating this database for ${Math.round(timeout / 1000)} seconds. Nothing was changed here; start again when it has ended.`,
  );
}

async function tryLock(client) {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [lockKey]);
  return rows[0]?.locked === true;
}

async function findHolder(client) {
  const { rows } = await client.query(
    `select pid, host(client_addr) as address, query,
      case when state like 'idle%' then extract(epoch from now() - state_change) else 0 end::float as idle
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = $1 and granted
      and datname = current_database()`,
    [lockKey],
  );
  return rows[0];
}

function describeHolder(holder) {
  return `Another process${holder === undefined ? '' : ` (${describeSession(holder)})`}`;
}

function hanging(holder) {
  return new MigrationError(
    `${describeHolder(holder)} has begun to migrate this database and has done nothing for ${Math.round(holder.idle)} seconds. Nothing was changed here. End it, or its session by \`select pg_terminate_backend(${holder.pid})\`, and start again.`,
  );
}

// migrate

export { MigrationError };

const runner = openRunner({
  migrationSession,
  readRecorded,
  listDrift,
  inspectRows,
  hasDatabase: () => true,
  isUnavailable,
  isTaken,
  loadBaseline: () => import('./baseline.js'),
});

export const { migrate, baseline, rollback, readStatus, refusePending, inspect } = runner;

/**
 * What `cli.ts` calls for `migrate`, `status`, `baseline`, `rollback` and `squash`. Prints the result and returns the
 * exit status.
 */
export function runAsCommand(name, url, args) {
  return runCommand(name, { runner, url, args });
}

// Without `await`, because `baseline.js` imports this file and gets it only after it is loaded.
if (process.argv[1] === import.meta.filename) void runProgram(runner);

/** For what is loaded later. */
export {
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
};
