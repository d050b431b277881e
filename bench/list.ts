import { join } from 'node:path';
import { nodeVersion } from '../test/support/node-version.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { startServer } from '../test/support/server.ts';
import { compare, type Comparison, type Figures } from './compare.ts';
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
        const found = await compare({ ours: server, ceiling, path });
        const ratio = found.ours.perSecond / found.ceiling.perSecond;
        report({
          name,
          found: `${ratio.toFixed(2)} × ceiling`,
          bar: `≥ ${bar}`,
          ok: ratio >= bar,
        });
        report({ name: '', found: of(found, ({ perSecond }) => perSecond, 'requests/s') });
        report({ name: '', found: of(found, ({ cpu }) => cpu, 'µs of processor time') });
      } finally {
        await ceiling.stop();
      }
    }
  } finally {
    await server.stop();
  }
}

function of(found: Comparison, figure: (side: Figures) => number, unit: string): string {
  return `${Math.round(figure(found.ours))} of ${Math.round(figure(found.ceiling))} ${unit}`;
}

async function startCeiling(node: string, file: string, query: string) {
  const program = join(root, 'bench/ceilings/sqlite.ts');
  const command = [node, '--import', '@oxc-node/core/register', program, file, query] as const;
  return startServer({ cwd: root, command, ready: '/' });
}
