import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blogProject, type BlogProject } from './blog-project.ts';
import { check, regenerate } from './in-process.ts';

const title = 'title: string(3..160)';
const withSubtitle = `${title}\n      subtitle: string(1..80)?`;

describe('scaffold regenerate', () => {
  test('writes nothing when there is nothing to do', async () => {
    const { folder, state } = await blogProject();
    const before = state();
    expect(await regenerate(folder)).toEqual({
      code: 0,
      stdout:
        'The project is in step with its schema. Nothing was written.\nYour code was not type-checked: `npx scaffold check` does that.\n',
      stderr: '',
    });
    expect(state()).toEqual(before);
  });

  test('brings a new field into the project, reports what it did by model, and what comes next', async () => {
    const { folder, edit, read } = await blogProject();
    await edit('schema.yaml', title, withSubtitle);
    await edit('src/posts/queries.ts', 'defineList(posts)', 'defineList(/* mine */ posts)');
    const { code, stdout, stderr } = await regenerate(folder);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/^Post\n {2}update {4}src\/posts\/schema\.ts\n/);
    expect(stdout).toContain('\nDatabase\n  Post.subtitle is new.\n  create    migrations/0002_');
    expect(stdout).toContain('\nProject\n');
    expect(stderr).toContain(
      '\nNext\n  npm run db:migrate  applies it; starting the server does, too\n',
    );
    expect(stderr).toMatch(/\n\d+ files written, 1 keeps your edits, \d+ are unchanged\.\n$/);
    expect(read('src/posts/schema.ts')).toContain('subtitle:');
    expect(read('src/posts/queries.ts')).toContain('/* mine */');
    expect((await regenerate(folder)).stdout).toContain('in step');
    expect((await check(folder)).code).toBe(0);
  });

  test.each([
    ['--dry-run', { dryRun: true }, 0],
    ['--diff', { diff: true }, 0],
    ['--check', { check: true }, 5],
  ])('%s writes nothing', async (_, request, status) => {
    const { folder, edit, state } = await blogProject();
    await edit('schema.yaml', title, withSubtitle);
    const before = state();
    const { code, stderr } = await regenerate(folder, request);
    expect(code).toBe(status);
    expect(stderr).toMatch(/Nothing was written\.\n$/);
    expect(state()).toEqual(before);
  });

  test('--check says nothing about files, and accepts a project that is in step', async () => {
    const { folder, edit } = await blogProject();
    expect(await regenerate(folder, { check: true })).toMatchObject({ code: 0, stderr: '' });
    await edit('schema.yaml', title, withSubtitle);
    expect((await regenerate(folder, { check: true })).stdout).toBe('');
  });

  test('--diff is what `git apply` turns into the same project', async () => {
    const { folder, edit, state } = await blogProject();
    await edit('schema.yaml', /Tag:/, 'Label:\n    was: Tag');
    await edit('schema.yaml', 'tags: Tag[]', "labels: { to: 'Label[]', was: tags }");
    await edit('schema.yaml', title, withSubtitle);
    await edit('src/tags/queries.ts', 'defineList(tags)', 'defineList(/* mine */ tags)');
    const copy = `${folder}-patched`;
    cpSync(folder, copy, { recursive: true });
    const { stdout } = await regenerate(folder, { diff: true });
    expect(stdout).toContain('rename from src/tags/queries.ts\nrename to src/labels/queries.ts\n');
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: copy, input: stdout });
    expect((await regenerate(folder)).code).toBe(0);
    execFileSync('diff', ['--recursive', '--exclude=.scaffold', folder, copy]);
    expect([...state().keys()]).toContain('src/labels/queries.ts');
  });

  test('restores what was deleted only when it is asked to', async () => {
    const { folder, edit, read } = await blogProject();
    await rm(join(folder, 'src/tags/policy.ts'));
    await edit('schema.yaml', title, withSubtitle);
    expect((await regenerate(folder)).stdout).toContain('skip      src/tags/policy.ts');
    expect(() => read('src/tags/policy.ts')).toThrow('ENOENT');
    const { code, stdout } = await regenerate(folder, { restore: ['src/tags/policy.ts'] });
    expect(code).toBe(0);
    expect(stdout).toContain('restore   src/tags/policy.ts');
    expect(read('src/tags/policy.ts')).toContain('tagPolicy');
  });

  test('says that a migration is gone when the next one does not repeat its changes', async () => {
    const { folder, edit } = await blogProject();
    await rm(join(folder, 'migrations/0001_initial'), { recursive: true });
    await edit('schema.yaml', title, withSubtitle);
    const { code, stderr } = await regenerate(folder, { dryRun: true });
    expect(code).toBe(0);
    expect(stderr).toContain('warning SCF514  `migrations/0001_initial` is gone, and `0002_');
  });

  test('--restore of something unknown has status 2', async () => {
    const request = { restore: ['src/pots.ts'] };
    const { folder, edit } = await blogProject();
    await edit('schema.yaml', title, withSubtitle);
    const { code, stderr } = await regenerate(folder, request);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error SCF516 {2}.*\n[\s\S]*Nothing was written\.\n/);
  });

  test.each([
    [{ rename: ['Post.title'] }, 'does not name two things'],
    [{ rename: ['Post.titel=heading'] }, '`titel`'],
    [{ accept: ['everything'] }, 'does not name a question'],
    [{ undo: true, codemod: true }, '`--undo`'],
    [{ watch: true, check: true }, '`--watch`'],
  ])('%j has status 2', async (request, words) => {
    const { folder, edit, state } = await blogProject();
    await edit('schema.yaml', title, 'heading: string(3..160)');
    const before = state();
    const { code, stderr } = await regenerate(folder, request);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
    expect(stderr).toMatch(/^error SCF001/);
    expect(state()).toEqual(before);
  });

  test('shows all problems of a schema, status 3', async () => {
    const { folder, edit, state } = await blogProject();
    await edit('schema.yaml', 'body: text\n', 'body: tekst\n');
    await edit('schema.yaml', 'author: User #', 'author: Usr #');
    const before = state();
    const { code, stderr } = await regenerate(folder);
    expect(code).toBe(3);
    expect(stderr).toMatch(/`tekst`[\s\S]*`Usr`[\s\S]*Nothing was written\.\n$/);
    expect(state()).toEqual(before);
  });

  test('finds the project around the folder in which it is started', async () => {
    const { folder, edit, read } = await blogProject();
    await edit('schema.yaml', title, withSubtitle);
    const inside = join(folder, 'src/posts');
    expect((await check(inside)).code).toBe(5);
    const { code, stderr } = await regenerate(inside);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('  npm run db:migrate'),
    });
    expect(read('src/posts/schema.ts')).toContain('subtitle:');
    expect(await check(inside)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('`../../schema.yaml` is valid'),
    });
  });

  test('is for projects only', async () => {
    const { folder } = await blogProject();
    for (const place of [join(folder, '..'), folder]) {
      const dir = place === folder ? 'src' : '.';
      expect(await regenerate(place, { dir })).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^error SCF503/),
      });
    }
  });
});

