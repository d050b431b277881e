import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderedFile } from '../src/render/rendered-file.ts';
import { emit, writeFiles } from './support/emit.ts';
import {
  applyRecipe,
  changesOf,
  engines,
  lots,
  pageOf,
  recipeNames,
  schemaOf,
  withCode,
} from './support/recipes.ts';
import { root } from './support/root.ts';
import { scratchFolder } from './support/scratch.ts';

/** How many files of `src` a change may take. */
const mostFiles: Readonly<Record<string, number>> = {
  'who-sees-what': 1,
  tenants: 1,
  'computed-column': 1,
  'full-text-search': 3,
  'mail-after-create': 3,
  'bulk-call': 2,
  'upload-and-websocket': 3,
  'rule-across-fields': 1,
  report: 2,
  'nightly-job': 2,
  'social-login': 4,
  'single-sign-on': 3,
  'second-factor': 4,
  'own-setting': 2,
  metrics: 2,
  tracing: 2,
  'audit-log': 2,
  webhooks: 3,
  'api-keys': 3,
};

const refresh = 'When the blog has changed: `npm run fixtures recipes`.';

/** Most recipes need nothing in the schema: they share a blog. */
function blogOf(schema: string): readonly RenderedFile[] {
  const blog = blogs.get(schema) ?? emit(schema);
  blogs.set(schema, blog);
  return blog;
}

const blogs = new Map<string, readonly RenderedFile[]>();

test('there is a page for each recipe, and a recipe for each page', () => {
  expect(recipeNames).toEqual(Object.keys(mostFiles).toSorted());
});

test('each recipe is in one of the lots that are tested together', () => {
  expect(lots.flat().toSorted()).toEqual(recipeNames);
});

describe.each(recipeNames)('%s', (recipe) => {
  const changes = changesOf(recipe).filter(({ of }) => of !== 'schema');

  test.each(engines)('applies to the blog on %s', async (engine) => {
    const folder = await scratchFolder('recipe');
    const mine = changes.filter(({ of }) => of === 'blog' || of === engine);
    const touched = new Set(mine.map(({ path }) => path));
    const blog = blogOf(await schemaOf([recipe], engine, folder));
    await writeFiles(
      folder,
      blog.filter(({ path }) => touched.has(path)),
    );
    await expect(applyRecipe(recipe, engine, folder), refresh).resolves.toBeUndefined();
    expect(mine.map(({ path }) => existsSync(join(folder, path)))).not.toContain(false);
  });

  test('takes few files, and none of src/lib', () => {
    const files = new Set(
      changes.map(({ path }) => path).filter((path) => path.startsWith('src/')),
    );
    expect(files.size).toBeLessThanOrEqual(mostFiles[recipe] ?? 0);
    expect([...files].filter((path) => path.startsWith('src/lib/'))).toEqual([]);
  });

  test('has a test of its own', () => {
    const own = changes.filter(({ isNew, path }) => isNew && /^test\/.*\.test\.ts$/.test(path));
    expect(own.length).toBeGreaterThan(0);
  });

  test('has a page with its code', () => {
    const page = readFileSync(pageOf(recipe), 'utf8');
    expect(page, refresh).toBe(withCode(recipe, page));
  });

  test('is found from the documentation and from every project', () => {
    const index = readFileSync(join(root, 'docs/recipes/README.md'), 'utf8');
    expect(index).toContain(`](${recipe}.md)`);
    const emitted = readFileSync(join(root, 'templates/app/README.md.hbs'), 'utf8');
    expect(emitted).toContain(`\`${recipe}.md\``);
  });
});
