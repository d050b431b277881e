import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { copiedApp } from '../support/built-app.ts';
import { freePort } from '../support/free-port.ts';
import { freshDatabase } from '../support/postgres.ts';
import { run } from '../support/run.ts';
import { openProject } from './postgres/project.ts';
import { evolved, historyOf } from './support/history.ts';

test('tables may be in a database schema whose name needs quotes', async () => {
  const database = await freshDatabase();
  const url = `${database}?options=${encodeURIComponent('-c search_path="My\\ App"')}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('CREATE SCHEMA "My App"');
  const project = await openProject(historyOf('postgres', [notes('title: string')]), url);
  onTestFinished(() => project.close());
  await project.up();
  await client.query(`INSERT INTO notes (title) VALUES ('one');
    CREATE FUNCTION say() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
    CREATE TRIGGER own BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION say()`);

  const first = historyOf('postgres', [notes('title: string')]);
  const later = evolved(first, notes('title: string unique, stars: { type: int, backfill: 2 }'));
  await project.put(later);
  await project.up();
  expect(await project.drift(later)).toEqual([
    {
      kind: 'extra',
      object: 'trigger notes.own',
      found: expect.stringContaining('BEFORE UPDATE ON notes'),
    },
  ]);
  const { rows } = await client.query('SELECT title, stars FROM "My App".notes');
  expect(rows).toEqual([{ title: 'one', stars: 2 }]);
  await client.query('UPDATE "My App".row_counts SET total = 7');
  const total = (await project.drift(later)).find(({ object }) => object === 'total of notes');
  const [, remedy = ''] = /^not that of its rows: (.*)$/.exec(total?.found ?? '') ?? [];
  expect(remedy).toBe(`insert into row_counts (name) values ('notes')`);
  await client.query(remedy);
  expect(await project.drift(later)).toHaveLength(1);
  const [tables] = (await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).rows;
  expect(tables).toBeUndefined();
  await project.down();
  expect(await project.drift(first)).toHaveLength(1);
});

const notes = (fields: string) =>
  `models: { Note: { timestamps: false, fields: { ${fields} } } }\n`;

test('db:status reports how the database differs, and does not create one', async () => {
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
        'The affected rows cannot be counted: column "age" does not exist. Are the tables as the migrations before it have left them?',
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
