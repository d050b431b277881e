// The program that applies migrations, made by scaffold and replaced as a whole when it is newer: not to be edited.
// `node migrations/migrate.js migrate|status|baseline|rollback|squash`, with DATABASE_URL; the server and its commands call it, too.

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

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

// driver

const require = createRequire(import.meta.url);

/** The SQLite of Node.js 22.16 and later, and on earlier ones a package that is the same. */
const { DatabaseSync } = loadSqlite();

function loadSqlite() {
  if (isBuiltin('node:sqlite')) {
    const builtIn = withoutWarnings(() => require('node:sqlite'));
    if ('columns' in builtIn.StatementSync.prototype) return builtIn;
  }
  try {
    return completed(require('@photostructure/sqlite'));
  } catch (cause) {
    throw new Error(
      `SQLite needs Node.js 22.16 or newer, or the optional package @photostructure/sqlite: \`npm install\` brings it.`,
      { cause },
    );
  }
}

/** Node.js 22 warns whoever loads its SQLite that it is experimental. */
function withoutWarnings(work) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * For Node.js before 22.16: @photostructure/sqlite 1, the last that is for Node.js 20, with what it does differently
 * from `node:sqlite` put right. What follows goes when Node.js 20 does.
 */
function completed(older) {
  return {
    DatabaseSync: class extends older.DatabaseSync {
      prepare(sql) {
        const statement = super.prepare(sql);
        databases.set(statement, this);
        return completeStatement(statement);
      }
    },
    StatementSync: older.StatementSync,
  };
}

/** A statement does not keep its database from being collected, which closes it; this does: statement → database. */
const databases = new WeakMap();

function completeStatement(statement) {
  return {
    all: (...values) => withCode(() => statement.all(...values.map(bindable))),
    get: (...values) => withCode(() => statement.get(...values.map(bindable))),
    run: (...values) => withCode(() => statement.run(...values.map(bindable))),
    // Its iterator does not keep the statement from being collected; this function does.
    *iterate(...values) {
      const rows = statement.iterate(...values.map(bindable));
      for (;;) {
        const next = withCode(() => rows.next());
        if (next.done === true) return;
        yield next.value;
      }
    },
    columns: () => statement.columns(),
    setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
    setReturnArrays: (enabled) => statement.setReturnArrays(enabled),
  };
}

/** It cuts texts at U+0000, and makes 0 of numbers near to it: a column of numbers takes them as text. */
function bindable(value) {
  if (typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-15) return String(value);
  if (typeof value !== 'string' || !value.includes('\0')) return value;
  throw new Error('A text with the character U+0000 cannot be stored with Node.js before 22.16.');
}

/** It leaves the result code out of some errors: SQLite's words say it. */
function withCode(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || 'errcode' in error) throw error;
    const { message } = error;
    const known = codes.find(([start]) => message.startsWith(start));
    throw known === undefined ? error : Object.assign(error, { errcode: known[1] });
  }
}

/** https://sqlite.org/rescode.html */
const codes = [
  ['UNIQUE constraint failed', 2067],
  ['CHECK constraint failed', 275],
  ['FOREIGN KEY constraint failed', 787],
  ['database is locked', 5],
  ['database table is locked', 6],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['locking protocol', 15],
  ['string or blob too big', 18],
  ['file is not a database', 26],
];

// functions

/** SQL functions that SQLite lacks. Each returns NULL for NULL. */
const functions = {
  /** Lower case for all of Unicode. SQLite's own `lower` only knows ASCII. */
  fold: (text) => (typeof text === 'string' ? text.toLowerCase() : text),
  float_text: (value) => (typeof value === 'number' ? floatText(value) : null),
  /** Functions by which migrations convert numbers and find those that would lose something. */
  decimal_units: (value, scale) =>
    typeof value === 'number' ? decimalUnits(value, Number(scale)) : null,
  more_digits: (value, scale) =>
    typeof value === 'number' ? Number(hasMoreDigits(value, Number(scale))) : null,
  text_float: (text) => (typeof text === 'string' ? readFloat(text) : null),
  is_exact: (text) => (typeof text === 'string' ? Number(isExact(text)) : null),
  base64: (bytes) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : null),
};

