import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { exitCode, UserError } from '../../errors.ts';
import type { Catalogue } from '../catalogue.ts';
import { askWith } from './answers.ts';
import { readPostgres } from './read-postgres.ts';
import { readSqlite } from './read-sqlite.ts';
import { shownUrl } from './shown-url.ts';

/** Reads the definition of a database, but no rows, and writes nothing. Throws a `UserError` (SCF652) if it cannot. */
export async function readDatabase(url: string, folder: string): Promise<Catalogue> {
  try {
    if (/^postgres(?:ql)?:\/\//.test(url)) return await fromPostgres(url);
    return await fromSqlite(resolve(folder, url.replace(/^(?:file|sqlite):(?:\/\/)?/, '')));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refused(url, error instanceof Error ? error.message : String(error));
  }
}

const connectHelp = 'Give `postgres://user:password@host/name`, or the path of a SQLite file.';

function refused(url: string, why: string, help = connectHelp): UserError {
  return new UserError('SCF652', `The database at \`${shownUrl(url)}\` cannot be read: ${why}`, {
    exit: exitCode.environment,
    help,
  });
}

async function fromPostgres(url: string): Promise<Catalogue> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin transaction read only');
    return await readPostgres(askWith(async (sql) => (await client.query(sql)).rows));
  } finally {
    await client.end();
  }
}

interface SqliteModule {
  readonly DatabaseSync: new (
    file: URL,
    options: { readonly readOnly: true },
  ) => { prepare(sql: string): { all(): object[] }; close(): void };
}

async function fromSqlite(file: string): Promise<Catalogue> {
  if (!existsSync(file)) throw refused(file, 'there is no such file.');
  const { DatabaseSync } = sqliteModule(file);
  const database = new DatabaseSync(pathToFileURL(file), { readOnly: true });
  try {
    return await readSqlite(askWith(async (sql) => database.prepare(sql).all()));
  } finally {
    database.close();
  }
}

/** The module of Node.js, or an equivalent package if it is installed. */
function sqliteModule(file: string): SqliteModule {
  const require = createRequire(import.meta.url);
  try {
    return require(isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite');
  } catch {
    throw refused(file, 'this Node.js has no SQLite.', 'Use Node.js 22.16 or later.');
  }
}
