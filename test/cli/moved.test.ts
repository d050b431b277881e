import { beforeEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../src/project/record.ts';
import { diskTree } from '../regenerate/support/edit.ts';
import { blogProject, type BlogProject } from './blog-project.ts';
import { check, regenerate } from './in-process.ts';

const old = 'src/posts/policy.ts';
const place = 'src/rules/posts.ts';

let blog: BlogProject;
beforeEach(async () => {
  blog = await blogProject();
  const tree = diskTree(blog.folder);
  // What imports it, and what it imports, is as it was.
  tree.write(place, tree.read(old));
  tree.remove(old);
  await blog.edit('schema.yaml', 'title: string(3..160)', 'title: string(3..200)');
});

describe('moved or deleted: with nobody to ask', () => {
  test('status 7, nothing written, and flags for both answers', async () => {
    const before = blog.state();
    const { code, stderr } = await regenerate(blog.folder);
    expect(code).toBe(7);
    expect(stderr).toContain(`error SCF517  \`${old}\` is gone`);
    expect(stderr).toContain(`--moved ${old}=${place}`);
    expect(stderr).toContain(`--accept SCF517:${old}`);
    expect(blog.state()).toEqual(before);
    expect((await check(blog.folder)).code).toBe(5);
  });

  test('it moved: it is followed', async () => {
    const { code, stdout } = await regenerate(blog.folder, { moved: [`${old}=${place}`] });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const { files } = readRecord(blog.read('.scaffold/lock.json'));
    expect(files[old]).toBe(undefined);
    expect(files[place]).toMatchObject({ home: old });
    expect((await check(blog.folder)).code).toBe(0);
  });

  test('it was deleted: a copy elsewhere belongs to its owner', async () => {
    const { code, stderr } = await regenerate(blog.folder, { accept: [`SCF517:${old}`] });
    expect(code).toBe(0);
    expect(stderr).not.toContain('does not apply to');
    const { files } = readRecord(blog.read('.scaffold/lock.json'));
    expect(files[old]).toMatchObject({ state: 'deleted' });
    expect(files[place]).toBe(undefined);
  });

  test.each([
    [`${old}=src/lib/none.ts`, 2],
    [`${old}=src/posts/schema.ts`, 2],
    [`src/posts/schema.ts=${place}`, 2],
    ['src/posts/schema.ts', 2],
  ])('%s is not a move', async (moved, status) => {
    const before = blog.state();
    expect((await regenerate(blog.folder, { moved: [moved] })).code).toBe(status);
    expect(blog.state()).toEqual(before);
  });
});
