import { join } from 'node:path';
import type { Engine } from '../src/model/app.ts';
import { nodeVersion } from '../test/support/node-version.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { startServer } from '../test/support/server.ts';
import { compare, type Comparison, type Figures } from './compare.ts';
import { report } from './report.ts';
import { startSubject } from './subject.ts';

const rows = 100_000;

interface Case {
  readonly name: string;
  /** Drawn for each request, so that nobody answers from what was answered before. */
  readonly path: () => string;
  readonly bar: Readonly<Record<Engine, number>>;
}

const cases: readonly Case[] = [
  {
    name: `list of 50 from ${rows} rows`,
    path: () => '/api/articles/',
    bar: { sqlite: 1.1, postgres: 0.9 },
  },
  {
    name: 'its pages, up to offset 5,000',
    path: () => `/api/articles/?offset=${below(5000)}`,
    bar: { sqlite: 1.1, postgres: 0.9 },
  },
  {
    name: 'pages from offset 50,000 on',
    path: () => `/api/articles/?offset=${50_000 + below(5000)}`,
    bar: { sqlite: 0.83, postgres: 0.83 },
  },
  {
    name: 'with a filter and an order',
    path: () => `/api/articles/?views=${below(1000)}&order_by=title`,
    bar: { sqlite: 1.1, postgres: 0.9 },
  },
  {
    name: 'one row by its id',
    path: () => `/api/articles/${1 + below(rows)}`,
    bar: { sqlite: 1, postgres: 0.9 },
  },
];

const below = (bound: number) => Math.floor(Math.random() * bound);

const sides = [
  { engine: 'sqlite', driver: '@photostructure/sqlite', major: 20 },
  { engine: 'sqlite', driver: 'node:sqlite', major: 24 },
  { engine: 'postgres', driver: 'pg', major: 20 },
] as const;

/** Over HTTP, one server, against the hand-written ceiling of one thread on the same Node and the same rows. */
export async function list(): Promise<void> {
  for (const { engine, driver, major } of sides) {
    const node = await nodeVersion(major);
    const { stdout: version } = await must(node, ['--version'], { cwd: root });
    process.stdout.write(`${driver}, Node ${version}\n`);
    await listOn(engine, node);
  }
}

async function listOn(engine: Engine, node: string): Promise<void> {
  const subject = await startSubject({ rows, engine, program: [node] });
  const ceiling = await startCeiling(node, engine, subject.database);
  try {
    for (const { name, path, bar } of cases) {
      const found = await compare({ ours: subject.server, ceiling, path });
      const ratio = found.ours.perSecond / found.ceiling.perSecond;
      report({
        name,
        found: `${ratio.toFixed(2)} × ceiling`,
        bar: `≥ ${bar[engine]}`,
        ok: ratio >= bar[engine],
      });
      report({ name: '', found: of(found, ({ perSecond }) => perSecond, 'requests/s') });
      report({ name: '', found: of(found, ({ cpu }) => cpu, 'µs of processor time') });
    }
  } finally {
    await ceiling.stop();
    await subject.stop();
  }
}

function of(found: Comparison, figure: (side: Figures) => number, unit: string): string {
  return `${Math.round(figure(found.ours))} of ${Math.round(figure(found.ceiling))} ${unit}`;
}

async function startCeiling(node: string, engine: Engine, database: string) {
  const program = join(root, `bench/ceilings/${engine}.ts`);
  const command = [node, '--import', '@oxc-node/core/register', program, database] as const;
  return startServer({ cwd: root, command, ready: '/' });
}