describe('--undo', () => {
  test('takes the last run back, byte for byte, once', async () => {
    const { folder, edit, state } = await blogProject();
    await edit('schema.yaml', title, withSubtitle);
    const before = texts(state());
    await regenerate(folder);
    expect((await regenerate(folder, { undo: true, dryRun: true })).code).toBe(0);
    const { code, stdout, stderr } = await regenerate(folder, { undo: true });
    expect(code).toBe(0);
    expect(stdout).toContain('delete    migrations/0002_');
    expect(stderr).toMatch(/was rolled back, there is nothing to do\..*`npm run db:rollback`/);
    expect(texts(state())).toEqual(before);
    expect(await regenerate(folder, { undo: true })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error SCF510/),
    });
  });

  test('refuses when a file was edited since, and names it', async () => {
    const { folder, edit, state } = await blogProject();
    await edit('schema.yaml', title, withSubtitle);
    await regenerate(folder);
    await edit('src/posts/schema.ts', 'subtitle', 'undertitle');
    const before = state();
    const { code, stderr } = await regenerate(folder, { undo: true });
    expect(code).toBe(7);
    expect(stderr).toMatch(/^error SCF511 {2}.*`src\/posts\/schema\.ts`/);
    expect(state()).toEqual(before);
  });
});

/** Without times, and without what a run keeps for itself. */
function texts(state: ReturnType<BlogProject['state']>): ReadonlyMap<string, string> {
  return new Map(
    [...state]
      .filter(([path]) => !/^\.scaffold\/(?:undo|run)/.test(path))
      .map(([path, text]) => [path, text.slice(text.indexOf(' ') + 1)]),
  );
}
