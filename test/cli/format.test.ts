import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format, resolveConfig } from 'prettier';
import { diskTree } from '../regenerate/support/edit.ts';
import { root } from '../support/root.ts';
import { blogProject } from './blog-project.ts';
import { regenerate, resolve } from './in-process.ts';
import { findPackage } from '../../src/system/package-manager.ts';

const settings = '{ "singleQuote": false, "semi": false, "useTabs": true, "printWidth": 120 }\n';

/** What one more model changes, and a little else: formatting everything takes ten times as long. */
const changing = /^(?:src\/(?:posts\/|database\/|routes)|test\/(?:factory|posts)).*\.ts$/;

/** A project that its owner has given another layout. */
async function reformatted() {
  const blog = await blogProject();
  const tree = diskTree(blog.folder);
  tree.write('.prettierrc.json', settings);
  for (const path of tree.paths().filter((it) => changing.test(it))) {
    tree.write(path, await formatted(path, tree.read(path)));
  }
  await blog.edit('schema.yaml', /$/, '  Note:\n    fields:\n      text: string(1..80)\n');
  return { ...blog, tree };
}

async function linkFormatter(folder: string) {
  const modules = join(folder, 'node_modules');
  diskTree(modules).write('.keep', '');
  await symlink(findPackage(root, 'prettier') ?? '', join(modules, 'prettier'), 'dir');
}

/** Two tests begin with the same files. */
async function formatted(path: string, text: string): Promise<string> {
  const known = clean.get(text) ?? (await format(text, { ...options, filepath: path }));
  clean.set(text, known);
  return known;
}

const options = JSON.parse(settings);
const clean = new Map<string, string>();

test('what is written has the layout of the project', async () => {
  const { folder, tree } = await reformatted();
  await linkFormatter(folder);
  const own = 'export  const  mine = 1;\n';
  tree.write('src/mine.ts', own);
  const code = /^(?:src|test)\/.*\.ts$/;
  const before = new Map(tree.paths().map((path) => [path, tree.read(path)]));
  const run = await regenerate(folder);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stderr).not.toContain('npm run format');
  const written = tree
    .paths()
    .filter((path) => code.test(path) && tree.read(path) !== before.get(path));
  expect(written).toEqual(
    expect.arrayContaining(['src/notes/queries.ts', 'src/routes.ts', 'test/factory.ts']),
  );
  const unformatted: string[] = [];
  for (const path of [...written, 'src/mine.ts']) {
    const text = tree.read(path);
    const found = await resolveConfig(join(folder, path), { editorconfig: true });
    if ((await format(text, { ...found, filepath: path })) !== text) unformatted.push(path);
  }
  expect(unformatted).toEqual(['src/mine.ts']);
  expect(tree.read('src/notes/queries.ts')).not.toContain(';\n');
});

test('without the formatter, the next step says so', async () => {
  const { folder } = await reformatted();
  const { code, stderr } = await regenerate(folder);
  expect(code).toBe(0);
  expect(stderr).toContain('npm run format');
});

const rules = 'src/posts/policy.ts';

/** A line of the owner's that the schema makes too long. */
async function longRule() {
  const blog = await blogProject();
  const ours = "anyOf(owner('author_id'), (viewer) => viewer?.role === 'admin')";
  await blog.edit(rules, "delete: owner('author_id')", `delete: ${ours}`);
  await blog.edit(
    'schema.yaml',
    'delete: [owner, admin]',
    'delete: [owner, editor if status = draft]',
  );
  return blog;
}

test('merged lines have the layout that scaffold emits', async () => {
  const { folder, read } = await longRule();
  await linkFormatter(folder);
  expect(await regenerate(folder)).toMatchObject({ code: 0 });
  const found = await resolveConfig(join(folder, rules), { editorconfig: true });
  const text = read(rules);
  expect(text).toContain("\n    (viewer) => viewer?.role === 'admin',\n");
  expect(await format(text, { ...found, filepath: rules })).toBe(text);
});

test('so do resolved ones', async () => {
  const { folder, read, edit } = await longRule();
  await linkFormatter(folder);
  await edit(rules, /update: .*/, 'update: signedIn,');
  await edit('schema.yaml', 'update: [owner, editor]', 'update: [owner if status = draft, editor]');
  expect(await regenerate(folder)).toMatchObject({ code: 4 });
  await resolve(folder, { theirs: true });
  const found = await resolveConfig(join(folder, rules), { editorconfig: true });
  expect(await format(read(rules), { ...found, filepath: rules })).toBe(read(rules));
});
