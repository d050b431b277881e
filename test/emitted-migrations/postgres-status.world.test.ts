import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { copiedApp } from '../support/built-app.ts';
import { freePort } from '../support/free-port.ts';
import { run } from '../support/run.ts';

test('db:status tells how the database differs, and makes none where none is', async () => {
  const { folder, env } = await copiedApp('minimal', 'postgres');
  const nowhere = `postgres://tester@127.0.0.1:${await freePort()}/none`;
  const looked = await run('npm', ['run', '-s', 'db:status'], {
    cwd: folder,
    env: { ...env, DATABASE_URL: nowhere },
  });
  expect(looked).toMatchObject({ code: 1, stdout: '' });
  expect(looked.stderr).toMatch(/^The database does not answer: /);
  expect(existsSync(join(folder, 'var'))).toBe(false);

  const command = (name: string, ...options: readonly string[]) => {
    const args = ['--import', '@oxc-node/core/register', 'src/cli.ts', name, ...options];
    return run(process.execPath, args, { cwd: folder, env });
  };
  expect(await command('status')).toMatchObject({ code: 1, stdout: 'pending  0001_initial' });
  await command('migrate');
  const client = new Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  await client.query('DROP INDEX users_email_unique; ALTER TABLE users ADD COLUMN nickname text');
  const draft = join(folder, 'draft.json');
  const hazard = { code: 'SCF412', target: 'User.age', count: 'SELECT count(age) FROM users' };
  await writeFile(draft, JSON.stringify({ id: 'what_if', hazards: [hazard] }));
  const { code, stdout } = await command('status', '--json', '--draft', draft);
  const index = 'CREATE UNIQUE INDEX users_email_unique ON users USING btree (email)';
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    {
      applied: ['0001_initial'],
      pending: [],
      unknown: [],
      altered: [],
      drift: [
        { kind: 'extra', object: 'column users.nickname', found: 'text' },
        { kind: 'missing', object: 'index users_email_unique', expected: index },
      ],
      concerned: [],
      uncounted:
        'The rows that are concerned cannot be counted: column "age" does not exist. Are the tables as the migrations before it have left them?',
    },
  ]);

  await client.query(
    "INSERT INTO schema_migration_steps VALUES ('0002_next', 'db:migrate', 3, '')",
  );
  await client.end();
  expect((await command('status')).stdout).toMatch(
    /^applied {2}0001_initial\n0002_next is under way: `npm run db:migrate` ended after step 3 of it/,
  );
});
