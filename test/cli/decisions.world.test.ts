import { beforeEach, describe, expect, test } from 'vitest';
import { blogProject, type BlogProject } from './blog-project.ts';
import { controlC, enter, onTerminal } from './pseudo-terminal.ts';
import { program } from './scaffold.ts';

const title = 'title: string(3..160)';
const down = '\u001b[B';

let blog: BlogProject;
beforeEach(async () => {
  blog = await blogProject();
});

describe('on a terminal', () => {
  const run = `"${process.execPath}" "${program}" regenerate`;
  const renameQuestion = 'Was it renamed?';
  const lossQuestion = 'Go on?';

  test('a rename is proposed, and Enter takes it', async () => {
    const { folder, edit, read } = blog;
    await edit('schema.yaml', title, 'heading: string(3..160)');
    const reactions = [{ when: renameQuestion, type: enter }];
    const { code } = await onTerminal(run, { cwd: folder, reactions });
    expect(code).toBe(0);
    expect(read('migrations/0002_rename_post_title/up.sql')).toMatch(/RENAME COLUMN/i);
  });

  test('a drop has to be chosen, and agreed to where more is lost', async () => {
    const { folder, edit, read } = blog;
    await edit('schema.yaml', title, 'heading: string(3..160)');
    const reactions = [
      { when: renameQuestion, type: `${down}${enter}` },
      { when: lossQuestion, type: `${down}${enter}` },
    ];
    const named = `${run} --name no_titles`;
    const { code } = await onTerminal(named, { cwd: folder, reactions });
    expect(code).toBe(0);
    expect(read('migrations/0002_no_titles/up.sql')).toContain('SCF412:Post.title');
  });

  test.each([
    ['Enter says no', enter, 7],
    ['Ctrl-C leaves', controlC, 130],
  ])('a loss is not agreed to by accident: %s', async (_, type, status) => {
    const { folder, edit, state } = blog;
    await edit('schema.yaml', '      rating: decimal(3,2)?\n', '');
    const before = state();
    const reactions = [{ when: lossQuestion, type }];
    const { code, stdout } = await onTerminal(run, { cwd: folder, reactions });
    expect(code).toBe(status);
    expect(stdout).toContain('SCF412:Post.rating');
    expect(stdout.trimEnd()).toMatch(/Nothing was written\.$/);
    expect(state()).toEqual(before);
  });

  test('it is agreed to by choosing it', async () => {
    const { folder, edit } = blog;
    await edit('schema.yaml', '      rating: decimal(3,2)?\n', '');
    const reactions = [{ when: lossQuestion, type: `${down}${enter}` }];
    expect((await onTerminal(run, { cwd: folder, reactions })).code).toBe(0);
    expect(blog.read('migrations/0002_drop_post_rating/up.sql')).toContain('rating');
  });
});
