import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { library, withMagazine } from '../project/support/schemas.ts';
import { regenerate } from '../cli/in-process.ts';
import { diskTree, type Tree } from './support/edit.ts';
import { makeProject } from './support/make-project.ts';

const withReview = `${library}  Review:
    fields:
      text: string
    relations:
      book: Book
`;

async function after(schema: string, act: (tree: Tree) => void) {
  const folder = await makeProject(library, []);
  const tree = diskTree(folder);
  act(tree);
  tree.write('schema.yaml', schema);
  const ran = await regenerate(folder);
  const again = await regenerate(folder);
  expect(again.stdout).toContain('Nothing was written');
  return { ...ran, tree };
}

/** Every import from another folder of `src`. */
function byAlias(tree: Tree): void {
  const text = tree.read('package.json');
  tree.write(
    'package.json',
    text.replace('"private": true,', '"private": true,\n  "imports": { "#*": "./src/*" },'),
  );
  for (const path of tree.paths().filter((it) => /^src\/.*\.ts$/.test(it))) {
    const code = tree.read(path).replace(/'(\.\.\/[^'\n]+\.ts)'/g, (_, specifier: string) => {
      return `'#${posix.join(posix.dirname(path), specifier).replace(/^src\//, '')}'`;
    });
    tree.write(path, code);
  }
}

test('a new file imports by the aliases of the project', async () => {
  const { code, tree, stdout } = await after(withMagazine, byAlias);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  const routes = tree.read('src/magazines/routes.ts');
  expect(routes).toContain("from '#lib/");
  expect(routes).toContain("from './schema.ts'");
  expect(routes).not.toContain("from '../");
});

test('a new file imports a folder by an alias that leads only there, and others by paths', async () => {
  const { code, tree } = await after(withMagazine, (files) => {
    byAlias(files);
    for (const path of files.paths().filter((it) => /^src\/.*\.ts$/.test(it))) {
      const text = files.read(path).replace(/'#(?!lib\/)([^'\n]+)'/g, (_, target: string) => {
        const way = posix.relative(posix.dirname(path), `src/${target}`);
        return `'${way.startsWith('.') ? way : `./${way}`}'`;
      });
      files.write(path, text);
    }
    const settings = files.read('package.json');
    const narrow = settings.replace('"#*": "./src/*"', '"#lib/*": "./src/lib/*"');
    files.write('package.json', narrow);
  });
  expect(code).toBe(0);
  const queries = tree.read('src/magazines/queries.ts');
  expect(queries).toContain("from '#lib/rows.ts'");
  expect(queries).toContain("from '../database/client.ts'");
  expect(queries).not.toContain("from '../lib/");
});

test('what is new in an edited file is imported by the aliases that it has', async () => {
  const withReport = library.replace(
    'label: string(1..40)',
    'label: string(1..40)\n    soft_delete: true',
  );
  const { code, tree, stdout } = await after(withReport, byAlias);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  // The program beside the migrations is not below `src`, where the alias leads.
  for (const path of tree.paths().filter((it) => /^src\/.*\.ts$/.test(it)))
    expect(tree.read(path), path).not.toMatch(/from '\.\.\/(?!\.\.\/migrations\/)/);
});

test('what is new in a file without aliases is imported as the rest of it is', async () => {
  const { tree } = await after(withMagazine, (files) => {
    byAlias(files);
    const routes = files.read('src/routes.ts');
    files.write('src/routes.ts', `${routes}\nexport const mine = 1;\n`);
  });
  expect(tree.read('src/routes.ts')).toContain("from './magazines/routes.ts'");
  const byName = await after(withMagazine, (files) => {
    byAlias(files);
    const routes = files.read('src/routes.ts');
    files.write('src/routes.ts', routes.replaceAll("from './", "from '#"));
  });
  expect(byName.tree.read('src/routes.ts')).toContain("from '#magazines/routes.ts'");
});

test('a new file imports what its owner has renamed', async () => {
  const { code, tree, stderr } = await after(withReview, (files) => {
    for (const path of files.paths().filter((it) => /^(?:src|test)\/.*\.ts$/.test(it))) {
      const text = files.read(path);
      const renamed = text.replace(/(?<![\w$.'/])books(?![\w$'/:])/g, 'bookTable');
      if (renamed !== text) files.write(path, renamed);
    }
    expect(files.read('src/books/schema.ts')).toContain('export const bookTable');
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(tree.read('src/reviews/schema.ts')).toContain('bookTable as books');
});
