import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readMigrations } from '../../runner/read.ts';
import { blogProject, type BlogProject } from './blog-project.ts';
import { check, regenerate } from './in-process.ts';

const body = '      body: text\n';
const teaser = `${body}      teaser: string(1..50)?\n`;
const name = '      name: string(1..40) unique\n';
const color = `${name}      color: string(1..9)?\n`;

let blog: BlogProject;
beforeEach(async () => {
  blog = await blogProject();
  git('init', '--quiet', '--initial-branch=main');
  commit('start');
  git('branch', 'other');
});

describe('two branches that both regenerated', () => {
  test('are merged by git and one more run; nothing of either is lost', async () => {
    await blog.edit('schema.yaml', name, color);
    await blog.edit('src/tags/queries.ts', 'defineList(tags)', 'defineList(/* ours */ tags)');
    await regenerateAndCommit();
    git('checkout', '--quiet', 'other');
    await blog.edit('schema.yaml', body, teaser);
    await blog.edit('src/posts/queries.ts', 'defineList(posts)', 'defineList(/* theirs */ posts)');
    await regenerateAndCommit();
    git('checkout', '--quiet', 'main');
    merge('other');

    const { code, stdout, stderr } = await regenerate(blog.folder);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'update    migrations/0002_add_post_teaser/  It now follows this branch’s migrations.',
    );
    expect(stderr).toContain('note SCF514');
    expect(blog.read('src/tags/queries.ts')).toContain('/* ours */');
    expect(blog.read('src/posts/queries.ts')).toContain('/* theirs */');
    expect(blog.read('src/tags/schema.ts')).toContain('color:');
    expect(blog.read('src/posts/schema.ts')).toContain('teaser:');
    const parent = '"parent": "0002_add_tag_color"';
    expect(blog.read('migrations/0002_add_post_teaser/meta.json')).toContain(parent);
    expect((await check(blog.folder)).code).toBe(0);
    expect((await regenerate(blog.folder)).stdout).toContain('in step');
  });

  test('leave only the schema to their owner when both changed the same place', async () => {
    const { edit, folder, read } = blog;
    await edit('schema.yaml', body, teaser);
    await regenerateAndCommit();
    git('checkout', '--quiet', 'other');
    await edit('schema.yaml', body, `${body}      lead: string(1..90)?\n`);
    await regenerateAndCommit();
    git('checkout', '--quiet', 'main');
    expect(() => git('merge', '--quiet', '--no-edit', 'other')).toThrow('Command failed');
    expect(read('src/posts/schema.ts')).toContain('<<<<<<<');

    await edit('schema.yaml', /^(?:<{7}|={7}|>{7}).*\n/gm, '');
    const { code, stderr } = await regenerate(folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('SCF514') });
    for (const field of ['teaser:', 'lead:']) {
      expect(read('src/posts/schema.ts')).toContain(field);
    }
    expect(() => git('grep', '--quiet', '^<<<<<<<', '--', ':!.scaffold')).toThrow('Command failed');
    expect((await check(folder)).code).toBe(0);
  });

  test('leave no markers of git where the code of one is now made from both', async () => {
    const { edit, folder, read } = blog;
    const tag = '  Tag:\n';
    const relations = '    relations: { tag: Tag }\n';
    await edit('schema.yaml', tag, `  Photo:\n${relations}${tag}`);
    await regenerateAndCommit();
    git('checkout', '--quiet', 'other');
    await edit('schema.yaml', tag, `  Video:\n${relations}${tag}`);
    await regenerateAndCommit();
    git('checkout', '--quiet', 'main');
    expect(() => git('merge', '--quiet', '--no-edit', 'other')).toThrow('Command failed');
    expect(read('test/tags.test.ts')).toContain('<<<<<<<');

    await edit('schema.yaml', /^[<>]{7}.*\n/gm, '');
    await edit('schema.yaml', /^={7}\n/m, relations);
    expect(await regenerate(folder)).toMatchObject({ code: 0 });
    expect(read('test/tags.test.ts')).toContain('api.make.photo(');
    expect(() => git('grep', '--quiet', '^<<<<<<<', '--', ':!.scaffold')).toThrow('Command failed');
    expect((await check(folder)).code).toBe(0);
  });

  test('leave only the schema to their owner when one renamed a field and the other added one beside it', async () => {
    const { edit, folder, read } = blog;
    const [title, pages] = ['      title: string(3..160)\n', '      pages: int?\n'];
    const headline = '      headline: { type: string(3..160), was: title }\n';
    await edit('schema.yaml', title, headline);
    await edit('src/posts/queries.ts', 'defineList(posts)', 'defineList(/* ours */ posts)');
    await regenerateAndCommit();
    git('checkout', '--quiet', 'other');
    await edit('schema.yaml', title, `${pages}${title}`);
    await regenerateAndCommit();
    git('checkout', '--quiet', 'main');
    expect(() => git('merge', '--quiet', '--no-edit', 'other')).toThrow('Command failed');
    expect(read('src/posts/schema.ts')).toContain('<<<<<<<');

    await edit('schema.yaml', /^<{7}[^]*>{7} other\n/m, `${pages}${headline}`);
    expect(await withoutOne('0002_add_post_pages')).toMatchObject({ code: 0 });
    expect(read('src/posts/schema.ts')).toMatch(/pages: t\.[^]*headline: t\./);
    expect(read('src/posts/schema.ts')).not.toContain('title: t.');
    expect(() => git('grep', '--quiet', '^<<<<<<<', '--', ':!.scaffold')).toThrow('Command failed');
    expect((await check(folder)).code).toBe(0);
  });

  test('are joined even where git moved the files of a model that one of them renamed', async () => {
    const { edit, folder, read } = blog;
    await edit('schema.yaml', name, color);
    await regenerateAndCommit();
    git('checkout', '--quiet', 'other');
    await edit('schema.yaml', '  Tag:\n', '  Label:\n    was: Tag\n');
    await edit('schema.yaml', 'tags: Tag[]', 'tags: Label[]');
    await edit('src/tags/queries.ts', 'defineList(tags)', 'defineList(/* theirs */ tags)');
    await regenerateAndCommit();
    git('checkout', '--quiet', 'main');
    expect(() => git('merge', '--quiet', '--no-edit', 'other')).toThrow('Command failed');

    const { code, stdout } = await withoutOne('0002_rename_tag');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('skip') });
    // One wrote a field into the requests of the test where the other renamed the model.
    expect(read('test/labels.test.ts')).toMatch(/label[^]*color/);
    expect(read('test/labels.test.ts')).not.toMatch(/<{7}|\btags?\b/i);
    expect(read('src/labels/queries.ts')).toContain('/* theirs */');
    await edit('schema.yaml', color, `${color}      size: int?\n`);
    const later = await regenerate(folder);
    expect(later.stdout).toMatch(/update +src\/labels\/schema\.ts/);
    expect(read('src/labels/schema.ts')).toMatch(/color: t\.[^]*size: t\./);
  });

  test.each(['main', 'other'])(
    'keep their migrations where one has SQL of its owner: the run is on %s',
    async (here) => {
      await blog.edit('schema.yaml', body, teaser);
      await regenerateAndCommit();
      await own('0003_fill_teasers', 'UPDATE posts SET teaser = title;\n');
      await blog.edit('schema.yaml', teaser, `${teaser}      lead: string(1..90)?\n`);
      await regenerateAndCommit();
      git('checkout', '--quiet', 'other');
      await own('0002_a_view', 'CREATE VIEW titles AS SELECT title FROM posts;\n');
      await blog.edit('schema.yaml', name, color);
      await regenerateAndCommit();
      git('checkout', '--quiet', here);
      merge(here === 'main' ? 'other' : 'main');

      const { code, stderr } = await regenerate(blog.folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('SCF514') });
      const ours = ['0002_add_post_teaser', '0003_fill_teasers', '0004_add_post_lead'];
      const theirs = ['0002_a_view', '0003_add_tag_color'];
      const branches = here === 'main' ? [...ours, ...theirs] : [...theirs, ...ours];
      const order = ['0001_initial', ...branches, '0005_join_branches'];
      expect(readMigrations(join(blog.folder, 'migrations')).map(({ id }) => id)).toEqual(order);
      expect((await check(blog.folder)).code).toBe(0);
      expect((await regenerate(blog.folder)).stdout).toContain('in step');
    },
  );

  test.each(['0002_ours', '0002_theirs'])(
    'leave the choice to their owner when both changed the same: %s is removed',
    async (gone) => {
      await blog.edit('schema.yaml', body, teaser);
      await regenerateAndCommit({ name: 'ours' });
      git('checkout', '--quiet', 'other');
      await blog.edit('schema.yaml', body, teaser);
      await regenerateAndCommit({ name: 'theirs' });
      git('checkout', '--quiet', 'main');
      merge('other');

      expect((await check(blog.folder)).code).toBe(7);
      const { code, stderr } = await withoutOne(gone);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.not.stringMatching(/is gone|SCF516/),
      });
      expect((await check(blog.folder)).code).toBe(0);
      expect((await regenerate(blog.folder)).stdout).toContain('in step');
    },
  );
});

