import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { hanging } from './run.ts';
import { expectWorld } from './tier.ts';

export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0;

export interface Bouncer {
  /** The URL of the same database by way of PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

/** It refuses to run as root; every Linux has this user. */
const nobody = 65_534;

/** PgBouncer in transaction mode as it is installed, with three sessions of the server for all of its clients. */
export async function startPgbouncer(target: string): Promise<Bouncer> {
  expectWorld('starts PgBouncer');
  const { hostname, port, username } = new URL(target);
  const folder = await mkdtemp(join(tmpdir(), 'scaffold-pgbouncer-'));
  const here = await freePort();
  await writeFile(join(folder, 'users.txt'), `"${username}" ""\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${here}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      'default_pool_size = 3',
      '',
    ].join('\n'),
  );
  const isRoot = userInfo().uid === 0;
  if (isRoot) {
    await chmod(folder, 0o755);
    await chown(folder, nobody, nobody);
  }
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  const exited = once(child, 'exit');
  const url = target.replace(`:${port}/`, `:${here}/`);
  const deadline = performance.now() + hanging;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`PgBouncer did not start:\n${printed}`);
    }
    await sleep(50);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
