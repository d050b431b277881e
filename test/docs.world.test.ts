import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/root.ts';
import { copiedApp } from './support/built-app.ts';
import { must } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { walkThrough } from './support/walkthrough.ts';

const read = (page: string) => readFile(join(root, page), 'utf8');

/** A folder called `scaffold` where `npx scaffold` is this one. */
async function checkout(): Promise<string> {
  const folder = join(await scratchFolder('walk'), 'scaffold');
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await symlink(join(root, 'bin/scaffold.js'), join(folder, 'node_modules/.bin/scaffold'));
  return folder;
}

test('the tutorial can be followed as it is written', async () => {
  await walkThrough(await read('docs/tutorial.md'), { folder: await checkout() });
});

test('a page with a wrong command cannot be followed', async () => {
  const page = (await read('docs/tutorial.md')).replace('scaffold check', 'scaffold verify');
  await expect(walkThrough(page, { folder: await checkout() })).rejects.toThrow('SCF001');
});

test('the README of a project can be followed as it is written', async () => {
  const { folder } = await copiedApp('blog', 'sqlite');
  const env = {
    DATABASE_URL: 'file:./var/readme.db',
    AUTH_SECRET_KEY: 'of the tests of the readme, and of nothing else at all',
    PASSWORD: 'correct-horse-battery',
  };
  await walkThrough(await readFile(join(folder, 'README.md'), 'utf8'), { folder, env });
});

test('the next steps of `scaffold new` can be followed as they are printed', async () => {
  const folder = await checkout();
  const args = ['scaffold', 'new', '../my-api', '--example', 'minimal', '--json'];
  const { stdout } = await must('npx', args, { cwd: folder });
  const { next }: { next: readonly string[] } = JSON.parse(stdout);
  expect(next.length).toBeGreaterThan(3);
  await walkThrough(`\`\`\`sh\n${next.join('\n')}\n\`\`\`\n`, { folder });
});
