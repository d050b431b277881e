import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Migration, printMigration } from '../../src/evolve/migration.ts';
import { addBooks } from './postgres/books.ts';
import { openProject, type Project } from './postgres/project.ts';
import { evolved, type History, historyOf } from './support/history.ts';

let project: Project;

afterEach(() => project.close());

describe('the way back', () => {
  const indexed =
    'title: "string(..120)", stars: { type: int?, index: true }, pages: { type: int, index: true }';
  const before = historyOf('postgres', [`models: { Book: { fields: { ${indexed} } } }`]);
  const after = evolved(
    before,
    'models: { Book: { fields: { name: { type: "string(..120)", was: title }, stars: int?, pages: int } } }',
  );
  const last = lastOf(after).id;

  test('goes on where it failed, and the way forward waits for its end', async () => {
    project = await openProject(before);
    await project.up();
    await addBooks(project.client, 300);
    await project.put(after);
    await project.up();
    const heading = '-- step 2 of 3: outside of a transaction';
    await project.edit(`${last}/down.sql`, (sql) =>
      sql.replace(heading, `${heading}\nSELECT 1 / 0;`),
    );
    await expect(project.down()).rejects.toThrow(`${last} failed at step 2 of 3: division by zero`);
    expect(await project.progress()).toEqual([{ id: last, command: 'db:rollback', done: 1 }]);
    await expect(project.up()).rejects.toThrow(
      `${last} is under way: \`npm run db:rollback\` ended after step 1 of it. Run that again first, with migrations/${last}/ as it was then.`,
    );
    await project.put(after);
    expect(await project.down()).toEqual([`${last}, step 2 of 3.`, `${last}, step 3 of 3.`]);
    expect(await project.drift(before)).toEqual([]);
    expect(await project.applied()).toEqual(['0001_initial']);
    await project.up();
    expect(await project.drift(after)).toEqual([]);
    const { rows } = await project.client.query('SELECT count(name)::int AS names FROM books');
    expect(rows).toEqual([{ names: 300 }]);
  });

  test('of an earlier migration waits until that of a later one has ended', async () => {
    project = await openProject(after);
    await project.up();
    const more = evolved(
      after,
      'models: { Book: { fields: { name: "string(..120)", stars: { type: int?, index: true }, pages: bigint } } }',
    );
    const third = lastOf(more).id;
    await project.put(more);
    await project.edit(`${third}/up.sql`, (sql) =>
      sql.replace('DROP INDEX', 'SELECT 1 / 0; DROP INDEX'),
    );
    await expect(project.up()).rejects.toThrow('division by zero');
    await expect(project.down()).rejects.toThrow(
      `${third} is under way: \`npm run db:migrate\` ended after step 1`,
    );
  });
});

describe('a migration that joins two branches', () => {
  const base = historyOf('postgres', [books('')]);
  const theirs = evolved(base, books(', pages: { type: int?, index: true }'));
  const ours = evolved(base, books(', stars: { type: int?, index: true }'));
  const both = evolved(
    ours,
    books(', stars: { type: int?, index: true }, pages: { type: int?, index: true }'),
  );
  const [replaced, joint] = [lastOf(theirs), lastOf(both)];
  const instead = lastOf(ours).files['up.sql'];

  async function putJoint(sql: string): Promise<void> {
    const { 'meta.json': meta, ...texts } = joint.files;
    const facts = { ...JSON.parse(meta), replaces: [replaced.id], instead: { hazards: [] } };
    const migration = printMigration(facts, { ...texts, 'instead.sql': sql });
    await project.put({ ...both, migrations: [...ours.migrations, migration] });
  }

  test('takes a database of the other branch to where both are, in steps, and goes on where it failed', async () => {
    project = await openProject(theirs);
    await project.up();
    await putJoint(instead.replace(/^(?=CREATE INDEX)/m, 'SELECT 1 / 0;\n'));
    await expect(project.up()).rejects.toThrow(
      `${joint.id} failed at step 2 of 2: division by zero`,
    );
    expect(await project.applied()).toEqual(['0001_initial', replaced.id]);
    await putJoint(instead);
    expect(await project.up()).toEqual([`${joint.id}, step 2 of 2.`]);
    expect(new Set(await project.applied())).toEqual(new Set(both.migrations.map((it) => it.id)));
    expect(await project.drift(both)).toEqual([]);
  });

  test('is an ordinary one for a database of our branch', async () => {
    project = await openProject(ours);
    await project.up();
    await putJoint(instead);
    await project.up();
    expect(new Set(await project.applied())).toEqual(new Set(both.migrations.map((it) => it.id)));
    expect(await project.drift(both)).toEqual([]);
  });
});

test("an owner's migration says itself that it cannot run in a transaction", async () => {
  const sql = 'CREATE INDEX CONCURRENTLY own ON books (title);';
  const base = historyOf('postgres', [books('')]);
  project = await openProject(base);
  const folder = join(project.folder, 'migrations/0002_search');
  await mkdir(folder);
  await writeFile(join(folder, 'up.sql'), sql);
  await expect(project.up()).rejects.toThrow(
    /cannot run inside a transaction block. Put the line `(-- step 1 of 1: outside of a transaction)` above/,
  );
  await writeFile(join(folder, 'up.sql'), `-- step 1 of 1: outside of a transaction\n${sql}`);
  await project.up();
  expect(await project.applied()).toEqual(['0001_initial', '0002_search']);
  expect(await project.drift(base)).toMatchObject([{ kind: 'extra', object: 'index own' }]);
});

function lastOf({ migrations }: History): Migration {
  const last = migrations.at(-1);
  if (last === undefined) throw new Error('no migration');
  return last;
}

function books(more: string): string {
  return `models: { Book: { fields: { title: "string(..120)"${more} } } }`;
}
