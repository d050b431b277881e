import { join } from 'node:path';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { expect, test } from 'vitest';
import { install } from '../support/install.ts';
import { must } from '../support/run.ts';
import { blogProject } from './blog-project.ts';
import { scaffold } from './scaffold.ts';

test('scaffold check asks a real project about its database, and sees what was done by hand', async () => {
  const { folder } = await blogProject();
  await install(folder);
  await must('npm', ['run', '--silent', 'db:migrate'], { cwd: folder });
  expect(await scaffold(['check'], { cwd: folder })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^\nWho may do what/),
  });
  const database = new DatabaseSync(join(folder, 'var/blog.db'));
  database.exec('DROP INDEX posts_published_at_index; CREATE TABLE mine (id INTEGER)');
  database.close();
  const { code, stderr } = await scaffold(['check'], { cwd: folder });
  expect(code).toBe(5);
  expect(stderr).toMatch(/error SCF515 {2}The database is missing: index .*published_at/);
  expect(stderr).toContain('note SCF515  The database also has: table mine.');
});

test('a run whose migration the database has is not undone before that is rolled back', async () => {
  const { folder, edit } = await blogProject();
  await install(folder);
  const npm = (name: string) => must('npm', ['run', '--silent', name], { cwd: folder });
  await edit('schema.yaml', '      body: text\n', '      body: text\n      mood: text?\n');
  expect(await scaffold(['regenerate'], { cwd: folder })).toMatchObject({ code: 0 });
  await npm('db:migrate');
  const refused = await scaffold(['regenerate', '--undo'], { cwd: folder });
  expect(refused.code).toBe(7);
  expect(refused.stderr).toMatch(/error SCF515 {2}The database has applied `0002_add_post_mood`/);
  await npm('db:rollback');
  expect(await scaffold(['regenerate', '--undo'], { cwd: folder })).toMatchObject({ code: 0 });
  // The database is one that the code knows.
  await npm('db:migrate');
});