function addFunctions(connection) {
  for (const [name, work] of Object.entries(functions)) {
    connection.function(name, { deterministic: true }, work);
  }
}

/** The shortest text that reads as the same number, in the form of PostgreSQL: `1e-05`, `1e+15`. */
function floatText(value) {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 15) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const jsonNumber = /^(-?(?:0|[1-9]\d*))(?:\.(\d+))?(?:[eE]([-+]?\d{1,3}))?$/;

/** Reads a number in the form of JSON, with an exponent of at most three digits. */
function readDecimal(text) {
  const [, whole, fraction = '', exponent = '0'] = jsonNumber.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

const [lowest, highest] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Uses the shortest text that reads as the same number. Integers of 64 bits are exact. */
function readNumber(number) {
  const isWhole = Number.isInteger(number) && number >= -(2 ** 63) && number < 2 ** 63;
  return isWhole ? { digits: BigInt(number), exponent: 0 } : readDecimal(String(number));
}

/** The number in units of 10^-`scale`, rounded half away from zero; undefined for infinity. */
function countUnits(number, scale) {
  const decimal = readNumber(number);
  if (decimal === undefined) return undefined;
  const shift = decimal.exponent + scale;
  if (shift >= 0) return decimal.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const half = divisor / 2n;
  return (decimal.digits + (decimal.digits < 0n ? -half : half)) / divisor;
}

/** The number in units of its last digit, as a float if it is too large for an integer. */
function decimalUnits(number, scale) {
  const units = countUnits(number, scale);
  if (units === undefined) return number;
  return units < lowest || units > highest ? Number(units) : units;
}

/** Whether the number has more than `scale` decimals. */
function hasMoreDigits(number, scale) {
  const decimal = readNumber(number);
  const units = countUnits(number, scale);
  return decimal !== undefined && units !== undefined && !isSame(decimal, units, -scale);
}

/** The number in a text; null if there is none, or if it is too large or too small. */
function readFloat(text) {
  const decimal = readDecimal(text);
  const number = Number(text);
  if (decimal === undefined || !Number.isFinite(number)) return null;
  return number === 0 && decimal.digits !== 0n ? null : number;
}

/** Whether a float equals the text that it was read from. */
function isExact(text) {
  const [decimal, number] = [readDecimal(text), readFloat(text)];
  if (decimal === undefined || number === null) return false;
  const kept = readNumber(number);
  return kept !== undefined && isSame(decimal, kept.digits, kept.exponent);
}

function isSame(decimal, digits, exponent) {
  const lower = Math.min(decimal.exponent, exponent);
  const scaled = (value, power) => value * 10n ** BigInt(power - lower);
  return scaled(decimal.digits, decimal.exponent) === scaled(digits, exponent);
}

// file

/** `file:./var/app.db`, `file:/srv/app.db` or `file:///srv/app.db` → a path. */
function databaseFile(url) {
  if (url.startsWith('file://')) return fileURLToPath(url);
  return url.replace(/^file:/, '');
}

/** https://sqlite.org/rescode.html */
const generic = 1;
const busy = 5;
const cantOpen = 14;

/**
 * Creates a file that only its owner can read, like the files that SQLite puts next to it, since it has addresses and
 * password hashes. Throws if the file cannot be created.
 */
function makeFile(file) {
  if (existsSync(file)) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw Object.assign(new Error(String(error), { cause: error }), { errcode: cantOpen });
  }
}

