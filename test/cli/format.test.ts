import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format, resolveConfig } from 'prettier';
import { findPackage } from '../../src/system/own-tools.ts';
import { diskTree } from '../regenerate/support/edit.ts';
import { root } from '../support/root.ts';
import { blogProject } from './blog-project.ts';
import { regenerate } from './in-process.ts';

const settings = '{ "singleQuote": false, "semi": false, "useTabs": true, "printWidth": 120 }\n';

/** A project that its owner has given another layout. */
async function reformatted() {
  const blog = await blogProject();
  const tree = diskTree(blog.folder);
  tree.write('.prettierrc.json', settings);
  const options = JSON.parse(settings);
  for (const path of tree.paths().filter((it) => /^(?:src|test)\/.*\.ts$/.test(it))) {
    tree.write(path, await format(tree.read(path), { ...options, filepath: path }));
  }
  await blog.edit('schema.yaml', /$/, '  Note:\n    fields:\n      text: string(1..80)\n');
  return { ...blog, tree };
}

test('what is written has the layout of the project', async () => {
  const { folder, tree } = await reformatted();
  const modules = join(folder, 'node_modules');
  await diskTree(modules).write('.keep', '');
  await symlink(findPackage(root, 'prettier') ?? '', join(modules, 'prettier'), 'dir');
  const own = 'export  const  mine = 1;\n';
  tree.write('src/mine.ts', own);
  const { code, stderr } = await regenerate(folder);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).not.toContain('npm run format');
  const unformatted: string[] = [];
  for (const path of tree.paths().filter((it) => /^(?:src|test)\/.*\.ts$/.test(it))) {
    const text = readFileSync(join(folder, path), 'utf8');
    const options = await resolveConfig(join(folder, path), { editorconfig: true });
    const clean = await format(text, { ...options, filepath: path });
    if (clean !== text) unformatted.push(path);
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
