import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { openConnection } from '../src/database/client.ts';

const databaseUrl = inject('databaseUrl');

it.each([
  ['is not there', 'postgres://127.0.0.1:1/nowhere'],
  ['follows nobody', databaseUrl],
])('a standby that %s is not read from', async (_, readerUrl) => {
  const { replica, close } = openConnection({
    databaseUrl,
    readerUrl,
    databaseLimits: {
      poolSize: 2,
      hasPooler: false,
      statementTimeoutMs: 4000,
      lockTimeoutMs: 3000,
    },
  });
  const read = async () => (await sql`select 1 as one`.execute(replica)).rows;
  expect([await read(), await read()]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  await close();
});
