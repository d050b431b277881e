import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findBinaries } from './postgres-binaries.ts';

interface Options {
  /** `url` gives port, user, password and database; the host is always this machine. */
  readonly url: string;
  /** Where the data is; made when it is not there. */
  readonly folder: string;
  /** Settings: `fsync=off`. */
  readonly settings?: readonly string[];
}

const signals = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const;
const exit = () => process.exit(1);

export interface EmbeddedPostgres {
  stop(): Promise<void>;
}

/** Starts the PostgreSQL that came with the development dependencies, and makes the database when it is new. */
export async function startPostgres({
  url,
  folder,
  settings = [],
}: Options): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = findBinaries();
  const { port, pathname } = new URL(url);
  const data = resolve(folder);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(initdb, data, url);

  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const options = ['-D', data, '-p', port || '5432', ...all.flatMap((each) => ['-c', each])];
  const [command, ...args] = asUser(postgres, options);
  // In a process group of its own: Ctrl-C is for the program that uses it, which ends first.
  const server = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const endWithUs = () => server.kill('SIGINT');
  process.once('exit', endWithUs);
  // The caller handles signals once it has started; until then, nothing else would stop it.
  for (const signal of signals) process.on(signal, exit);
  await ready(server);
  await createDatabase(url, decodeURIComponent(pathname.slice(1)));
  for (const signal of signals) process.off(signal, exit);
  return {
    async stop() {
      process.off('exit', endWithUs);
      if (server.exitCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    },
  };
}

/** Makes the database unless it is there. The URL is that of any database of the server. */
export async function createDatabase(url: string, name: string): Promise<void> {
  const anywhere = String(Object.assign(new URL(url), { pathname: 'postgres' }));
  const client = new Client({ connectionString: anywhere });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function initialise(initdb: string, data: string, url: string): Promise<void> {
  const { username, password } = new URL(url);
  const secrets = await mkdtemp(join(tmpdir(), 'postgres-'));
  const passwordFile = join(secrets, 'password');
  await writeFile(passwordFile, decodeURIComponent(password), { mode: 0o600 });
  await mkdir(dirname(data), { recursive: true });
  const [command, ...args] = asUser(initdb, [
    `--pgdata=${data}`,
    `--username=${decodeURIComponent(username)}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  try {
    await promisify(execFile)(command, args);
  } finally {
    await rm(secrets, { recursive: true });
  }
}

/**
 * PostgreSQL refuses to run as root. So root runs it as the user nobody, but with root's right to enter any folder,
 * such as `/root`. Without the securebit, access(2) would ignore that right.
 */
const asNobody = [
  'setpriv',
  '--reuid=65534',
  '--regid=65534',
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--securebits=+no_setuid_fixup',
] as const;

function asUser(program: string, args: readonly string[]): readonly [string, ...string[]] {
  return process.getuid?.() === 0 ? [...asNobody, program, ...args] : [program, ...args];
}

async function ready(server: ChildProcess): Promise<void> {
  const log: string[] = [];
  await new Promise<void>((start, fail) => {
    server.once('error', fail);
    server.once('exit', () => fail(new Error(`PostgreSQL did not start.\n${log.join('')}`)));
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log.push(text);
      if (text.includes('ready to accept connections')) start();
    });
  });
}
