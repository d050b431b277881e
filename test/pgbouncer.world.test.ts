import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, farewells, staff } from './support/blog/accounts.ts';
import { edges, lists } from './support/blog/lists.ts';
import { rows } from './support/blog/rows.ts';
import { type BuiltApp, builtApp } from './support/built-app.ts';
import { clientOf } from './support/client.ts';
import { converse } from './support/conversation.ts';
import { type Bouncer, hasPgbouncer, startPgbouncer } from './support/pgbouncer.ts';
import { must, run } from './support/run.ts';
import { say } from './support/say.ts';
import { startServer } from './support/server.ts';

if (!hasPgbouncer) say('PgBouncer is not installed (`apt-get install pgbouncer`): not tested');

const turns = [...accounts, ...rows, ...lists, ...edges, ...farewells];

const statuses = (all: readonly { readonly status: number }[]) => all.map((it) => it.status);

describe.skipIf(!hasPgbouncer)('behind PgBouncer in transaction mode', () => {
  let app: BuiltApp;
  let bouncer: Bouncer;
  let env: Readonly<Record<string, string>>;
  const command = (...args: readonly string[]) =>
    run(process.execPath, ['dist/cli.js', ...args], { cwd: app.folder, env });

  beforeAll(async () => {
    app = await builtApp('blog', 'postgres');
    bouncer = await startPgbouncer(app.env['DATABASE_URL'] ?? '');
    env = {
      ...app.env,
      NODE_ENV: 'production',
      DATABASE_URL: bouncer.url,
      DATABASE_POOLER: 'on',
    };
  });

  afterAll(() => bouncer.stop());

  test('a migration is refused, and its status is reported', async () => {
    expect(await command('migrate')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL leads to a connection pooler in transaction/),
    });
    expect((await command('status')).stdout).toBe('pending  0001_initial');
    await must(process.execPath, ['dist/cli.js', 'migrate'], { cwd: app.folder, env: app.env });
    expect((await command('status')).stdout).toMatch(/The database is up to date\.$/);
  });

  test('the server answers as it does without PgBouncer', async () => {
    for (const { name, email, role, password, fields } of staff) {
      const given = { name, email, role, password };
      const options = Object.entries(given).flatMap(([key, value]) => [`--${key}`, value]);
      await must(process.execPath, ['dist/cli.js', 'create-user', ...options, ...fields], {
        cwd: app.folder,
        env,
      });
    }
    const server = await startServer({ cwd: app.folder, env });
    const replies = await converse(server.url, { turns, generated: [] });
    expect(statuses(replies)).toEqual(statuses(turns));
    const list = async () => (await fetch(`${server.url}/api/posts/?order_by=-id&limit=5`)).text();
    const first = await list();
    expect(JSON.parse(first)).toHaveProperty('items');
    const all = await Promise.all(Array.from({ length: 200 }, list));
    expect(new Set(all)).toEqual(new Set([first]));
    await server.stop();
  });

  test('three servers act as one, on three sessions of the database', async () => {
    const servers = await Promise.all(
      Array.from({ length: 3 }, () => startServer({ cwd: app.folder, env })),
    );
    const topics = servers.map(({ url }) => `${url}/api/topics/`);
    const totals = () =>
      Promise.all(topics.map(async (url) => Object(await (await fetch(url)).json()).total));
    const [before = 0] = await totals();
    const [, { email = '', password = '' } = {}] = staff;
    const { access_token: token } = await clientOf(servers[0]?.url ?? '').login(email, password);
    const headers = {
      authorization: `Bearer ${String(token)}`,
      'content-type': 'application/json',
    };
    // Each name is sent to each server at the same time.
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const body = JSON.stringify({ name: `of many ${Math.floor(index / 3)}` });
        return fetch(topics[index % 3] ?? '', { method: 'POST', headers, body });
      }),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    expect(new Set(statuses(answers))).toEqual(new Set([201, 409]));
    expect(await totals()).toEqual([before + 20, before + 20, before + 20]);
    await Promise.all(servers.map((server) => server.stop()));
  });

  test('without the setting for it, a server says which one it needs', async () => {
    const { DATABASE_POOLER: _, ...plain } = env;
    const options = { cwd: app.folder, env: plain };
    const { code, stdout, stderr } = await run(process.execPath, ['dist/server.js'], options);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(
      'unsupported startup parameter: statement_timeout. DATABASE_URL leads to PgBouncer: set DATABASE_POOLER=on',
    );
  });

  test('statements have their limits, and leave no setting behind', async () => {
    const { openConnection } = await import(join(app.folder, 'dist/database/client.js'));
    const { sql } = await import(createRequire(join(app.folder, 'package.json')).resolve('kysely'));
    const databaseLimits = { poolSize: 5, statementTimeoutMs: 400, lockTimeoutMs: 150 };
    const open = (hasPooler: boolean) =>
      openConnection({
        databaseUrl: bouncer.url,
        databaseLimits: { ...databaseLimits, hasPooler },
      });
    const { database, reader, close } = open(true);
    const slow = sql`select pg_sleep(3)`;
    const canceled = { message: 'canceling statement due to statement timeout' };
    await expect(slow.execute(database)).rejects.toMatchObject(canceled);
    await expect(slow.execute(reader)).rejects.toMatchObject(canceled);
    type Transaction = { execute(work: (open: object) => Promise<unknown>): Promise<unknown> };
    const transaction: Transaction = database.transaction();
    await expect(transaction.execute((it) => slow.execute(it))).rejects.toMatchObject(canceled);

    const holder = new Client({ connectionString: app.env['DATABASE_URL'] });
    await holder.connect();
    await holder.query('begin; lock table tags');
    const write = sql`delete from tags`;
    const locked = { message: 'canceling statement due to lock timeout' };
    await expect(write.execute(database)).rejects.toMatchObject(locked);
    await holder.query('rollback');
    await write.execute(database);
    await holder.end();

    const other = new Client({ connectionString: bouncer.url });
    await other.connect();
    for (const setting of ['statement_timeout', 'lock_timeout', 'row_security']) {
      const { rows: found } = await other.query(`show ${setting}`);
      expect(found).toEqual([{ [setting]: setting === 'row_security' ? 'on' : '0' }]);
    }
    await other.end();
    await close();

    // Why there is a setting for it.
    const unaware = open(false);
    await expect(slow.execute(unaware.reader)).rejects.toThrow('unsupported startup parameter');
    await unaware.close();
  });
});
