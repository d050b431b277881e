import { join } from 'node:path';
import { nodeVersion } from '../test/support/node-version.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { startServer } from '../test/support/server.ts';
import { compare } from './compare.ts';
import { report } from './report.ts';
import { startSubject } from './subject.ts';

const rows = 100_000;

const cases = [
  { name: `list of 50 from ${rows} rows`, query: 'default', path: '/api/articles/', bar: 0.85 },
  {
    name: 'with a filter and an order',
    query: 'filtered',
    path: '/api/articles/?views=7&order_by=title',
    bar: 0.85,
  },
  { name: 'one row by its id', query: 'default', path: '/api/articles/4711', bar: 0.85 },
];

const drivers = [
  { name: '@photostructure/sqlite', major: 20 },
  { name: 'node:sqlite', major: 24 },
];

/** Over HTTP, SQLite, one process, against the hand-written ceiling on the same Node. */
export async function list(): Promise<void> {
  for (const { name, major } of drivers) await listWith(name, await nodeVersion(major));
}

async function listWith(driver: string, node: string): Promise<void> {
  const { stdout: version } = await must(node, ['--version'], { cwd: root });
  process.stdout.write(`${driver}, Node ${version}\n`);
  const { server, file } = await startSubject(rows, [node]);
  try {
    for (const { name, query, path, bar } of cases) {
      const ceiling = await startCeiling(node, file, query);
      try {
        const found = await compare({ ours: server.url, ceiling: ceiling.url, path });
        report({
          name,
          found: `${found.ratio.toFixed(2)} × ceiling`,
          bar: `≥ ${bar}`,
          ok: found.ratio >= bar,
        });
        report({
          name: '',
          found: `${Math.round(found.ours)} of ${Math.round(found.ceiling)} requests/s`,
        });
      } finally {
        await ceiling.stop();
      }
    }
  } finally {
    await server.stop();
  }
}

async function startCeiling(node: string, file: string, query: string) {
  const program = join(root, 'bench/ceilings/sqlite.ts');
  const command = [node, '--import', '@oxc-node/core/register', program, file, query] as const;
  return startServer({ cwd: root, command, ready: '/' });
}
