import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { type BuiltApp, builtApp } from '../support/built-app.ts';
import { clientOf } from '../support/client.ts';
import { type Cluster, startCluster } from '../support/postgres-cluster.ts';
import { must } from '../support/run.ts';
import { say } from '../support/say.ts';
import { type Server, startServer } from '../support/server.ts';
import { trials } from '../support/trials.ts';

const kills = trials({ quick: 1, full: 2, deep: 100 });
const writers = 8;
const credentials = { username: 'editor@example.test', password: 'correct horse battery' };

/** An app with somebody who may make topics; each call of `start` starts a server for it. */
async function appWithEditor(
  engine: 'sqlite' | 'postgres',
  settings: Readonly<Record<string, string>> = {},
) {
  const built = await builtApp('blog', engine);
  const app: BuiltApp = { ...built, env: { ...built.env, ...settings } };
  const start = (env: Readonly<Record<string, string>> = {}, program: readonly string[] = []) =>
    startServer({
      cwd: app.folder,
      env: { ...app.env, ...env },
      command: [process.execPath, ...program, 'dist/server.js', '--migrate'],
    });
  const { username, password } = credentials;
  const options = { email: username, name: 'Ed', role: 'editor', password };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const around = { cwd: app.folder, env: { NODE_ENV: 'production', ...app.env } };
  await must(process.execPath, ['dist/cli.js', 'migrate'], around);
  await must(process.execPath, ['dist/cli.js', 'create-user', ...args], around);
  return { app, start };
}