/** What the refusal asks for: one migration is removed and its changes are written again. */
async function withoutOne(gone: string) {
  const refused = await regenerate(blog.folder);
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('cannot follow') });
  expect(refused.stderr).toContain(`--accept SCF514:${gone}`);
  return regenerate(blog.folder, { accept: [`SCF514:${gone}`] });
}

async function regenerateAndCommit(request: Parameters<typeof regenerate>[1] = {}): Promise<void> {
  expect(await regenerate(blog.folder, request)).toMatchObject({ code: 0 });
  commit('a change of the schema');
}

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--no-verify', `--message=${message}`);
}

async function own(id: string, sql: string): Promise<void> {
  await mkdir(join(blog.folder, 'migrations', id));
  await writeFile(join(blog.folder, 'migrations', id, 'up.sql'), sql);
}

/** Git leaves what it cannot merge below `.scaffold/` as our side has it. */
function merge(branch: string): void {
  expect(() => git('merge', '--quiet', '--no-edit', branch)).toThrow('Command failed');
  const open = git('diff', '--name-only', '--diff-filter=U').trim().split('\n');
  expect(open).toContain('.scaffold/lock.json');
  expect(open.filter((path) => !path.startsWith('.scaffold/'))).toEqual([]);
}

function git(...args: readonly string[]): string {
  const settings = ['user.name=Ann', 'user.email=ann@example.test', 'commit.gpgsign=false'];
  const words = [...settings.flatMap((it) => ['-c', it]), ...args];
  return execFileSync('git', words, { cwd: blog.folder, encoding: 'utf8', stdio: 'pipe' });
}
