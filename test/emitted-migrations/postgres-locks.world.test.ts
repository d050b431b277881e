import { Client } from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { addBooks, countBooks, firstBooks, laterBooks, migratedBooks } from './postgres/books.ts';
import { type Command, withCommands } from './postgres/command.ts';
import { startPooler } from './postgres/pooler.ts';
import { openProject, type Project } from './postgres/project.ts';
import { hanging } from '../support/run.ts';
import { say } from '../support/say.ts';
import { trials } from '../support/trials.ts';

const id = laterBooks.migrations.at(-1)?.id ?? '';

let project: Project;

afterEach(() => project.close());

async function openBooks(count = 300): Promise<void> {
  project = await openProject(firstBooks);
  await project.up();
  await addBooks(project.client, count);
  await project.put(laterBooks);
}

/** Another client of the same database, until the test ends. */
async function openClient(url = project.url): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function expectMigrated(count = 300): Promise<void> {
  expect(await project.drift(laterBooks)).toEqual([]);
  expect(await countBooks(project.client)).toEqual(migratedBooks(count));
  expect(await project.progress()).toEqual([]);
}

/** Waits until the condition holds in the database. */
async function until(condition: string): Promise<void> {
  await expect
    .poll(async () => (await project.client.query(`SELECT ${condition} AS is`)).rows[0]?.is, {
      timeout: hanging,
    })
    .toBe(true);
}

// The views also show sessions and locks of other databases.
const here = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';
const building = `EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%INDEX CONCURRENTLY%' AND wait_event_type = 'Lock')`;
const invalid = 'EXISTS (SELECT FROM pg_index WHERE NOT indisvalid)';

describe('a lock of another session', () => {
  test('is waited for briefly, again and again, while others go on', async () => {
    await openBooks();
    const reader = await openClient();
    await reader.query('BEGIN; SELECT count(*) FROM books');
    const done = project.up();
    // A reader that queues behind the migration is let through when the migration steps back.
    await until(
      `EXISTS (SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted AND ${here})`,
    );
    const other = await openClient();
    await other.query('SELECT count(*) FROM books');
    await reader.query('COMMIT');
    const told = await done;
    expect(told).toContain(
      `${id}, step 1 of 8: another session holds a lock that it needs; trying again.`,
    );
    await expectMigrated();
  });

  test('is given up on at last, naming whoever holds it, and nothing has changed', async () => {
    await openBooks();
    const reader = await openClient();
    const { rows } = await reader
      .query('BEGIN; SELECT 1')
      .then(() => reader.query('SELECT pg_backend_pid() AS pid FROM books LIMIT 1'));
    await expect(project.up(500)).rejects.toThrow(
      `Migration ${id} failed and was undone: other sessions did not give a lock free that it needs. The oldest transaction is that of session ${rows[0].pid} from 127.0.0.1, \`SELECT pg_backend_pid() AS pid FROM books LIMIT 1\`. Start again when it has ended; \`select pg_terminate_backend(${rows[0].pid})\` ends it.`,
    );
    expect(await project.drift(firstBooks)).toEqual([]);
    await reader.query('COMMIT');
    await project.up();
    await expectMigrated();
  });
});

describe('an index that is built while others work', () => {
  test('leaves nothing behind when it cannot be built, and is built by the next run', async () => {
    await openBooks();
    const reader = await openClient();
    await project.edit(`${id}/up.sql`, (sql) => sql.replace(/^DROP INDEX CONCURRENTLY.*$/gm, ''));
    await reader.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM schema_migrations',
    );
    await expect(project.up(2500)).rejects.toThrow(/failed at step 7 of 8: other sessions/);
    expect((await project.client.query(`SELECT ${invalid} AS is`)).rows).toEqual([{ is: false }]);
    await reader.query('COMMIT');
    await project.up();
    await expectMigrated();
  });

  test.each([
    ['', 'as it is generated'],
    ['IF NOT EXISTS ', 'as somebody wrote it who thought that this was enough'],
  ])('is built again when a process died during it, %s%s', async (words) => {
    await openBooks();
    if (words !== '') {
      await project.edit(`${id}/up.sql`, (sql) =>
        sql
          .replace(/^DROP INDEX CONCURRENTLY.*$/gm, '')
          .replaceAll('INDEX CONCURRENTLY', `INDEX CONCURRENTLY ${words}`),
      );
    }
    const reader = await openClient();
    await reader.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM schema_migrations',
    );
    const failed = expect(project.up()).rejects.toThrow();
    await until(building);
    await project.client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%INDEX CONCURRENTLY%' AND pid <> pg_backend_pid()`,
    );
    await failed;
    await until(invalid);
    await reader.query('COMMIT');
    await project.up();
    await expectMigrated();
  });
});

