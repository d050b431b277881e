import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigError, type Config } from '../config.ts';
import { openConnection, type Connection } from '../database/client.ts';
import { isMissingTable, violation } from '../database/errors.ts';
import { migrate } from '../database/migrate.ts';
import { MigrationError } from '../database/migrations/error.ts';
import { Problem } from '../lib/problem.ts';

/** The command was not called as it must be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs a command to its end. What a person can mend is said without a stack; anything else is thrown on. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = explain(error);
    if (message === undefined) throw error;
    warn(message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** The options of the command line; throws a UsageError when there are others. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ options, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`);
  }
}

/** A connection to a database that has its tables: in development, as when the server starts, they are made first. */
export async function withDatabase<Result>(
  { databaseUrl, environment }: Config,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (environment === 'development') await migrate(databaseUrl, { report: warn });
  return withConnection(databaseUrl, work);
}

export async function withConnection<Result>(
  url: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

function explain(error: unknown): string | undefined {
  if (error instanceof Problem) return [error.detail, ...faults(error)].join('\n');
  if (isForPeople(error)) return error.message;
  if (isMissingTable(error)) return 'The database has no tables yet: run `npm run db:migrate`.';
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
