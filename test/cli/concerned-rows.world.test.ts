import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { install } from '../support/install.ts';
import { must } from '../support/run.ts';
import { blogProject } from './blog-project.ts';
import { scaffold } from './scaffold.ts';

test('the question about a loss says how many rows of the project’s database it concerns', async () => {
  const { folder, edit } = await blogProject();
  await install(folder);
  await must('npm', ['run', '--silent', 'db:migrate'], { cwd: folder });
  const database = new DatabaseSync(join(folder, 'var/blog.db'));
  const insert = database.prepare(
    "INSERT INTO tags (name, created_at, updated_at) VALUES ('tag ' || ?, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')",
  );
  for (let at = 0; at < 1200; at += 1) insert.run(at);
  database.close();

  await edit('schema.yaml', '      name: string(1..40) unique', '      label: string(1..40)');
  const asked = await scaffold(['regenerate'], { cwd: folder });
  expect(asked.code).toBe(7);
  expect(asked.stderr).toContain('renamed, or dropped? 1,200 rows in your database.');

  const drop = ['--accept', 'SCF412:Tag.name'];
  const answer = await scaffold(['regenerate', '--json', ...drop], { cwd: folder });
  const { decisions } = JSON.parse(answer.stdout);
  expect(decisions).toEqual([
    {
      code: 'SCF421',
      target: 'Tag.label',
      rows: 1200,
      answers: ['--accept SCF421:Tag.label'],
    },
  ]);

  // Once a migration is pending, the tables are not those that the next one starts from: rows are not mentioned.
  const agreed = [...drop, '--accept', 'SCF421:Tag.label'];
  expect((await scaffold(['regenerate', ...agreed], { cwd: folder })).code).toBe(0);
  await edit('schema.yaml', '      label: string(1..40)\n', '      other: int?\n');
  expect((await scaffold(['regenerate'], { cwd: folder })).stderr).toMatch(
    /error SCF412 .*: This deletes all values\.\n/,
  );
});
