import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { staff } from './support/blog/accounts.ts';
import { builtApp } from './support/built-app.ts';
import { clientOf, type Client as HttpClient } from './support/client.ts';
import { freePort } from './support/free-port.ts';
import { type Cluster, type Follower, startCluster } from './support/postgres-cluster.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { startServer } from './support/server.ts';
import { expectWorld } from './support/tier.ts';

type Database = Parameters<RawBuilder<object>['execute']>[0];

interface Connection {
  readonly database: Database;
  readonly reader: Database;
  readonly replica: Database;
  close(): Promise<void>;
}

const { openConnection } = await import(
  join(root, 'fixtures/apps/minimal/postgres/src/database/client.ts')
);

const databaseLimits = {
  poolSize: 6,
  hasPooler: false,
  statementTimeoutMs: 4000,
  lockTimeoutMs: 1000,
};

const open = (databaseUrl: string, readerUrl?: string): Connection => {
  const connection = openConnection({ databaseUrl, readerUrl, databaseLimits });
  onTestFinished(() => connection.close());
  return connection;
};

const whoAnswers = sql<{ who: string }>`
  select case when pg_is_in_recovery() then 'standby' else 'primary' end as who`;

async function answeredBy({ replica }: Connection): Promise<string | undefined> {
  return (await whoAnswers.execute(replica)).rows[0]?.who;
}

