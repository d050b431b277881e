import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { blogProject, type BlogProject } from './blog-project.ts';
import { isDoneDespiteCtrlC } from './ctrl-c.ts';
import { regenerate } from './in-process.ts';
import { scaffold } from './scaffold.ts';

const title = 'title: string(3..160)';
const withSubtitle = `${title}\n      subtitle: string(1..80)?`;

test('Ctrl-C at any moment leaves the project as it was, or as the run would leave it', async () => {
  const target = await blogProject();
  await target.edit('schema.yaml', title, withSubtitle);
  const before = texts(target);
  await regenerate(target.folder);
  const after = texts(target);

  for (const delay of [150, 300, 400, 500, 600, 800]) {
    const blog = await blogProject();
    await blog.edit('schema.yaml', title, withSubtitle);
    const isDone = await isDoneDespiteCtrlC(['regenerate'], { cwd: blog.folder, delay });
    expect(texts(blog), `${delay} ms`).toEqual(isDone ? after : before);
  }
});

test('of two runs at once, one says that the other is under way', async () => {
  const { folder, edit } = await blogProject();
  await edit('schema.yaml', title, withSubtitle);
  const both = await Promise.all([1, 2].map(() => scaffold(['regenerate'], { cwd: folder })));
  const refused = both.filter(({ code }) => code !== 0);
  for (const { code, stderr } of refused) {
    expect(code).toBe(6);
    expect(stderr).toMatch(/^error SCF505[\s\S]*Nothing was written\.$/);
  }
  expect(refused.length).toBeLessThan(2);
  expect((await regenerate(folder)).stdout).toContain('in step');
});

test('a lock that a dead process left stops nobody', async () => {
  const { folder, edit } = await blogProject();
  await edit('schema.yaml', title, withSubtitle);
  const lock = join(folder, '.scaffold/run.lock');
  const { withRunLock } = await import('../../src/project/journal/run-lock.ts');
  const text = await withRunLock(folder, async () => {
    const [name = ''] = await readdir(lock);
    return readFile(join(lock, name), 'utf8');
  });
  const dead = await execa(process.execPath, ['--eval', 'console.log(process.pid)']);
  await mkdir(lock);
  await writeFile(join(lock, 'left'), text.replaceAll(String(process.pid), dead.stdout));
  expect((await regenerate(folder)).code).toBe(0);
});

/** Without times, and without what a run keeps for itself. */
function texts({ state }: BlogProject): ReadonlyMap<string, string> {
  return new Map(
    [...state()]
      .filter(([path]) => !/^\.scaffold\/(?:undo|run)/.test(path))
      .map(([path, text]) => [path, text.slice(text.indexOf(' ') + 1)]),
  );
}