/** Opens a connection with all settings that belong to a connection instead of the file. */
function openFile(file, options = {}) {
  const { timeout = 3000, readOnly = false } = options;
  const connection = new DatabaseSync(file, { readOnly, timeout });
  try {
    if (!readOnly) useWriteAheadLog(connection, timeout);
    connection.exec(`
      pragma synchronous = FULL;
      pragma foreign_keys = ON;
      pragma trusted_schema = OFF;
      pragma temp_store = MEMORY;
      pragma cache_size = -16384;`);
    addFunctions(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * The file stores the mode, so only the first process has to set it. If several processes are first, SQLite tells all
 * but one that the file is locked, without its usual timeout.
 */
function useWriteAheadLog(connection, timeout) {
  const deadline = performance.now() + timeout;
  const mode = connection.prepare('pragma journal_mode');
  while (mode.get()?.journal_mode !== 'wal') {
    try {
      connection.exec('pragma journal_mode = WAL');
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Whether another connection has the lock that this one needs. */
function isLocked(error) {
  return primaryCode(error) === busy;
}

/** The primary result code of an SQLite error; undefined for other errors. */
function primaryCode(error) {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const unavailableCodes = new Set([5, 6, 8, 10, 11, 13, 14, 15, 26]);

function isUnavailable(error) {
  const code = primaryCode(error);
  return code !== undefined && unavailableCodes.has(code);
}

/** Whether the error says that something to be created exists already. SQLite has no code for that. */
function isTaken(error) {
  return (
    error instanceof Error &&
    primaryCode(error) === generic &&
    /^there is already | already exists$/.test(error.message)
  );
}

// sql-words

/**
 * SQL in one spelling: ignores case, spacing, comments and the quotes of names, which also change when SQLite renames
 * something.
 */
function sqlWords(sql) {
  return [...sql.matchAll(sqlWord)].flatMap(([text, name]) => {
    if (/^(\s|--|\/\*)/.test(text)) return [];
    if (text.startsWith("'")) return [text];
    return [(name ?? text).toLowerCase()];
  });
}

/** White space or a comment, a string, a quoted name, a word or number, or any other sign. */
const sqlWord =
  /\s+|--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|["`[]([^"`\]]*)["`\]]|[\w$.]+|[<>=!|]+|[^]/g;

function joinWords(words) {
  return words.join(' ').replace(/ (?=[,)])|(?<=\() /g, '');
}

/** The expression of each CHECK. */
function checksIn(sql) {
  const words = sqlWords(sql);
  return words.flatMap((it, index) => {
    if (it !== 'check' || words[index + 1] !== '(') return [];
    return [joinWords(bracket(words.slice(index + 2)))];
  });
}

function bracket(words) {
  let depth = 1;
  const end = words.findIndex((word) => {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return depth === 0;
  });
  return words.slice(0, end);
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

/** How the database differs from the tables that `schemaSql` makes. */
async function listDrift(url, schemaSql) {
  const connection = openFile(databaseFile(url), { readOnly: true });
  try {
    return [...listTableDrift(connection, schemaSql), ...wrongTotals(connection)];
  } finally {
    connection.close();
  }
}

/** Tables with wrong totals. `INSERT OR REPLACE` does not fire triggers unless recursive triggers are on. */
function wrongTotals(connection) {
  const triggers = connection
    .prepare(
      `select tbl_name as name, sql from sqlite_schema
      where type = 'trigger' and sql like '%AFTER INSERT%INSERT INTO row_counts%' order by 1`,
    )
    .all();
  return triggers.flatMap(({ name, sql }) => {
    const counted = countedSql({ name, sql });
    const right = connection
      .prepare(
        `select * from (select * from row_counts where name = ?1 union all select ?1, '', 0, 0 limit 1)
        intersect ${counted}`,
      )
      .get(name);
    if (right !== undefined) return [];
    const found = `not that of its rows: insert or replace into row_counts ${counted}`;
    return [
      {
        kind: 'different',
        object: `total of ${name}`,
        expected: 'as many as there are rows',
        found,
      },
    ];
  });
}

/** SQL for the total that a trigger keeps. */
function countedSql({ name, sql }) {
  const [, deletedAt = 'null'] = /\(new\.(\S+) IS NOT NULL\)/i.exec(sql) ?? [];
  return `select ${quoteText(name)}, '', count(*), count(${deletedAt}) from ${quoteName(name)}`;
}

function listTableDrift(connection, schemaSql) {
  return compareSchemas(makeSchema(schemaSql), readSchema(connection));
}

function makeSchema(schemaSql) {
  const model = new DatabaseSync(':memory:');
  try {
    addFunctions(model);
    model.exec(schemaSql);
    return readSchema(model);
  } finally {
    model.close();
  }
}

function readSchema(connection) {
  const tables = connection
    .prepare(
      `select name, sql from sqlite_schema join pragma_table_list using (name)
      where schema = 'main' and sqlite_schema.type = 'table' and pragma_table_list.type <> 'shadow'
        and name not like 'sqlite\\_%' escape '\\' and name <> 'schema_migrations'`,
    )
    .all();
  return new Map(
    tables.flatMap((table) => [
      [`table ${table.name}`, tableOptions(table)],
      ...columnParts(connection, table),
      ...keyParts(connection, table),
      ...checksIn(table.sql).map((check) => [`check ${table.name}: ${check}`, '']),
      ...indexParts(connection, table),
      ...uniqueParts(connection, table),
      ...triggerParts(connection, table),
    ]),
  );
}

function tableOptions({ sql }) {
  const words = sqlWords(sql);
  const options = words.slice(words.lastIndexOf(')') + 1);
  return joinWords(words.includes('autoincrement') ? ['autoincrement', ...options] : options);
}

function columnParts(connection, { name }) {
  return connection
    .prepare(`select * from pragma_table_xinfo(?, 'main')`)
    .all(name)
    .map((column) => [
      `column ${name}.${column.name}`,
      [
        column.type.toLowerCase(),
        ...(column.pk > 0 ? [`primary key ${column.pk}`] : []),
        ...(column.notnull === 1 ? ['not null'] : []),
        ...(column.dflt_value === null
          ? []
          : [`default ${joinWords(sqlWords(column.dflt_value))}`]),
      ].join(' '),
    ]);
}

function keyParts(connection, { name }) {
  return connection
    .prepare(
      `select group_concat("from", ', ') as columns,
        "table" || ' (' || group_concat(coalesce("to", (
          select name from pragma_table_info(list."table") where pk = list.seq + 1
        ), 'id'), ', ') || ') on delete ' || lower(on_delete)
          || case on_update when 'NO ACTION' then '' else ' on update ' || lower(on_update) end as rule
      from pragma_foreign_key_list(?, 'main') as list group by id`,
    )
    .all(name)
    .map(({ columns, rule }) => [`foreign key ${name}.${columns}`, rule]);
}

function indexParts(connection, { name }) {
  return connection
    .prepare(
      `select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null`,
    )
    .all(name)
    .map((index) => {
      const words = sqlWords(index.sql);
      const unique = words[1] === 'unique' ? ['unique'] : [];
      return [`index ${index.name}`, joinWords([...unique, ...words.slice(words.indexOf('on'))])];
    });
}

/** Unique constraints of tables are not ours: the schema makes unique indexes. */
function uniqueParts(connection, { name }) {
  return connection
    .prepare(
      `select group_concat(part.name, ', ') as columns
      from pragma_index_list(?) as list, pragma_index_info(list.name) as part
      where list.origin = 'u' group by list.name`,
    )
    .all(name)
    .map(({ columns }) => [`unique constraint ${name}.${columns}`, '']);
}

function triggerParts(connection, { name }) {
  return connection
    .prepare(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?`)
    .all(name)
    .map((trigger) => [`trigger ${name}.${trigger.name}`, joinWords(sqlWords(trigger.sql))]);
}

async function inspectRows(url, checks) {
  const connection = openFile(databaseFile(url), { readOnly: true });
  try {
    return countRows(connection, checks);
  } finally {
    connection.close();
  }
}

function countRows(connection, checks) {
  return checks.map((check) => ({ ...check, rows: countBy(connection, check.count) }));
}

/** The number that a query returns. */
function countBy(connection, sql) {
  const statement = connection.prepare(sql);
  statement.setReturnArrays(true);
  return Number(statement.get()?.[0]);
}

/** Reads integers as numbers, or as `bigint` if a number would lose digits. */
function readRows(connection, sql, values) {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement
    .all(...values)
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainInteger(value)])),
    );
}

function plainInteger(value) {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

// record

/**
 * Reads what is applied without changing anything. A migration is one transaction here, so none is ever in progress.
 */
async function readRecorded(url) {
  const file = databaseFile(url);
  // To open a missing file would create it.
  if (!existsSync(file)) return { migrations: [] };
  const connection = openFile(file, { readOnly: true });
  try {
    const columns = recordColumns(connection);
    refuseForeignRecord(columns);
    if (columns.length === 0) return { migrations: [] };
    // A database of an earlier version has fewer columns.
    const all = connection.prepare('select * from schema_migrations');
    return { migrations: all.all() };
  } finally {
    connection.close();
  }
}

/** Creates the table if it does not exist. */
function readApplied(connection) {
  refuseForeignRecord(recordColumns(connection));
  connection.exec(
    'create table if not exists schema_migrations (id text primary key not null, checksum text not null, applied_at text not null, additive integer) strict',
  );
  if (!recordColumns(connection).includes('additive'))
    connection.exec('alter table schema_migrations add column additive integer');
  return connection.prepare('select id, checksum, additive from schema_migrations').all();
}

function recordColumns(connection) {
  return connection
    .prepare(`select name from pragma_table_info('schema_migrations')`)
    .all()
    .map(({ name }) => name);
}

function record(connection, { removes, adds }) {
  const remove = connection.prepare('delete from schema_migrations where id = ?');
  for (const id of removes) remove.run(id);
  const add = connection.prepare(
    'insert into schema_migrations (id, checksum, applied_at, additive) values (?, ?, ?, ?)',
  );
  for (const { id, checksum, additive } of adds) {
    add.run(id, checksum, new Date().toISOString(), additive ?? null);
  }
}

// precautions

/** Creates the owner's indexes and triggers again, which the script saved before it rebuilt their table. */
function remakeCarried(connection) {
  const find = `select 1 from sqlite_temp_schema where name = 'carried__objects'`;
  if (connection.prepare(find).get() === undefined) return;
  const carried = connection.prepare('select sql from carried__objects').all();
  for (const { sql } of carried) remake(connection, sql);
  connection.exec('drop table temp.carried__objects; drop table if exists temp.unknown__columns');
}

function remake(connection, sql) {
  try {
    connection.exec(sql);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `your index or trigger cannot be recreated on the rebuilt table: ${message}. Drop or change it first: ${sql}`,
      { cause },
    );
  }
}

/**
 * Refuses to rebuild a table with columns or constraints that the schema does not have, unless the SQL mentions them.
 */
function refuseOwnParts(connection, { id, sql, rebuilt }) {
  const words = sqlWords(sql);
  const written = joinWords(words);
  const lost = Object.entries(rebuilt).flatMap(([table, known]) =>
    ownParts(connection, table, known)
      .filter(({ kind, text }) =>
        kind === 'column' ? !words.includes(text.toLowerCase()) : !written.includes(text),
      )
      .map(({ kind, text }) => `the ${kind} ${text} of ${table}`),
  );
  if (lost.length === 0) return;
  throw new MigrationError(
    `Migration ${id} rebuilds tables, and what is not in the schema would be lost: ${lost.join(', ')}. Nothing was changed. Drop it first; or write it into migrations/${id}/up.sql, into the new table and, for a column, into what is copied to it.`,
  );
}

function ownParts(connection, table, known) {
  const list = (query) =>
    connection
      .prepare(query)
      .all(table)
      .map(({ text }) => text);
  const columns = list('select name as text from pragma_table_xinfo(?)')
    .filter((name) => !known.columns.includes(name))
    .map((name) => ({ kind: 'column', text: name }));
  const uniques = list(`select group_concat(column.name, ', ') as text
    from pragma_index_list(?) as list, pragma_index_info(list.name) as column
    where list.origin = 'u' group by list.name`).map((names) => constraint(`unique (${names})`));
  const [sql = ''] = list(
    `select sql as text from sqlite_schema where type = 'table' and name = ?`,
  );
  const expected = known.checks.flatMap((check) => checksIn(`check (${check})`));
  const checks = checksIn(sql)
    .filter((check) => !expected.includes(check))
    .map((check) => constraint(`check (${check})`));
  return [...columns, ...uniques, ...checks];
}

function constraint(text) {
  return { kind: 'constraint', text: joinWords(sqlWords(text)) };
}

/**
 * Views, triggers and virtual tables of the owner that no longer work because something they name is missing. A trigger
 * is tried together with all triggers of its table.
 */
function listBroken(connection) {
  return connection
    .prepare(
      `select type, name, tbl_name as place from sqlite_schema where type in ('view', 'trigger')
        and sql not like '%INSERT INTO row_counts %' and sql not like '%UPDATE row_counts SET %'
      union all
      select 'virtual table', name, name from pragma_table_list where schema = 'main' and type = 'virtual'`,
    )
    .all()
    .filter((object) => !isUsable(connection, object))
    .map(({ type, name }) => `${type} ${name}`);
}

function isUsable(connection, object) {
  return listUses(connection, object).every((sql) => {
    try {
      const statement = connection.prepare(sql);
      // A virtual table reads its rows from elsewhere only when it is queried.
      if (object.type === 'virtual table') statement.get();
      return true;
    } catch {
      return false;
    }
  });
}

/** Statements that make SQLite parse the SQL of an object. They are prepared but not run. */
function listUses(connection, { type, place }) {
  const table = quoteName(place);
  if (type === 'virtual table') return [`select * from ${table} limit 1`];
  if (type === 'view') return [`select * from ${table}`];
  const columns = connection
    .prepare('select name from pragma_table_info(?)')
    .all(place)
    .map(({ name }) => `${quoteName(name)} = null`);
  return [
    `insert into ${table} default values`,
    `update ${table} set ${columns.join(', ')}`,
    `delete from ${table}`,
  ];
}

/** Copies a database that has rows to `backups/` beside it, while nobody writes. Returns the path of the copy. */
function writeBackup(connection, file, id) {
  if (!hasRows(connection)) return undefined;
  const time = new Date().toISOString().replaceAll(':', '-');
  const backup = join(backupFolder(file), `${basename(file)}-${time}-${id}.sqlite`);
  try {
    mkdirSync(backupFolder(file), { recursive: true });
    removeUnfinished(file);
    refuseFullDisk(connection, file);
    copyDatabase(file, `${backup}.part`);
    renameSync(`${backup}.part`, backup);
  } catch (cause) {
    // An incomplete copy would take up space.
    rmSync(`${backup}.part`, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no copy of it can be written to ${backupFolder(file)}: ${reason}`, { cause });
  }
  return backup;
}

/** Removes incomplete copies of processes that were killed. No other process makes one now. */
function removeUnfinished(file) {
  for (const name of listBackups(file, '.sqlite.part')) rmSync(join(backupFolder(file), name));
}

/** Backups are never deleted here: only the owner knows which ones are needed. */
function countBackups(file) {
  const folder = backupFolder(file);
  const sizes = listBackups(file).map((name) => statSync(join(folder, name)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { folder, copies: sizes.length, megabytes: Math.ceil(bytes / 1e6) };
}

/** The last backup before the migration. */
function findBackup(file, id) {
  const name = listBackups(file).findLast((it) => it.endsWith(`Z-${id}.sqlite`));
  return name && join(backupFolder(file), name);
}

/** The backup needs space, and so do rebuilt tables in the write-ahead log. */
function refuseFullDisk(connection, file) {
  const { bavail, bsize } = statfsSync(backupFolder(file));
  const [free, needed] = [bavail * bsize, 2 * usedBytes(connection)];
  if (free >= needed) return;
  throw new Error(
    `the disk has ${Math.floor(free / 1e6)} MB left, and the copy and the new tables take ${Math.ceil(needed / 1e6)} MB`,
  );
}

function usedBytes(connection) {
  return countBy(
    connection,
    `select (page_count - freelist_count) * page_size
    from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
}

/** Uses another connection, since one that is inside a transaction cannot copy. */
function copyDatabase(file, copy) {
  const connection = openFile(file, { readOnly: true });
  try {
    makeFile(copy);
    connection.prepare('vacuum into ?').run(copy);
  } finally {
    connection.close();
  }
  const descriptor = openSync(copy, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A new database has nothing to lose. */
function hasRows(connection) {
  return connection
    .prepare(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'schema_migrations'`,
    )
    .all()
    .some(({ name }) => connection.prepare(`select 1 from ${quoteName(name)}`).get());
}

/** The names of backups, oldest first. */
function listBackups(file, ending = '.sqlite') {
  if (!existsSync(backupFolder(file))) return [];
  return readdirSync(backupFolder(file))
    .filter((name) => name.startsWith(basename(file)) && name.endsWith(ending))
    .filter((name) => backupName.test(name.slice(basename(file).length, -ending.length)))
    .toSorted();
}

const backupName = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-.+$/;

function backupFolder(file) {
  return join(dirname(file), 'backups');
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

async function migrationSession(url, options, work) {
  const file = databaseFile(url);
  makeFile(file);
  return work({
    run: (choose) =>
      withConnection(file, async (connection) => {
        await beginAlone(connection, file, options);
        return finish(connection, async () => {
          const run = choose({ migrations: readApplied(connection) });
          if (run !== undefined) await applyRun(connection, file, run, options.report);
          return run;
        });
      }),
    restore: (id) => restoring(file, id),
  });
}

/** Opens a connection for one migration, so that its temporary tables and settings end with it. */
async function withConnection(file, work) {
  const connection = openFile(file);
  try {
    ignoreForeignKeys(connection);
    // Longer waits happen below, without blocking this process.
    connection.exec('pragma busy_timeout = 100');
    return await work(connection);
  } finally {
    connection.close();
  }
}

/**
 * Dropping a rebuilt table must not delete the rows that refer to it. Inside a transaction, SQLite silently ignores
 * this pragma.
 */
function ignoreForeignKeys(connection) {
  connection.exec('pragma foreign_keys = OFF');
  const setting = connection.prepare('pragma foreign_keys').get();
  if (setting?.foreign_keys === 0) return;
  throw new MigrationError(
    'Foreign keys cannot be turned off here: migrate outside of a transaction.',
  );
}

/** The write lock separates processes: whoever has it knows what is applied until it commits or dies. */
async function beginAlone(connection, file, { timeout = Infinity, report }) {
  const held = (milliseconds) =>
    `Another connection has been writing to ${file} for ${milliseconds / 1000} s: a migration, or a transaction that is still open, perhaps of this very process.`;
  const isBegun = await waitFor(() => tryBegin(connection), {
    timeout,
    onWait: (seconds) => report(`${held(seconds * 1000)} Waiting.`),
  });
  if (isBegun) return;
  throw new MigrationError(`${held(timeout)} Nothing was changed; try again.`);
}

function tryBegin(connection) {
  try {
    connection.exec('begin immediate');
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

async function finish(connection, work) {
  try {
    const result = await work();
    if (connection.isTransaction) connection.exec('commit');
    return result;
  } finally {
    if (connection.isTransaction) connection.exec('rollback');
  }
}

function restoring(file, id) {
  const backup = findBackup(file, id);
  if (backup === undefined) return 'restore a backup that is older.';
  return `stop the server, delete ${file}-wal and ${file}-shm, and copy ${backup} over ${file}, which does not have what was written since.`;
}

/** Runs a migration in the transaction of the caller, who undoes it if this throws. Foreign keys are off. */
async function applyRun(connection, file, run, report) {
  refuseTransactions(run.sql, `Migration ${run.id} says`);
  let backup;
  try {
    for (const line of reportRows(run, countRows(connection, run.checks))) report(line);
    refuseOwnParts(connection, run);
    backup = run.backup ? writeBackup(connection, file, run.id) : undefined;
    await change(connection, run, report);
  } catch (cause) {
    if (backup !== undefined) rmSync(backup);
    if (cause instanceof MigrationError) throw cause;
    throw new MigrationError(
      `Migration ${run.id} failed and was undone, the database is as it was: ${explainFailure(connection, cause)}`,
      { cause },
    );
  }
  if (backup === undefined) return;
  report(`${run.id}: a copy of the database is in ${backup}.`);
  const { copies, megabytes, folder } = countBackups(file);
  if (copies > 5)
    report(`${folder} holds ${copies} copies, ${megabytes} MB: they are yours to delete.`);
}

async function change(connection, run, report) {
  const broken = new Set(listBroken(connection));
  const rows = countTables(connection, Object.keys(run.tables));
  connection.exec(run.sql);
  refuseEnded(connection, run);
  await runData(run.data, {
    all: async (sql, ...values) => readRows(connection, sql, values),
    run: async (sql, ...values) => void connection.prepare(sql).run(...values),
  });
  refuseEnded(connection, run);
  remakeCarried(connection);
  for (const line of lostRows(run, rows, countTables(connection, Object.values(run.tables)))) {
    if (!run.isEdited) throw new Error(line);
    report(`${run.id}, whose SQL was edited: ${line}`);
  }
  refuseLostReferences(connection);
  refuseBroken(listBroken(connection).filter((name) => !broken.has(name)));
  if (run.schema !== undefined) refuseDrift(listTableDrift(connection, run.schema));
  record(connection, run);
  // Committed here, so that a full disk is reported as such.
  connection.exec('commit');
}

/** Refuses a script that has ended its transaction with a hidden statement. */
function refuseEnded(connection, { id }) {
  if (connection.isTransaction) return;
  throw new MigrationError(
    `Migration ${id} has ended its transaction: what it did until then stays, and it does not count as applied. Take that back by hand, and remove the statement that ends it.`,
  );
}

function lostRows({ tables }, before, after) {
  return Object.entries(tables).flatMap(([was, is], index) =>
    before[index] === after[index]
      ? []
      : [`${was} had ${before[index]} rows, ${is} would have ${after[index]}.`],
  );
}

function refuseLostReferences(connection) {
  const lost = connection
    .prepare(
      'select "table" as child, parent, count(*) as rows from pragma_foreign_key_check group by 1, 2',
    )
    .all();
  if (lost.length === 0) return;
  const rows = lost.map((it) => `${it.rows} of ${it.child} that point to ${it.parent}`);
  throw new Error(
    `it would leave rows that point to rows which are not there: ${rows.join(', ')}.`,
  );
}

function refuseBroken(names) {
  if (names.length === 0) return;
  throw new Error(
    `what you made in the database needs what it takes away: ${names.join(', ')}. Drop or change that first.`,
  );
}

function countTables(connection, tables) {
  return tables.map((table) => countBy(connection, `select count(*) from ${quoteName(table)}`));
}

/** SQLite does not say which generated column of the owner needs the dropped one. */
function explainFailure(connection, error) {
  const message = error instanceof Error ? error.message : String(error);
  const table = /^error in table (.+) after drop column/.exec(message)?.[1];
  if (table === undefined) return message;
  const generated = connection
    .prepare('select name from pragma_table_xinfo(?) where hidden in (2, 3)')
    .all(table)
    .map(({ name }) => name);
  if (generated.length === 0) return message;
  return `${message}. A generated column of yours may need it: ${generated.join(', ')}. Drop that first.`;
}

// migrate

export { MigrationError };
/** The server opens the file in the same way as its migrations. */
export { databaseFile, makeFile, openFile };

const runner = openRunner({
  migrationSession,
  readRecorded,
  listDrift,
  inspectRows,
  hasDatabase: (url) => existsSync(databaseFile(url)),
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
  countBy,
  countedSql,
  makeRun,
  makeSchema,
  migrationsFolder,
  quoteName,
  quoteText,
  readHistory,
  readSchema,
  readStatements,
  readText,
  silent,
};
