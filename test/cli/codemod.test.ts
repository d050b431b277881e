import { expect, test } from 'vitest';
import { install } from '../support/install.ts';
import { blogProject } from './blog-project.ts';
import { regenerate } from './in-process.ts';

const queries = 'src/posts/queries.ts';
const headline = `
export function headline(post: Post): string {
  return post.title.toUpperCase();
}
`;

test('code that uses a former name is found by place; --codemod writes the new one, and shows it', async () => {
  const { folder, edit, read } = await blogProject();
  await install(folder);
  await edit(queries, /$/, headline);
  await edit(
    'schema.yaml',
    'title: string(3..160)',
    'heading: { type: string(3..160), was: title }',
  );

  const found = await regenerate(folder);
  expect(found.code).toBe(4);
  expect(found.stderr).toContain('error SCF508  `title` is called `heading` now. ');
  expect(found.stderr).toMatch(/\n {2}--> src\/posts\/queries\.ts:40:15\n/);
  const next = /\nNext\n {2}(scaffold regenerate --undo) .*\n {2}(scaffold regenerate --codemod) /;
  expect(found.stderr).toMatch(next);

  expect((await regenerate(folder, { undo: true })).code).toBe(0);
  const { code, stdout } = await regenerate(folder, { codemod: true });
  expect(code).toBe(0);
  expect(stdout).toContain('\nYour code\ndiff --git a/src/posts/queries.ts');
  expect(stdout).toContain(
    '\n-  return post.title.toUpperCase();\n+  return post.heading.toUpperCase();\n',
  );
  expect(read(queries)).toContain('return post.heading.toUpperCase();');
}, 900_000);
