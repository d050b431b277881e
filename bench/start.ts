import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../test/support/root.ts';
import { median } from './compare.ts';
import { report } from './report.ts';

/** What the command line costs before it does anything, against Node's own start. */
export function start(): void {
  for (const flag of ['--version', '--help']) {
    const node: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < 15; round++) {
      node.push(time(['-e', '0']));
      ours.push(time([join(root, 'bin/scaffold.js'), flag]));
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

function time(args: readonly string[]): number {
  const begin = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} exited ${status}`);
  return performance.now() - begin;
}
