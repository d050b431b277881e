import { join } from 'node:path';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { median } from './compare.ts';
import { report } from './report.ts';

/** What the command line costs before it does anything, against Node's own start. */
export async function start(): Promise<void> {
  for (const flag of ['--version', '--help']) {
    const node: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < 15; round++) {
      node.push(await time(['-e', '0']));
      ours.push(await time([join(root, 'bin/scaffold.js'), flag]));
    }
    const ratio = median(ours) / median(node);
    report({
      name: `scaffold ${flag}`,
      found: `${ratio.toFixed(2)} × node -e 0`,
      bar: '≤ 1.6',
      ok: ratio <= 1.6,
    });
  }
}

async function time(args: readonly string[]): Promise<number> {
  const start = performance.now();
  await must(process.execPath, args, { cwd: root });
  return performance.now() - start;
}
