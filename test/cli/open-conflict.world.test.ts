import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownedProject } from '../support/owned-project.ts';
import { run } from '../support/run.ts';

test('a program of a project in conflict says so, and runs again once it is resolved', async () => {
  const project = await ownedProject('--example', 'minimal');
  await project.edit('src/notes/policy.ts', ["read: owner('author_id')", 'read: signedIn']);
  await project.edit('schema.yaml', ['read: owner', 'read: public']);
  expect((await project.scaffold('regenerate')).code).toBe(4);

  const print = () => run('npm', ['run', '--silent', 'openapi'], { cwd: project.folder });
  expect(await print()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'A conflict is open in src/notes/policy.ts: `npx scaffold resolve` shows it.',
  });
  expect((await project.scaffold('resolve', '--theirs')).code).toBe(0);
  expect((await print()).code).toBe(0);
  // Writing the document needs no database.
  expect(existsSync(join(project.folder, 'var'))).toBe(false);
});
