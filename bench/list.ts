import { join } from 'node:path';
import { nodeVersion } from '../test/support/node-version.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { startServer } from '../test/support/server.ts';
import { compare } from './compare.ts';
import { report, sayFigures } from './report.ts';
import { openRows, type Rows } from './rows.ts';
import { type AtEnd, stopping } from './stopping.ts';
import { startSubject, type Subject } from './subject.ts';
import { addViewers } from './viewers.ts';
import type { Engine } from '../src/types/field-type.ts';

const rows = 100_000;

interface Case {
  readonly name: string;
  /** Drawn for each request, so that nobody answers from what was answered before. */
  readonly path: () => string;
  readonly bar: Readonly<Record<Engine, number>>;
  /** Whether a row is written for every ten that are read. */
  readonly isWritten?: true;
}

const defaultList = '/api/articles/';

const cases: readonly Case[] = [
  {
    name: `list of 50 from ${rows} rows`,
    path: () => defaultList,
    bar: { sqlite: 1.1, postgres: 0.9 },
  },
  {
    name: 'the same, one write per ten reads',
    path: () => defaultList,
    bar: { sqlite: 1.1, postgres: 0.9 },
    isWritten: true,
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
    await stopping((atEnd) => listOn(atEnd, engine, node));
  }
}

async function listOn(atEnd: AtEnd, engine: Engine, node: string): Promise<void> {
  const subject = await startSubject(atEnd, { rows, engine, program: [node] });
  const ceiling = await startCeiling(node, engine, subject.database);
  atEnd(ceiling.stop);
  const tables = openRows(atEnd, engine, subject.database);
  for (const { name, path, bar, isWritten } of cases) {
    const asked = isWritten ? writing(tables, path) : path;
    const found = await compare({
      ours: { ...subject.server, path: asked },
      ceiling: { ...ceiling, path: asked },
    });
    const ratio = found.ours.perSecond / found.ceiling.perSecond;
    const text = `${ratio.toFixed(2)} × ceiling`;
    report({ name, found: text, bar: `≥ ${bar[engine]}`, ok: ratio >= bar[engine] });
    sayFigures(found);
  }
  await compareViewers(subject, await addViewers(tables, 1000));
}

/** For every ten paths, a row is changed. */
function writing({ run }: Rows, path: () => string): () => string {
  let asked = 0;
  return () => {
    asked += 1;
    if (asked % 10 === 0)
      void run(`update articles set views = views + 1 where id = ${1 + below(rows)}`);
    return path();
  };
}

/** Viewers who ask for the first time, and in turn, against one who comes again and again. */
async function compareViewers({ server }: Subject, tokens: readonly string[]): Promise<void> {
  const [one = ''] = tokens;
  let asked = 0;
  const inTurn = () => tokens[asked++ % tokens.length] ?? one;
  const side = { ...server, path: () => `${defaultList}?limit=10&count=none` };
  const found = await compare({
    ours: { ...side, token: inTurn },
    ceiling: { ...side, token: () => one },
  });
  const ratio = found.ceiling.perSecond / found.ours.perSecond;
  const name = `${tokens.length} viewers in turn, ten rows each`;
  const text = `${ratio.toFixed(2)} × the time of one`;
  report({ name, found: text, bar: '≤ 1.1', ok: ratio <= 1.1 });
  sayFigures(found);
}

async function startCeiling(node: string, engine: Engine, database: string) {
  const program = join(root, `bench/ceilings/${engine}.ts`);
  const command = [node, '--import', '@oxc-node/core/register', program, database] as const;
  return startServer({ cwd: root, command, ready: '/' });
}
