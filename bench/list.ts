import { join } from 'node:path';
import { root } from '../test/support/root.ts';
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

/** Over HTTP, SQLite, one process, against the hand-written ceiling. */
export async function list(): Promise<void> {
  const { server, file } = await startSubject(rows);
  try {
    for (const { name, query, path, bar } of cases) {
      const ceiling = await startCeiling(file, query);
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

async function startCeiling(file: string, query: string) {
  const program = join(root, 'bench/ceilings/sqlite.ts');
  const command = [
    process.execPath,
    '--import',
    '@oxc-node/core/register',
    program,
    file,
    query,
  ] as const;
  return startServer({ cwd: root, command, ready: '/' });
}