async function connect(to: string): Promise<Client> {
  const client = new Client({ connectionString: to });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** A port that leads to a server until it is cut, and counts how often somebody connects. */
async function openWay(to: string) {
  const port = Number(new URL(to).port);
  const sockets = new Set<Socket>();
  let attempts = 0;
  let isCut = false;
  const server = createServer((socket) => {
    attempts += 1;
    if (isCut) return void socket.destroy();
    const there = connectSocket(port, '127.0.0.1');
    for (const each of [socket, there]) sockets.add(each.on('error', () => {}));
    socket.pipe(there).pipe(socket);
  });
  const here = await freePort();
  server.listen(here, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: to.replace(`:${port}/`, `:${here}/`),
    attempts: () => attempts,
    cut,
    close() {
      cut();
      server.close();
    },
  };
}

const untilAnsweredBy = (connection: Connection, who: 'primary' | 'standby') =>
  expect.poll(() => answeredBy(connection)).toBe(who);

describe('reads that may be some seconds old', () => {
  let cluster: Cluster;
  let standby: Follower;
  let url: string;
  /** Of the standby itself. */
  let admin: Client;

  const openOnStandby = async () => {
    const connection = open(url, standby.urlOf(url));
    await untilAnsweredBy(connection, 'standby');
    return connection;
  };

  beforeAll(async () => {
    expectWorld('starts two servers of PostgreSQL');
    cluster = await startCluster({ wal_level: 'replica', max_wal_senders: '3' });
    url = await cluster.createDatabase();
    standby = await cluster.startFollower();
    const { database, close }: Connection = openConnection({ databaseUrl: url, databaseLimits });
    await sql`create table notes (id integer)`.execute(database);
    await close();
    admin = await connect(standby.urlOf(url));
  });

  afterAll(async () => {
    await admin.end();
    await cluster.stop();
  });

  test('go to the standby once it is known to keep up', async () => {
    const connection = open(url, standby.urlOf(url));
    expect(await answeredBy(connection)).toBe('primary');
    await untilAnsweredBy(connection, 'standby');
    // Users read what they have written.
    for (const database of [connection.reader, connection.database]) {
      expect((await whoAnswers.execute(database)).rows).toEqual([{ who: 'primary' }]);
    }
  });

  test('go to the primary while the standby lags', async () => {
    const connection = await openOnStandby();
    const { database, replica } = connection;
    await admin.query('select pg_wal_replay_pause()');
    await sql`create table tables_of_late as select 1 as id`.execute(database);
    // A table that is not there yet is no reason to fail, or to give up on the standby.
    const late = await sql`select id from tables_of_late`.execute(replica);
    expect(late.rows).toEqual([{ id: 1 }]);
    await untilAnsweredBy(connection, 'primary');
    await sleep(1500);
    expect(await answeredBy(connection)).toBe('primary');
    await admin.query('select pg_wal_replay_resume()');
    await untilAnsweredBy(connection, 'standby');
  });

  test('go to the primary when all that is known of the standby is old', async () => {
    const connection = await openOnStandby();
    await admin.query('select pg_wal_replay_pause()');
    await sleep(5500);
    await sql`create table tables_of_later as select 1 as id`.execute(connection.database);
    // It still has what the primary had written by the last read.
    for (const _ of Array.from({ length: 4 })) {
      expect(await answeredBy(connection)).toBe('primary');
      await sleep(400);
    }
    await admin.query('select pg_wal_replay_resume()');
    await untilAnsweredBy(connection, 'standby');
  });

  test('that take too long there are not repeated on the primary', async () => {
    const { replica } = await openOnStandby();
    const slow = sql`select 1 / case when pg_is_in_recovery() then 1 else 0 end, pg_sleep(10)`;
    await expect(slow.execute(replica)).rejects.toThrow('statement timeout');
  });

  test.each(['SIGINT', 'SIGQUIT'] as const)(
    'are answered while the standby is stopped by %s, and restarted',
    async (signal) => {
      const connection = await openOnStandby();
      const found = new Set<string | undefined>();
      const reading = { isDone: false };
      const readers = Array.from({ length: 10 }, async () => {
        while (!reading.isDone) found.add(await answeredBy(connection));
      });
      await sleep(200);
      expect(found).toContain('standby');
      await admin.end();
      await standby.halt(signal);
      await sleep(1500);
      reading.isDone = true;
      await Promise.all(readers);
      expect(await answeredBy(connection)).toBe('primary');
      await standby.start();
      await untilAnsweredBy(connection, 'standby');
      admin = await connect(standby.urlOf(url));
    },
  );

  test('are answered while the standby hangs', async () => {
    const connection = await openOnStandby();
    const { rows } = await admin.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    );
    const frozen = [standby.pid(), ...rows.map(({ pid }) => pid)];
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    const reads = Array.from({ length: 50 }, () => answeredBy(connection));
    const found = await Promise.allSettled(reads).finally(() => {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    });
    const ofPrimary = { status: 'fulfilled', value: 'primary' };
    expect(new Set(found.map((it) => JSON.stringify(it)))).toEqual(
      new Set([JSON.stringify(ofPrimary)]),
    );
    await untilAnsweredBy(connection, 'standby');
  });

  test('do not keep asking a standby that is away', async () => {
    const way = await openWay(standby.urlOf(url));
    onTestFinished(() => way.close());
    const connection = open(url, way.url);
    await untilAnsweredBy(connection, 'standby');
    way.cut();
    expect(await answeredBy(connection)).toBe('primary');
    const before = way.attempts();
    const found = await Promise.all(Array.from({ length: 100 }, () => answeredBy(connection)));
    expect(new Set(found)).toEqual(new Set(['primary']));
    // These ask whether it is back.
    expect(way.attempts() - before).toBeLessThan(20);
  });

  test('never go to a server that is not a standby, or does not exist', async () => {
    const other = await startCluster();
    onTestFinished(() => other.stop());
    for (const place of [await other.createDatabase(), 'postgres://tester@127.0.0.1:1/none']) {
      const connection = open(url, place);
      const notes = sql`select id from notes`;
      for (const _ of Array.from({ length: 4 })) {
        expect((await notes.execute(connection.replica)).rows).toEqual([]);
        await sleep(400);
      }
    }
  });

  test('are only those whose route says so, on each of three servers', async () => {
    const app = await builtApp('blog', 'postgres');
    const routes = join(app.folder, 'dist/tags/routes.js');
    const text = await readFile(routes, 'utf8');
    await writeFile(routes, text.replace('listTags(app.reader', 'listTags(app.connection.replica'));
    const place = await cluster.createDatabase();
    const env = { ...app.env, DATABASE_URL: place, DATABASE_READER_URL: standby.urlOf(place) };
    const options = { cwd: app.folder, env: { NODE_ENV: 'production', ...env } };
    await must(process.execPath, ['dist/cli.js', 'migrate'], options);
    const [editor] = staff.filter(({ role }) => role === 'editor');
    if (editor === undefined) throw new Error('The blog has no editor.');
    const { name, email, role, password, fields } = editor;
    const given = Object.entries({ name, email, role, password });
    const words = [...given.flatMap(([key, value]) => [`--${key}`, value]), ...fields];
    await must(process.execPath, ['dist/cli.js', 'create-user', ...words], options);

    const servers = await Promise.all(
      Array.from({ length: 3 }, () => startServer({ cwd: app.folder, env })),
    );
    onTestFinished(async () => void (await Promise.all(servers.map((it) => it.stop()))));
    const [first, ...others] = servers.map(({ url: address }) => clientOf(address));
    await first?.login(email, password);
    const made = await first?.call('POST', '/api/topics/', { name: 'of late' });
    expect(made?.status).toBe(201);
    const path = `/api/topics/${String(made?.body['id'])}`;
    for (const client of others) {
      expect((await client.call('GET', path)).status).toBe(200);
      const list = async () => (await client.call('GET', '/api/topics/?name=of%20late')).body;
      await expect.poll(list).toMatchObject({ total: 1, items: [{ name: 'of late' }] });
      await expect.poll(() => readsOf(place, client)).toBeGreaterThan(0);
    }
  });

  /** Statements that reach the standby while the client lists its tags. */
  async function readsOf(place: string, client: HttpClient): Promise<number> {
    await client.call('GET', '/api/topics/');
    const { rows } = await admin.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = $1 and query like '%tags%'`,
      [new URL(place).pathname.slice(1)],
    );
    return rows[0]?.count ?? 0;
  }
});
