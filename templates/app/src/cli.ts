import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Config, ConfigError, loadConfig, readEnvironment } from './config.ts';
import { type Connection, hasDatabase, openConnection } from './database/client.ts';
import { isMissingTable, violation } from './database/dialect.ts';
import { inspectDatabase, migrate, rollback, squashMigrations } from './database/migrate.ts';
import { describeDrift, describeRows } from './database/migrations/checks.ts';
import { describeUnderWay, MigrationError } from './database/migrations/run.ts';
import { Problem } from './lib/problem.ts';

type Run = (args: readonly string[]) => Promise<void>;

/** `npm run db:migrate` in development; `node dist/cli.js migrate` where the server is installed. */
const commands: Readonly<Record<string, { readonly script: string; readonly run: Run }>> = {
  migrate: { script: 'db:migrate', run: runMigrate },
  status: { script: 'db:status', run: runStatus },
  rollback: { script: 'db:rollback', run: runRollback },
  squash: { script: 'db:squash', run: runSquash },
  seed: { script: 'db:seed', run: runSeed },
  'create-user': { script: 'user:create', run: runCreateUser },
  openapi: { script: 'openapi', run: runOpenapi },
};

/** The command was not called as it must be. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

try {
  const [name = '', ...args] = process.argv.slice(2);
  const command = commands[name];
  if (command === undefined) {
    throw new UsageError(`Usage: node dist/cli.js ${Object.keys(commands).join('|')} [options]`);
  }
  await command.run(args);
} catch (error) {
  const message = explain(error);
  if (message === undefined) throw error;
  warn(message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function runMigrate(args: readonly string[]): Promise<void> {
  const { wait } = readOptions('migrate', args, '[--wait <seconds>]', { wait: { type: 'string' } });
  const timeout = wait === undefined ? {} : { timeout: 1000 * readNumber('wait', wait, 0) };
  const applied = await migrate(settings().databaseUrl, { report: print, ...timeout });
  for (const id of applied) print(`Applied ${id}.`);
  if (applied.length === 0) print('Nothing to apply: the database is up to date.');
}

/** Exits with 1 unless the database is in step. */
async function runStatus(args: readonly string[]): Promise<void> {
  const { json, draft } = readOptions('status', args, '[--json] [--draft <meta.json>]', {
    json: { type: 'boolean' },
    draft: { type: 'string' },
  });
  const { status, isInStep, drift, uncompared, outlook } = await inspectDatabase(settings(), draft);
  const { id: next, found = [], uncounted } = outlook;
  const { applied, pending, unknown, altered, underWay } = status;
  if (!isInStep) process.exitCode = 1;
  if (json === true) {
    const concerned = found.map(({ code, target, rows }) => ({
      migration: next,
      hazard: `${code}:${target}`,
      rows,
    }));
    print(JSON.stringify({ ...status, drift, concerned, uncounted, uncompared }));
    return;
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
  if (isInStep) print('The database is in step.');
}

async function runRollback(args: readonly string[]): Promise<void> {
  readOptions('rollback', args, '', {});
  const { databaseUrl } = settings();
  if (!hasDatabase(databaseUrl)) throw new MigrationError('No migration is applied.');
  const id = await rollback(databaseUrl, { report: print });
  print(`Took ${id} back; \`${commandLine('migrate')}\` applies it again.`);
}

async function runSquash(args: readonly string[]): Promise<void> {
  readOptions('squash', args, '', {});
  const { id, removed, own, edited } = squashMigrations();
  print(`migrations/${id} makes the whole database now, and stands for ${removed.join(', ')}.`);
  if (own.length > 0) print(`It ends with the SQL of ${own.join(', ')}: see that it still fits.`);
  if (edited.length > 0) {
    print(`What you had written into ${edited.join(', ')} beside the tables is not in it.`);
  }
  print('Apply it to an empty database before you commit it: `npm test` does.');
}

async function runSeed(args: readonly string[]): Promise<void> {
  const options = readOptions('seed', args, '[--count 100]', {
    count: { type: 'string', default: '100' },
  });
  const count = readNumber('count', options.count, 1);
  const config = settings();
  const { openHasher } = await import('./auth/login.ts');
  const { seed, seedPassword } = await import('./database/seed.ts');
  const { Role } = await import('./enums.ts');
  const password = await openHasher(config.auth).hash(seedPassword);
  const added = await withDatabase(config, ({ database }) => seed(database, { count, password }));
  for (const { table, rows, wanted } of added) {
    const full = rows < wanted ? ': a unique constraint leaves no room for more' : '';
    print(`${String(rows).padStart(6)}  ${table}${full}`);
  }
  const users = Role.map((role) => `${role}@example.com`).join(', ');
  print(`Every new user's password is \`${seedPassword}\`; for each role there is one: ${users}.`);
}

async function runCreateUser(args: readonly string[]): Promise<void> {
  const { createUserByHand, newUserFields, newUserUsage } = await import('./auth/create-user.ts');
  const fields = newUserFields.map((name) => [name, { type: 'string' as const }]);
  const { admin, ...texts }: Texts = readOptions('create-user', args, `${newUserUsage} [--admin]`, {
    admin: { type: 'boolean' },
    ...Object.fromEntries(fields),
  });
  const config = settings();
  const values = {
    ...texts,
    ...(admin === true && { role: 'admin' }),
    password: texts.password ?? (await readPassword()),
  };
  await withDatabase(config, async (connection) => {
    const user = await createUserByHand(values, { config, connection });
    print(`Created ${user.email} with the role ${user.role}; the id is ${user.id}.`);
  });
}

async function runOpenapi(args: readonly string[]): Promise<void> {
  readOptions('openapi', args, '', {});
  const { buildApp } = await import('./app.ts');
  const config = { ...settings(), docs: true };
  await withConnection(config, async (connection) => {
    const app = await buildApp({ config, connection });
    await writeFile('openapi.json', `${JSON.stringify(app.swagger(), null, 2)}\n`);
    await app.close();
  });
  print('Wrote openapi.json.');
}

interface Texts {
  readonly [option: string]: unknown;
}

/** The settings; no command signs a token, so none needs the secret. */
function settings(): Config {
  return loadConfig({ ...readEnvironment(), AUTH_SECRET_KEY: randomBytes(64).toString('hex') });
}

/** A connection to a database that has its tables: in development, as when the server starts, they are made first. */
async function withDatabase<Result>(
  config: Config,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (config.environment === 'development') await migrate(config.databaseUrl, { report: warn });
  return withConnection(config, work);
}

async function withConnection<Result>(
  config: Config,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection(config);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Throws a UsageError when there are others. */
function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  name: string,
  args: readonly string[],
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason}\nUsage: ${commandLine(name, usage)}`);
  }
}

function readNumber(option: string, value: string, min: number): number {
  if (/^\d{1,6}$/.test(value) && Number(value) >= min) return Number(value);
  throw new UsageError(`--${option} takes a number from ${min} to 999999.`);
}

/** How a command is written here: TypeScript runs by npm's scripts. */
function commandLine(name: string, options = ''): string {
  const isCompiled = import.meta.filename.endsWith('.js');
  if (isCompiled) return `node dist/cli.js ${name} ${options}`.trimEnd();
  return `npm run ${commands[name]?.script}${options && ` -- ${options}`}`;
}

/** Asked for without an echo on a terminal; elsewhere the first line of the standard input. */
async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).split('\n', 1)[0] ?? '';
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silence, terminal: true });
  terminal.on('SIGINT', () => process.exit(130));
  stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** What a person can fix is said without a stack; `undefined` for anything else. */
function explain(error: unknown): string | undefined {
  if (error instanceof Problem) return [error.detail, ...faults(error)].join('\n');
  if (isForPeople(error)) return error.message;
  if (isMissingTable(error)) {
    return `The database has no tables yet: run \`${commandLine('migrate')}\`.`;
  }
  if (violation(error)?.kind !== 'unavailable') return undefined;
  return `The database does not answer: ${error instanceof Error ? error.message : error}`;
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof UsageError || error instanceof ConfigError || error instanceof MigrationError
  );
}

function faults({ errors = [] }: Problem): readonly string[] {
  return errors.map(({ loc, msg }) => `  ${loc.slice(1).join('.')} ${msg}`);
}