async function logIn({ url }: Server): Promise<Headers> {
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  const { access_token: token } = Object(await response.json());
  return new Headers({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
}

/** Makes topics until the server is gone, and returns the names of those that were acknowledged. */
async function writeUntilGone({ url }: Server, headers: Headers, prefix: string) {
  const made: string[] = [];
  for (let number = 0; ; number += 1) {
    const name = `${prefix}-${number}`;
    const init = { method: 'POST', headers, body: JSON.stringify({ name }) };
    const status = await fetch(`${url}/api/topics/`, init).then(
      async (response) => (await response.text(), response.status),
      () => undefined,
    );
    if (status === undefined) return made;
    if (status !== 201) throw new Error(`${name}: ${status}`);
    made.push(name);
  }
}

async function topicNames({ env, folder }: BuiltApp): Promise<ReadonlySet<string>> {
  const rows = await rowsOf({ env, folder }, 'select name from tags');
  return new Set(rows.map(({ name }) => String(name)));
}

type Place = Pick<BuiltApp, 'env' | 'folder'>;

async function rowsOf({ env, folder }: Place, query: string) {
  const url = env['DATABASE_URL'] ?? '';
  if (url.startsWith('file:')) {
    const database = new DatabaseSync(join(folder, url.slice('file:'.length)));
    const rows = database.prepare<Record<string, unknown>>(query).all();
    database.close();
    return rows;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(query);
  await client.end();
  return rows;
}

describe.each(['sqlite', 'postgres'] as const)('on %s, under writes', (engine) => {
  let app: BuiltApp;
  let start: Awaited<ReturnType<typeof appWithEditor>>['start'];

  beforeAll(async () => {
    ({ app, start } = await appWithEditor(engine));
  });

  test(`a server that is killed loses nothing that it acknowledged, ${kills} times`, async () => {
    let acknowledged = 0;
    let slowest = 0;
    let server = await start();
    const headers = await logIn(server);
    for (let kill = 0; kill < kills; kill += 1) {
      const working = Array.from({ length: writers }, (_, writer) =>
        writeUntilGone(server, headers, `kill-${kill}-${writer}`),
      );
      await sleep(200 + Math.random() * 600);
      process.kill(server.pid, 'SIGKILL');
      const made = (await Promise.all(working)).flat();
      await server.stop();
      const begun = performance.now();
      server = await start();
      slowest = Math.max(slowest, performance.now() - begun);
      const stored = await topicNames(app);
      expect(made.filter((name) => !stored.has(name))).toEqual([]);
      acknowledged += made.length;
    }
    if (engine === 'sqlite') {
      expect(await rowsOf(app, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    }
    await server.stop();
    say(
      `${engine}: ${kills} kills, ${acknowledged} acknowledged rows, ready in ${Math.round(slowest)} ms at most`,
    );
    expect(acknowledged).toBeGreaterThan(0);
  });

  test('a server that is asked to stop announces it first, and leaves no request without an answer', async () => {
    const server = await start({ DRAIN_MS: '1500' });
    const headers = await logIn(server);
    const before = await topicNames(app);
    const working = Array.from({ length: writers }, (_, writer) =>
      writeUntilGone(server, headers, `stop-${writer}`),
    );
    await sleep(500);
    const stopped = server.stop();
    const seen: number[] = [];
    for (;;) {
      const response = await fetch(`${server.url}/health/ready`).catch(() => undefined);
      if (response === undefined) break;
      await response.text();
      seen.push(response.status);
      await sleep(50);
    }
    const made = (await Promise.all(working)).flat();
    expect(await stopped).toBe(0);
    expect(seen.filter((status) => status === 503).length).toBeGreaterThan(3);
    const stored = [...(await topicNames(app))].filter((name) => !before.has(name));
    expect(stored.toSorted()).toEqual(made.toSorted());
    expect(made.length).toBeGreaterThan(0);
  });
});

describe('a PostgreSQL that', () => {
  let cluster: Cluster;
  let app: BuiltApp;
  let server: Server;
  let headers: Headers;

  beforeAll(async () => {
    // A PostgreSQL of our own, which can be stopped; what it acknowledges is on the disk.
    cluster = await startCluster({ synchronous_commit: 'on' });
    const made = await appWithEditor('postgres', { DATABASE_URL: await cluster.createDatabase() });
    app = made.app;
    server = await made.start();
    headers = await logIn(server);
  });
  afterAll(async () => {
    await server.stop();
    await cluster.stop();
  });

  const databaseName = () => new URL(app.env['DATABASE_URL'] ?? '').pathname.slice(1);
  const asAdmin = (query: string) => {
    const url = new URL(app.env['DATABASE_URL'] ?? '');
    url.pathname = '/postgres';
    return rowsOf({ ...app, env: { DATABASE_URL: url.href } }, query);
  };
  const backends = async (): Promise<readonly number[]> => {
    const query = `select pid from pg_stat_activity where datname = '${databaseName()}'`;
    return (await asAdmin(query)).map(({ pid }) => Number(pid));
  };
  const endConnections = async () => {
    for (const pid of await backends()) await asAdmin(`select pg_terminate_backend(${pid})`);
  };
  const get = async (path: string) => {
    const begun = performance.now();
    const response = await fetch(server.url + path);
    await response.text();
    const retry = response.headers.get('retry-after');
    return { status: response.status, retry, ms: performance.now() - begun };
  };
  /** The answers in the meantime: only 200, and 503 that says when to try again. */
  const answersWhile = async (work: () => Promise<void>) => {
    const state = { isDone: false };
    const ended = work().finally(() => (state.isDone = true));
    const found: Awaited<ReturnType<typeof get>>[] = [];
    const ask = async () => {
      do {
        found.push(await get('/api/topics/?limit=1'));
        // Without a pause, they would take the processor from the server.
        await sleep(20);
      } while (!state.isDone);
    };
    await Promise.all([ended, ...Array.from({ length: 12 }, ask)]);
    const others = found.filter(
      ({ status, retry }) => status !== 200 && !(status === 503 && retry !== null),
    );
    expect(others).toEqual([]);
    return found;
  };
  const untilBack = async () => {
    const begun = performance.now();
    while ((await get('/api/topics/?limit=1')).status !== 200) await sleep(20);
    return performance.now() - begun;
  };

  test('ends all connections causes nothing worse than 503', async () => {
    await answersWhile(async () => {
      for (let round = 0; round < 5; round += 1) {
        await endConnections();
        await sleep(100);
      }
    });
    expect(await untilBack()).toBeLessThan(5000);
  });

  test('refuses connections makes the server report that it is not ready', async () => {
    const found = await answersWhile(async () => {
      await asAdmin(`alter database ${databaseName()} allow_connections false`);
      await endConnections();
      await sleep(300);
      expect(await get('/health/ready')).toMatchObject({ status: 503, retry: expect.any(String) });
      expect((await get('/health/live')).status).toBe(200);
      await asAdmin(`alter database ${databaseName()} allow_connections true`);
    });
    expect(found.some(({ status }) => status === 503)).toBe(true);
    expect(await untilBack()).toBeLessThan(5000);
  });

  test.each([
    ['freezes in running sessions', []],
    ['freezes as a whole', [() => cluster.pid()]],
  ])('%s delays no answer beyond the time limit', async (name, others) => {
    await get('/api/topics/');
    const frozen = [...(await backends()), ...others.map((pid) => pid())];
    expect(frozen.length).toBeGreaterThan(others.length);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    const found = await answersWhile(() => sleep(7000)).finally(() => {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    });
    const slowest = slowestOf(found);
    const back = await untilBack();
    say(`a PostgreSQL that ${name}: slowest answer ${slowest} ms, back in ${Math.round(back)} ms`);
    expect(found.some(({ status }) => status === 503)).toBe(true);
    expect(slowest).toBeLessThan(15_000);
    expect(back).toBeLessThan(5000);
  });

  test.each([
    ['is stopped and started', 'SIGINT'],
    ['crashes and is started', 'SIGQUIT'],
  ] as const)('%s is found again, with what it acknowledged', async (name, signal) => {
    const state = { isDone: false };
    const writing = Array.from({ length: writers }, (_, writer) =>
      writeMeanwhile(server, { headers, prefix: `${signal}-${writer}`, state }),
    );
    const found = await answersWhile(async () => {
      await sleep(500);
      await cluster.halt(signal);
      await sleep(1500);
      expect(await get('/health/ready')).toMatchObject({ status: 503, retry: expect.any(String) });
      expect((await get('/health/live')).status).toBe(200);
      await cluster.start();
    });
    const back = await untilBack();
    await sleep(500);
    state.isDone = true;
    const made = (await Promise.all(writing)).flat();
    const stored = await topicNames(app);
    const slowest = slowestOf(found);
    say(
      `a PostgreSQL that ${name}: ${made.length} acknowledged, slowest answer ${slowest} ms, back in ${Math.round(back)} ms`,
    );
    expect(made.filter((topic) => !stored.has(topic))).toEqual([]);
    expect(made.length).toBeGreaterThan(0);
    expect(found.some(({ status }) => status === 503)).toBe(true);
    expect(slowest).toBeLessThan(15_000);
    expect(back).toBeLessThan(5000);
  });
});

function slowestOf(answers: readonly { readonly ms: number }[]): number {
  return Math.round(Math.max(...answers.map(({ ms }) => ms)));
}

interface Writing {
  readonly headers: Headers;
  readonly prefix: string;
  readonly state: { readonly isDone: boolean };
}

/** Makes topics until `state.isDone`, despite 503, and returns the names of those that were acknowledged. */
async function writeMeanwhile({ url }: Server, { headers, prefix, state }: Writing) {
  const made: string[] = [];
  for (let number = 0; !state.isDone; number += 1) {
    const name = `${prefix}-${number}`;
    const init = { method: 'POST', headers, body: JSON.stringify({ name }) };
    const response = await fetch(`${url}/api/topics/`, init);
    await response.text();
    if (response.status === 201) made.push(name);
    else if (response.status !== 503) throw new Error(`${name}: ${response.status}`);
  }
  return made;
}

/** Sets the clock of a server forward by so many milliseconds. */
const clock = `
const late = Number(process.env.CLOCK_MS);
const { now } = Date;
globalThis.Date = class extends Date {
  constructor(...parts) { parts.length === 0 ? super(now() + late) : super(...parts); }
  static now() { return now() + late; }
};
`;

test.each(['sqlite', 'postgres'] as const)(
  'on %s, tokens and waits follow the clock',
  async (engine) => {
    const { app, start } = await appWithEditor(engine);
    await writeFile(join(app.folder, 'clock.mjs'), clock);
    const at = (minutes: number) =>
      start({ CLOCK_MS: String(minutes * 60_000), RATE_LIMITS: 'on' }, ['--import', './clock.mjs']);
    const day = 24 * 60;

    const today = await at(0);
    const client = clientOf(today.url);
    const { refresh_token: refresh } = await client.login(
      credentials.username,
      credentials.password,
    );
    const headers = await logIn(today);
    const me = async ({ url }: Server) => (await fetch(`${url}/auth/me`, { headers })).status;
    const refreshed = async ({ url }: Server) =>
      (await clientOf(url).call('POST', '/auth/refresh', { refresh_token: refresh })).status;
    expect(await me(today)).toBe(200);
    await today.stop();

    const soon = await at(17);
    expect([await me(soon), await refreshed(soon)]).toEqual([401, 200]);
    await soon.stop();
    const later = await at(32 * day);
    expect([await me(later), await refreshed(later)]).toEqual([401, 401]);
    // Locks an account, and then the clock is set back.
    const guess = ({ url }: Server) =>
      fetch(`${url}/auth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          ...credentials,
          username: 'lo@example.test',
          password: 'wrong',
        }),
      });
    let last = await guess(later);
    for (let tries = 0; last.status === 401 && tries < 30; tries += 1) last = await guess(later);
    expect(last.status).toBe(429);
    await later.stop();
    const back = await at(0);
    const waited = await guess(back);
    expect([401, 429]).toContain(waited.status);
    expect(Number(waited.headers.get('retry-after') ?? 0)).toBeLessThanOrEqual(900);
    await back.stop();
  },
);
