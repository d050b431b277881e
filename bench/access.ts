import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { engines, type Engine } from '../src/types/field-type.ts';
import { emit, writeFiles } from '../test/support/emit.ts';
import { install } from '../test/support/install.ts';
import { startCluster } from '../test/support/postgres-cluster.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { testSecret } from '../test/support/server.ts';
import { report } from './report.ts';
import { type AtEnd, stopping } from './stopping.ts';

const rows = Number(process.env['ROWS'] ?? 1_000_000);
const inTeam = 100;
/** How many teams each viewer is in, by their ids. */
const viewers: Readonly<Record<number, number>> = { 1: 0, 2: 1, 3: 20, 4: rows / inTeam / 5 };

/** An entry beside another one, `[owner, via team]`, for viewers of few and of many rows, against SQL by hand. */
export async function access(): Promise<void> {
  for (const engine of engines) {
    process.stdout.write(`${engine}, ${rows} rows\n`);
    await stopping((atEnd) => accessOn(atEnd, engine));
  }
}

async function accessOn(atEnd: AtEnd, engine: Engine): Promise<void> {
  const folder = await scratchFolder('bench-access');
  const schema = await readFile(join(root, 'bench/access.yaml'), 'utf8');
  await writeFiles(folder, emit(`${schema}database: ${engine}\n`));
  await install(folder);
  await cp(join(root, 'fixtures/access/bench.ts'), join(folder, 'test/bench.ts'));
  const cluster = engine === 'postgres' ? await startCluster() : undefined;
  if (cluster !== undefined) atEnd(cluster.stop);
  const url = (await cluster?.createDatabase()) ?? `file:${join(folder, 'bench.db')}`;
  const env = { DATABASE_URL: url, AUTH_SECRET_KEY: testSecret };
  const program = ['scripts/typescript.js'];
  await must('node', [...program, 'src/cli.ts', 'migrate'], { cwd: folder, env });
  await fill(engine, url);
  const asked = [...program, 'test/bench.ts', engine, url, ...Object.keys(viewers)];
  const { stdout } = await must('node', asked, { cwd: folder, env });
  for (const line of stdout.trim().split('\n')) sayFigures(JSON.parse(line));
}

interface Found {
  readonly viewer: number;
  readonly what: 'list' | 'page' | 'total';
  readonly ours: number;
  readonly best: number;
}

function sayFigures({ viewer, what, ours, best }: Found): void {
  const seen = (viewers[viewer] ?? 0) * inTeam;
  const ratio = ours / best;
  const text = `${ours.toFixed(2)} ms, ${ratio.toFixed(2)} × the best by hand`;
  // Below a millisecond it is the driver that is timed.
  report({
    name: `${what} of who sees ${seen}`,
    found: text,
    bar: '≤ 1.5',
    ok: ratio <= 1.5 || ours < 1,
  });
}

async function fill(engine: Engine, url: string): Promise<void> {
  const isFile = engine === 'sqlite';
  const time = isFile ? "'2026-01-01T00:00:00.000Z'" : "timestamptz '2026-01-01T00:00:00Z'";
  const numbers = (count: number) =>
    isFile
      ? `(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count}) select n from n) as n`
      : `generate_series(1::bigint, ${count}) as n(n)`;
  const as = isFile ? '' : ' overriding system value';
  const teams = rows / inTeam;
  const members = Object.entries(viewers).filter(([, count]) => count > 0);
  const statements = [
    `insert into users (id, name, email, password, created_at, updated_at)${as} select n, 'User', 'user' || n || '@example.com', 'x', ${time}, ${time} from ${numbers(20_000)}`,
    `insert into teams (id, name, created_at, updated_at)${as} select n, 'Team', ${time}, ${time} from ${numbers(teams)}`,
    `insert into memberships (user_id, team_id, created_at, updated_at) select 10 + n % 19000, 1 + n * 7919 % ${teams}, ${time}, ${time} from ${numbers(150_000)} where true on conflict do nothing`,
    ...members.map(
      ([id, count]) =>
        `insert into memberships (user_id, team_id, created_at, updated_at) select ${id}, 1 + n * ${Math.floor(teams / count)} % ${teams}, ${time}, ${time} from ${numbers(count)} where true on conflict do nothing`,
    ),
    `insert into documents (id, title, author_id, team_id, created_at, updated_at)${as} select n, 'Document ' || n, 10 + n % 19000, 1 + n * 7919 % ${teams}, ${time}, ${time} from ${numbers(rows)}`,
    isFile ? 'analyze' : 'vacuum analyze',
  ];
  if (isFile) {
    const file = new DatabaseSync(url.replace('file:', ''));
    for (const statement of statements) file.exec(statement);
    return file.close();
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
