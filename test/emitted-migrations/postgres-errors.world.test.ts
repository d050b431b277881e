import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../support/postgres.ts';
import { root } from '../support/root.ts';

const { violation } = await import(
  join(root, 'fixtures/apps/minimal/postgres/src/database/errors.ts')
);

test('a value that no index holds is a fault of the request; a database that is closed, or for others, is away', async () => {
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

test('a server that takes a connection and says nothing is away', async () => {
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
