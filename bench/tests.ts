import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emitted } from '../test/support/access.ts';
import { drawnRules } from '../test/support/drawn-rules.ts';
import { productsTogether } from '../test/support/products.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { report } from './report.ts';

/** How long emitted projects take to run their own tests, on SQLite. */
export async function tests(): Promise<void> {
  const blog = await readFile(join(root, 'templates/examples/blog.yaml'), 'utf8');
  await time('own tests of a blog', blog.replace(/^database:.*$/m, ''), 20);
  await time('own tests of 63 models of products', productsTogether(13), 180);
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
