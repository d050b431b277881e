import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { emitted } from '../test/support/access.ts';
import { drawnRules } from '../test/support/drawn-rules.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { report } from './report.ts';

/** How long emitted projects take to run their own tests, on SQLite. */
export async function tests(): Promise<void> {
  const blog = await readFile(join(root, 'templates/examples/blog.yaml'), 'utf8');
  await time('own tests of a blog', blog.replace(/^database:.*$/m, ''), 20);
  await time('own tests of 60 models of products', await products(60), 180);
  // Hardly a product has rules like these: most of them have several branches, with conditions over relations.
  await time('own tests of 62 models with rules at random', drawnRules(20261120, 12).text);
}

async function time(name: string, schema: string, bar?: number): Promise<void> {
  const { folder } = await emitted(schema, 'sqlite');
  const begin = performance.now();
  await must('npx', ['vitest', 'run'], { cwd: folder });
  const seconds = (performance.now() - begin) / 1000;
  report({
    name,
    found: `${seconds.toFixed(1)} s`,
    bar: bar === undefined ? '' : `≤ ${bar} s`,
    ok: bar === undefined || seconds <= bar,
  });
}

const folder = join(root, 'fixtures/access/products');

/** The models of all products side by side, as often as it takes to have that many. */
async function products(least: number): Promise<string> {
  const files = (await readdir(folder)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const models: Record<string, unknown> = {};
  const enums: Record<string, unknown> = {};
  const roles = new Set<string>();
  const fields: Record<string, unknown> = {};
  const read = new Set<string>(['self']);
  for (let count = 0; Object.keys(models).length + 1 < least; count++) {
    const product: Product = parse(numbered(texts[count % texts.length] ?? '', count));
    const { User: user, ...others } = product.models;
    Object.assign(models, others);
    Object.assign(enums, product.enums);
    Object.assign(fields, user?.fields);
    for (const role of product.auth?.roles ?? []) roles.add(role);
    for (const rule of user?.access?.read ?? []) read.add(rule);
  }
  return stringify({
    version: 1,
    app: { name: 'products' },
    auth: { roles: [...roles] },
    enums,
    models: { User: { fields, access: { read: [...read], refer: 'authenticated' } }, ...models },
  });
}

interface Product {
  readonly auth?: { readonly roles: readonly string[] };
  readonly enums?: object;
  readonly models: Readonly<Record<string, Model>>;
}

interface Model {
  readonly fields?: object;
  readonly access?: { readonly read: readonly string[] };
}

/** Models and enums get a number at the end, so that those of another product are others. */
function numbered(text: string, number: number): string {
  const { models, enums = {} }: Product = parse(text);
  const names = [...Object.keys(models), ...Object.keys(enums)].filter((name) => name !== 'User');
  return text.replaceAll(new RegExp(String.raw`\b(?:${names.join('|')})\b`, 'g'), `$&${number}`);
}