describe('one process at a time', () => {
  test('migrates; whoever waits too long is told which one', async () => {
    await openBooks();
    const other = await openClient();
    await other.query('SELECT pg_advisory_lock(7263548190)');
    await expect(project.up(300)).rejects.toThrow(
      /^Another process \(session \d+ from 127.0.0.1, `SELECT pg_advisory_lock\(7263548190\)`\) has been migrating this database for/,
    );
    expect(await project.drift(firstBooks)).toEqual([]);
  });

  test('the others wait as long as it works, and say so', async () => {
    await openBooks();
    const other = await openClient();
    await other.query('SELECT pg_advisory_lock(7263548190)');
    const migrating = project.up();
    await expect
      .poll(() => project.said()[0], { timeout: hanging })
      .toMatch(
        /^Another process \(session \d+ from 127.0.0.1, `SELECT pg_advisory_lock.*`\) migrates this database; waiting for it, \d s by now\.$/,
      );
    await other.query('SELECT pg_advisory_unlock(7263548190)');
    await migrating;
    await expectMigrated();
  });

  test('but they do not wait for one that hangs', async () => {
    await openBooks();
    const other = await openClient();
    await other.query('SELECT pg_advisory_lock(7263548190)');
    const start = await withCommands(project, {
      text: 'longestSilence = 60',
      mistake: 'longestSilence = 0',
    });
    const command = start();
    expect(await command.ended).toBe(1);
    expect(command.lines[0]).toMatch(
      /^Another process \(session (\d+) .*\) has begun to migrate this database and has done nothing for \d+ seconds\..* `select pg_terminate_backend\(\1\)`, and start again\.$/,
    );
    expect(await project.drift(firstBooks)).toEqual([]);
  });

  test('and the next takes over when it dies', async () => {
    await openBooks();
    const start = await withCommands(project);
    const reader = await openClient();
    await reader.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM schema_migrations',
    );
    const [first, second] = [start(), start()];
    await Promise.race([first.line(/step 7 of 8/), second.line(/step 7 of 8/)]);
    await until(building);
    const isFirst = first.lines.some((line) => line.includes('step 7'));
    const [holder, heir] = isFirst ? [first, second] : [second, first];
    holder.child.kill('SIGKILL');
    await heir.line(/step 7 of 8/);
    await reader.query('COMMIT');
    expect(await heir.ended).toBe(0);
    expect(heir.lines).toContain(`Applied ${id}.`);
    await expectMigrated();
  });

  const rounds = trials({ quick: 1, full: 1, deep: 100 });

  test(`${rounds} times eight at once: each migration is applied once, and no process fails`, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      if (round % 10 === 0) say(`eight processes at once, ${round} of ${rounds}`);
      await openBooks();
      const { codes, applied, output } = await eightAtOnce(await withCommands(project));
      expect(codes, output).toEqual(codes.map(() => 0));
      expect(applied).toEqual([`Applied ${id}.`]);
      await expectMigrated();
      if (round < rounds) await project.close();
    }
  });

  test('and without that lock they would fail', async () => {
    await openBooks();
    const start = await withCommands(project, {
      text: 'tryLock(client), {',
      mistake: 'true, {',
    });
    const reader = await openClient();
    await reader.query('BEGIN; SELECT count(*) FROM books');
    const commands = [start(), start()];
    await until(`2 = (SELECT count(*) FROM pg_locks WHERE NOT granted AND ${here})`);
    await reader.query('COMMIT');
    const codes = await Promise.all(commands.map(({ ended }) => ended));
    expect(codes.toSorted()).toEqual([0, 1]);
  });

  test('finishes after being killed in each step', async () => {
    await openBooks(20_000);
    const start = await withCommands(project);
    for (const step of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const command = start({ KILLED_IN: `step ${step} of 8` });
      await command.ended;
      expect(command.child.signalCode, command.lines.join('\n')).toBe('SIGKILL');
    }
    await project.up();
    await expectMigrated(20_000);
  });
});

async function eightAtOnce(start: () => Command) {
  const commands = Array.from({ length: 8 }, start);
  const codes = await Promise.all(commands.map(({ ended }) => ended));
  return {
    codes,
    applied: commands.flatMap(({ lines }) => lines.filter((line) => line.startsWith('Applied'))),
    output: commands.map(({ lines }) => lines.join('\n')).join('\n\n'),
  };
}

describe('a connection pooler', () => {
  test('in transaction mode is refused, and nothing has changed', async () => {
    await openBooks();
    const pooler = await startPooler(project.url, 'transaction');
    onTestFinished(() => pooler.close());
    await expect(project.up(1000, pooler.url)).rejects.toThrow(
      /^DATABASE_URL leads to a connection pooler in transaction mode.*Run it with the direct URL/,
    );
    expect(await project.drift(firstBooks)).toEqual([]);
    const { rows } = await project.client.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND ${here}`,
    );
    expect(rows).toEqual([]);
  });

  test('in session mode works like the server itself', async () => {
    await openBooks();
    const pooler = await startPooler(project.url, 'session');
    onTestFinished(() => pooler.close());
    await project.up(hanging, pooler.url);
    await expectMigrated();
  });
});
