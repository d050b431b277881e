import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { install } from '../support/install.ts';
import { must } from '../support/run.ts';
import { blogProject } from './blog-project.ts';
import { regenerate, resolve } from './in-process.ts';

/** Comments belong to a `writer`; who may change them is another rule, by the schema and by the owner. */
async function renamedOwner() {
  const project = await blogProject();
  await install(project.folder);
  const path = 'src/comments/policy.ts';
  const ours = "update: [allOf(owner('author_id'), (viewer) => viewer !== null)]";
  await project.edit(path, /import \{/, 'import { allOf,');
  await project.edit(path, "update: owner('author_id')", ours);
  const [before = '', comment = ''] = project.read('schema.yaml').split('  Comment:');
  const renamed = comment
    .replace('owner: author', 'owner: writer')
    .replace('author: User', 'writer: { to: User, was: author }')
    .replace('{ read: public }', '{ read: public, update: [owner, editor] }');
  await writeFile(join(project.folder, 'schema.yaml'), [before, renamed].join('  Comment:'));
  return { ...project, path };
}

describe('what is resolved has to fit', () => {
  test('a former name in the lines of the owner is reported, with status 4', async () => {
    const { folder, path } = await renamedOwner();
    expect((await regenerate(folder, { codemod: true })).code).toBe(4);
    const { code, stdout, stderr } = await resolve(folder, { ours: true });
    expect(stdout).toMatch(/^resolved {2}src\/comments\/policy\.ts:\d+ {2}your lines\n$/);
    expect(stderr).toContain('error SCF508  Argument of type \'"author_id"\' is not assignable');
    expect(stderr).toContain(`\n  --> ${path}:`);
    expect(stderr).toMatch(/\n\nAll conflicts are resolved. What does not fit is listed above.\n$/);
    expect(code).toBe(4);
  });

  test.each([
    ['ours', 4, "error SCF508  'row' is declared but its value is never read."],
    ['theirs', 0, 'All conflicts are resolved.\n'],
  ] as const)('a side is taken with all that depends on it: %s', async (side, status, message) => {
    const { folder, edit } = await blogProject();
    await install(folder);
    await edit(
      'schema.yaml',
      '      parent: { to: C',
      '      editor: User?\n      parent: { to: C',
    );
    expect((await regenerate(folder)).code).toBe(0);
    const path = 'src/comments/queries.ts';
    await edit(path, 'const { id } = await open', 'const created = await open');
    await edit(path, 'return id;', 'return created.id;');
    await edit('schema.yaml', 'editor: User?', 'editors: { to: User, many: true }');
    expect((await regenerate(folder, { accept: ['SCF412:Comment.editor'] })).code).toBe(4);
    const { code, stderr } = await resolve(folder, { [side]: true });
    expect(stderr).toContain(message);
    if (status !== 0) expect(stderr).toContain(`\n  --> ${path}:`);
    expect(code).toBe(status);
  });
});

test('what is resolved has the layout of the project', async () => {
  const { folder, edit, read } = await blogProject();
  await install(folder);
  const path = 'src/posts/policy.ts';
  await edit('.prettierrc.json', '"singleQuote": true', '"singleQuote": false');
  const prettier = (...args: readonly string[]) =>
    must(join(folder, 'node_modules/.bin/prettier'), [...args, path], { cwd: folder });
  await prettier('--write');
  await edit(path, /update: .*/, 'update: signedIn,');
  await edit('schema.yaml', 'update: [owner, editor]', 'update: [owner]');
  expect((await regenerate(folder)).code).toBe(4);
  expect((await resolve(folder, { theirs: true })).code).toBe(0);
  expect(read(path)).toContain('  update: owner("author_id"),\n');
  await prettier('--check');
});
