import { existsSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeDrift, describeRows } from './checks.ts';
import { describeUnderWay, MigrationError } from './history.ts';
import type { Runner } from './runner.ts';
import { squashMigrations } from './squash.ts';

/** The commands with their arguments. */
const commands = {
  migrate: { usage: ' [--wait <seconds>]', run: runMigrate },
  status: { usage: ' [--json] [--draft <meta.json>]', run: runStatus },
  baseline: { usage: ' [--apply]', run: runBaseline },
  rollback: { usage: '', run: runRollback },
  squash: { usage: '', run: runSquash },
} as const;

export type CommandName = keyof typeof commands;

interface Call {
  readonly runner: Runner;
  readonly url: string;
  readonly args: readonly string[];
}

/** The command was called in a wrong way. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs a command with its arguments, prints the result and returns the exit status. Throws errors that are not the
 * user's.
 */
export async function runCommand(name: CommandName, call: Call): Promise<number> {
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
export async function runProgram(runner: Runner): Promise<void> {
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

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

async function runMigrate({ runner, url, args }: Call): Promise<number> {
  const { wait } = readOptions(args, { wait: { type: 'string' } });
  const timeout = wait === undefined ? {} : { timeout: 1000 * readSeconds(wait) };
  const applied = await runner.migrate(url, { report: print, ...timeout });
  for (const id of applied) print(`Applied ${id}.`);
  if (applied.length === 0) print('Nothing to apply: the database is up to date.');
  return 0;
}

/** 1 unless the database is up to date. */
async function runStatus({ runner, url, args }: Call): Promise<number> {
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
async function runBaseline({ runner, url, args }: Call): Promise<number> {
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

async function runRollback({ runner, url, args }: Call): Promise<number> {
  readOptions(args, {});
  const id = await runner.rollback(url, { report: print });
  print(`Took ${id} back; \`npm run db:migrate\` applies it again.`);
  return 0;
}

async function runSquash({ args }: Call): Promise<number> {
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
function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readSeconds(value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new UsageError('--wait takes a number from 0 to 999999.');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
