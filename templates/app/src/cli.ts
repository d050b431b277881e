import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Config, ConfigError, loadConfig, readEnvironment } from './config.ts';
import { type Connection, openConnection } from './database/client.ts';
import { isMissingTable, violation } from './database/errors.ts';
import { migrate, MigrationError, runAsCommand } from './database/migrate.ts';
import { Problem } from './lib/problem.ts';

type Run = (args: readonly string[]) => Promise<void>;

/** `npm run db:migrate` in development; `node dist/cli.js migrate` where the server is installed. */
const commands: Readonly<Record<string, Run>> = {
  migrate: asMigrations('migrate'),
  status: asMigrations('status'),
  rollback: asMigrations('rollback'),
  squash: asMigrations('squash'),
  'create-user': runCreateUser,
  openapi: runOpenapi,
};

/** The command was not called as it must be. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

try {
  const [name = '', ...args] = process.argv.slice(2);
  const run = commands[name];
  if (run === undefined) throw new UsageError(`Commands: ${Object.keys(commands).join(', ')}`);
  await run(args);
} catch (error) {
  const message = explain(error);
  if (message === undefined) throw error;
  warn(message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** Those that `migrations/migrate.js` has. */
function asMigrations(name: Parameters<typeof runAsCommand>[0]): Run {
  return async (args) => {
    process.exitCode = await runAsCommand(name, settings().databaseUrl, args);
  };
}

async function runCreateUser(args: readonly string[]): Promise<void> {
  const { createUserByHand, newUserFields } = await import('./create-user.ts');
  const fields = newUserFields.map((name) => [name, { type: 'string' as const }]);
  const { admin, ...texts }: Texts = readOptions(args, {
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
  readOptions(args, {});
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
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`${reason}\nOptions: ${names.join(', ') || 'none'}`);
  }
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
  if (isMissingTable(error)) return 'The database has no tables yet: apply its migrations first.';
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
