import { beforeEach, describe, expect, test } from 'vitest';
import { blogProject, type BlogProject } from './blog-project.ts';
import { check, commandLine, regenerate } from './in-process.ts';

const title = 'title: string(3..160)';

let blog: BlogProject;
beforeEach(async () => {
  blog = await blogProject();
});

describe('renamed or dropped: with nobody to ask', () => {
  test('status 7, nothing written, and a command to paste that does it', async () => {
    const { folder, edit, state, read } = blog;
    await edit('schema.yaml', title, 'heading: string(3..160)');
    const before = state();
    const { code, stdout, stderr } = await commandLine(['regenerate', '--yes'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(stderr).toContain('error SCF509  `Post.title` is gone from the schema');
    expect(stderr).toMatch(/\n\nNothing was written\.$/);
    expect(state()).toEqual(before);

    const pasted = /^ {2}npx scaffold (.*)$/m.exec(stderr)?.[1] ?? '';
    expect(pasted).toBe('regenerate --rename Post.title=heading');
    expect((await commandLine(pasted.split(' '), { cwd: folder })).code).toBe(0);
    expect(read('migrations/0002_rename_post_title/up.sql')).toMatch(/RENAME COLUMN/i);
  });

  test('a model is asked about first: its answer decides about relations to it', async () => {
    const { folder, edit, read } = blog;
    await edit('schema.yaml', /^  Post:/m, '  Article:');
    await edit('schema.yaml', /post: \{ to: Post/, 'article: { to: Article');
    const asked = async (rename: string[]) => {
      const { code, stderr } = await regenerate(folder, { dryRun: true, rename });
      expect(code).toBe(7);
      return /^ {2}npx scaffold regenerate --dry-run (.*)$/m.exec(stderr)?.[1];
    };
    const model = '--rename Post=Article';
    expect(await asked([])).toBe(model);
    const relation = `${model} --rename Comment.post=article`;
    expect(await asked(['Post=Article'])).toBe(relation);
    const rename = ['Post=Article', 'Comment.post=article'];
    expect((await regenerate(folder, { rename, name: 'articles' })).code).toBe(0);
    expect(read('migrations/0002_articles/up.sql')).not.toMatch(/DROP COLUMN/i);
  });

  test('it can also be a drop, when that is said', async () => {
    const { folder, edit, read } = blog;
    await edit('schema.yaml', title, 'heading: string(3..160)?');
    const accept = ['SCF412:Post.title'];
    const { code, stderr } = await regenerate(folder, { accept, name: 'No titles' });
    expect(code).toBe(0);
    expect(stderr).toContain('warning SCF412  `Post.title`');
    const meta = JSON.parse(read('migrations/0002_no_titles/meta.json'));
    expect(meta.accepted).toContain('SCF412:Post.title');
  });

  test('a relation to one that becomes one to many keeps its links', async () => {
    const { folder, edit, read } = blog;
    const parent = '{ to: Comment, optional: true, on_delete: cascade, inverse: replies }';
    const many = 'parents: { to: Comment, many: true, inverse: replies }';
    await edit('schema.yaml', `parent: ${parent}`, many);
    const { code, stderr } = await regenerate(folder);
    expect(code).toBe(7);
    expect(stderr).toContain('  npx scaffold regenerate --rename Comment.parent=parents\n');
    await edit('schema.yaml', many, many.replace('inverse', 'was: parent, inverse'));
    expect(await regenerate(folder)).toMatchObject({ code: 0 });
    expect(read('migrations/0002_link_comment_parents/up.sql')).toMatch(
      /INSERT INTO comments_parents/,
    );
    expect((await regenerate(folder)).stdout).toContain('in step');
  });

  test('`was` in the schema answers it', async () => {
    const { folder, edit } = blog;
    await edit('schema.yaml', title, 'heading: { type: string(3..160), was: title }');
    expect((await regenerate(folder)).code).toBe(0);
  });

  test('`check` and `--check` say that the project is behind, status 5', async () => {
    const { folder, edit } = blog;
    await edit('schema.yaml', title, 'heading: string(3..160)');
    for (const ran of [await check(folder), await regenerate(folder, { check: true })]) {
      expect(ran.code).toBe(5);
      expect(ran.stderr).toMatch(/SCF509[\s\S]*SCF502/);
    }
  });
});

describe('a loss', () => {
  test('is agreed to by --accept only, not by --yes', async () => {
    const { folder, edit, state } = blog;
    await edit('schema.yaml', '      rating: decimal(3,2)?\n', '');
    const before = state();
    const refused = await regenerate(folder, {}, { yes: true });
    expect(refused.code).toBe(7);
    expect(refused.stderr).toMatch(/error SCF412 {2}`Post\.rating`: This deletes all values\./);
    expect(refused.stderr).toContain('  npx scaffold regenerate --accept SCF412:Post.rating\n');
    expect(state()).toEqual(before);
    const slip = await regenerate(folder, { accept: ['SCF412:Post.raiting'] });
    expect(slip).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/warning SCF516 .*raiting/),
    });
    const accept = ['SCF412:Post.rating'];
    expect((await regenerate(folder, { accept }, { yes: true })).code).toBe(0);
  });

  test('is named once by a preview, below what the run would do', async () => {
    const { folder, edit } = blog;
    await edit('schema.yaml', '      rating: decimal(3,2)?\n', '');
    for (const look of [{ dryRun: true }, { check: true }]) {
      const { code, stdout, stderr } = await regenerate(folder, look);
      expect(code).toBe(look.check ? 5 : 7);
      if (look.check) expect(stdout).toBe('');
      else expect(stdout).toContain('migrations/0002_drop_post_rating/');
      expect(stderr.match(/^\w+ SCF412/gm)).toEqual(['error SCF412']);
    }
  });
});
