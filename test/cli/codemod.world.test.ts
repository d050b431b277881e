import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../support/install.ts';
import { blogProject } from './blog-project.ts';
import { check, regenerate } from './in-process.ts';

const queries = 'src/posts/queries.ts';
const headline = `
export function headline(post: Post): string {
  return \`\${post.title}: \${post.rating}\`;
}
`;

test('--codemod writes new names into the owner’s code and shows it; uses that have none are reported by place', async () => {
  const { folder, edit, read } = await blogProject();
  await install(folder);
  await edit(queries, /$/, headline);
  await edit(
    'schema.yaml',
    'title: string(3..160)',
    'heading: { type: string(3..160), was: title }',
  );
  await edit('schema.yaml', '      rating: decimal(3,2)?\n', '');

  const accept = ['SCF412:Post.rating'];
  const { code, stdout, stderr } = await regenerate(folder, { codemod: true, accept });
  expect(code).toBe(4);
  expect(stdout).toContain('\nYour code\ndiff --git a/src/posts/queries.ts');
  expect(stdout).toContain(
    '\n-  return `${post.title}: ${post.rating}`;\n+  return `${post.heading}:',
  );
  const line =
    read(queries)
      .split('\n')
      .findIndex((text) => text.includes('post.rating')) + 1;
  expect(stderr).toMatch(/error SCF508 {2}.*'rating'/);
  expect(stderr).toContain(`\n  --> src/posts/queries.ts:${line}:`);
  expect(stderr).toMatch(/What is still open is listed above\.\n$/);
  expect(read(queries)).toContain('return `${post.heading}: ${post.rating}`;');
});

const rules = `import { anyOf, owner, role, type Rule } from '../lib/access.ts';

export const mayTouch: Rule<'posts'> = anyOf(owner("author_id"), role('editor'));
`;

test('a rule of the owner that names a column by its old name is reported by place, and renamed', async () => {
  const { folder, edit, read } = await blogProject();
  await install(folder);
  await edit('src/posts/policy.ts', /^/, "import { mayTouch } from './rules.ts';\n");
  await edit('src/posts/policy.ts', "delete: owner('author_id')", 'delete: mayTouch');
  await writeFile(join(folder, 'src/posts/rules.ts'), rules);
  const [post = '', ...others] = read('schema.yaml').split('  Comment:');
  const renamed = post
    .replace('owner: author', 'owner: writer')
    .replace('[author, slug]', '[writer, slug]')
    .replace('author: User', 'writer: { to: User, was: author }');
  await writeFile(join(folder, 'schema.yaml'), [renamed, ...others].join('  Comment:'));

  // Comments still have such a column.
  const { code, stderr } = await regenerate(folder);
  expect(code).toBe(4);
  expect(stderr).toContain('error SCF508  `author_id` is now called `writer_id`.');
  expect(stderr).toContain('\n  --> src/posts/rules.ts:3:52\n');

  expect((await regenerate(folder, { undo: true })).code).toBe(0);
  expect((await regenerate(folder, { codemod: true })).code).toBe(0);
  expect(read('src/posts/rules.ts')).toBe(rules.replace('author_id', 'writer_id'));
  expect((await check(folder)).stderr).not.toContain('SCF508');
});

const drafts = `import type { Database } from '../database/client.ts';

export function listDrafts(database: Database) {
  return database
    .selectFrom('tags')
    .innerJoin('posts_tags', 'posts_tags.tag_id', 'tags.id')
    .innerJoin('posts', 'posts.id', 'posts_tags.post_id')
    .select(['tags.name', 'title'])
    .where('status', '=', 'draft')
    .orderBy('title')
    .execute();
}
`;

test('tables, values and columns are renamed in a join, and a column is written with its table', async () => {
  const { folder, edit, read } = await blogProject();
  await install(folder);
  await writeFile(join(folder, 'src/posts/drafts.ts'), drafts);
  await edit('schema.yaml', '  Tag:\n', '  Label:\n    was: Tag\n');
  await edit('schema.yaml', 'Tag[]', 'Label[]');
  await edit('schema.yaml', '[draft,', '[{ value: idea, was: draft },');
  await edit('schema.yaml', '= draft', '= idea');
  await edit(
    'schema.yaml',
    'title: string(3..160)',
    'heading: { type: string(3..160), was: title }',
  );

  expect((await regenerate(folder, { codemod: true })).code).toBe(0);
  expect(read('src/posts/drafts.ts')).toBe(
    drafts
      .replaceAll("'tags", "'labels")
      .replaceAll("'title'", "'posts.heading'")
      .replace('draft', 'idea'),
  );
});

test('a role that the owner’s code compares by its old name is an error, and renamed', async () => {
  const { folder, edit, read } = await blogProject();
  await install(folder);
  const ours = "(viewer) => viewer?.role === 'editor'";
  await edit('src/posts/policy.ts', "delete: owner('author_id')", `delete: ${ours}`);
  await writeFile(join(folder, 'schema.yaml'), read('schema.yaml').replaceAll('editor', 'desk'));
  const rename = ['Role.editor=desk'];

  const { code, stderr } = await regenerate(folder, { rename });
  expect(stderr).toContain('error SCF508');
  expect(stderr).toContain('\n  --> src/posts/policy.ts:');
  expect(code).toBe(4);
  expect((await regenerate(folder, { undo: true })).code).toBe(0);
  expect((await regenerate(folder, { rename, codemod: true })).code).toBe(0);
  expect(read('src/posts/policy.ts')).toContain(ours.replace('editor', 'desk'));
});
