import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../support/postgres-cluster.ts';
import { freshDatabase } from '../support/postgres.ts';
import { root } from '../support/root.ts';
import { openProject } from './postgres/project.ts';
import { emittedRunner } from './support/emitted-runner.ts';
import { evolved, historyOf } from './support/history.ts';

const { violation } = await import(
  join(root, 'fixtures/apps/minimal/postgres/src/database/errors.ts')
);

test('a value too long for an index is a fault of the request; a closed or forbidden database is unavailable', async () => {
  const url = await freshDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('CREATE TABLE books (title text UNIQUE)');
  const long = randomBytes(9000).toString('hex');
  const refused = client.query('INSERT INTO books VALUES ($1)', [long]);
  expect(violation(await refused.catch((error: unknown) => error))).toEqual({ kind: 'too_large' });

  await client.query('SET ROLE pg_monitor');
  const denied = await client.query('SELECT FROM books').catch((cause: unknown) => cause);
  expect(denied).toMatchObject({ message: 'permission denied for table books' });
  expect(violation(denied)).toEqual({ kind: 'unavailable' });
  await client.query('RESET ROLE');

  const other = await freshDatabase();
  await client.query(`ALTER DATABASE ${new URL(other).pathname.slice(1)} ALLOW_CONNECTIONS false`);
  const closed = new Client({ connectionString: other });
  closed.on('error', () => {});
  const error = await closed.connect().catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: '55000' });
  expect(violation(error)).toEqual({ kind: 'unavailable' });
});

test('a server that accepts a connection and says nothing is unavailable', async () => {
  const mute = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void mute.close());
  await once(mute, 'listening');
  const address = mute.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 });
  client.on('error', () => {});
  const error = await client.connect().catch((cause: unknown) => cause);
  expect(violation(error)).toEqual({ kind: 'unavailable' });
});

const schema = (fields: string) => `models: { Item: { fields: { ${fields} } } }\n`;

test('a standby is recognized before anything is done', async () => {
  const cluster = await startCluster({ wal_level: 'replica' });
  onTestFinished(() => cluster.stop());
  const first = historyOf('postgres', [schema('title: "string(..40)"')]);
  const project = await openProject(first, await cluster.createDatabase());
  await project.up();
  await project.close();
  await project.put(evolved(first, schema('title: "string(..50)"')));
  await cluster.startAsStandby();
  await expect(project.up()).rejects.toThrow(
    'The database takes no writes here: it is a standby, which follows another server. Nothing was changed. Use the server that takes them.',
  );
  await expect(project.drift(first)).rejects.toThrow('it is a standby');
});

describe('a role without the rights that a migration needs', () => {
  const role = `poor_${process.pid}`;
  const first = historyOf('postgres', [schema('title: "string(..40)"')]);
  const later = evolved(first, schema('title: "string(..50)"'));

  /** The database of its owner, and the URL of a role that has these rights in it. */
  async function openPoor(rights: string) {
    const project = await openProject(first);
    const { client } = project;
    const database = new URL(project.url).pathname.slice(1);
    await client.query(
      `CREATE ROLE ${role} LOGIN; REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`,
    );
    onTestFinished(async () => {
      await client.query(
        `REASSIGN OWNED BY ${role} TO tester; DROP OWNED BY ${role}; DROP ROLE ${role}`,
      );
      await project.close();
    });
    await project.up();
    await client.query(
      `GRANT ALL ON schema_migrations, schema_migration_steps TO ${role}; ${rights}`,
    );
    await project.put(later);
    const url = new URL(project.url);
    url.username = role;
    return { project, database, up: () => project.up(1000, url.href), url: url.href };
  }

  const all = `GRANT CREATE ON SCHEMA public TO ${role};`;

  test.each([
    ['make tables', '', `grant usage, create on schema public to ${role}`],
    [
      'make temporary tables',
      `${all} ALTER TABLE items OWNER TO ${role}`,
      `grant temporary on database `,
    ],
    ['change tables', `${all} `, `alter table items owner to ${role}`],
    [
      'write',
      `ALTER ROLE ${role} SET default_transaction_read_only = on`,
      'takes no writes here: `default_transaction',
    ],
  ])('may not %s: the remedy is named, and nothing was changed', async (_, rights, message) => {
    const { project, up } = await openPoor(rights);
    await expect(up()).rejects.toThrow(message);
    await expect(up()).rejects.toThrow('Nothing was changed.');
    expect(await project.drift(first)).toEqual([]);
    expect(await project.applied()).toEqual(['0001_initial']);
    expect(await project.progress()).toEqual([]);
  });

  test('goes on once it has them', async () => {
    const { project, up, database } = await openPoor(`${all} ALTER TABLE items OWNER TO ${role}`);
    const error: unknown = await up().catch((cause: unknown) => cause);
    const [, sql = ''] = /run `(.*)`/.exec(String(error)) ?? [];
    expect(sql).toBe(`grant temporary on database ${database} to ${role}`);
    await project.client.query(sql);
    await up();
    expect(await project.applied()).toEqual(['0001_initial', later.migrations.at(-1)?.id]);
  });

  test('is told which right a comparison needs', async () => {
    const { url } = await openPoor('');
    const { listDrift } = await emittedRunner('postgres');
    await expect(listDrift(url, '')).rejects.toThrow('let the owner run `grant temporary on');
  });
});
