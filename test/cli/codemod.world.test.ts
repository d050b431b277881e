import { expect, test } from 'vitest';
import { install } from '../support/install.ts';
import { blogProject } from './blog-project.ts';
import { regenerate } from './in-process.ts';

const queries = 'src/posts/queries.ts';
const headline = `
export function headline(post: Post): string {
  return \`\${post.title}: \${post.rating}\`;
}
`;

test('--codemod writes new names into the owner’s code and shows it; what has none is reported by place', async () => {
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
