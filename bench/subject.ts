import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { withDatabase } from '../src/commands/edit-schema.ts';
import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { emit, writeFiles } from '../test/support/emit.ts';
import { install } from '../test/support/install.ts';
import { startCluster } from '../test/support/postgres-cluster.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { type Server, startServer } from '../test/support/server.ts';
import type { AtEnd } from './stopping.ts';
import type { Engine } from '../src/types/field-type.ts';

export interface Subject {
  readonly server: Server;
  /** The same rows for the ceiling: a file, or a URL. */
  readonly database: string;
}

export interface ProjectOptions {
  readonly engine?: Engine;
  readonly program?: readonly [string, ...string[]];
}

/** The server emitted from `bench/schema.yaml`, in production, over a database of so many rows. */
export async function startSubject(
  atEnd: AtEnd,
  options: ProjectOptions & { readonly rows: number },
): Promise<Subject> {
  const start = await makeProject(atEnd, options);
  return start(atEnd, options.rows);
}

/** Starts servers of one project, each over a database of so many rows. */
export async function makeProject(
  atEnd: AtEnd,
  options: ProjectOptions,
): Promise<(atEnd: AtEnd, rows: number) => Promise<Subject>> {
  const { engine = 'sqlite', program = [process.execPath] } = options;
  const folder = await scratchFolder('bench');
  const file = join(root, 'bench/schema.yaml');
  const schema = withDatabase({ text: await readFile(file, 'utf8'), file }, engine);
  await writeFiles(folder, emit(schema.text));
  await install(folder);
  await must('npm', ['run', 'build'], { cwd: folder });
  const cluster = engine === 'postgres' ? await startCluster() : undefined;
  if (cluster !== undefined) atEnd(cluster.stop);

  return async (atItsEnd, rows) => {
    const url = (await cluster?.createDatabase()) ?? `file:${join(folder, `${rows}.db`)}`;
    const serve = (...flags: string[]) =>
      startServer({
        cwd: folder,
        // To find a cursor in the middle of ten million rows, the rows before it are counted.
        env: { DATABASE_URL: url, DATABASE_STATEMENT_TIMEOUT_MS: '60000' },
        command: [...program, 'dist/server.js', ...flags],
      });
    await (await serve('--migrate')).stop();
    const database = url.replace('file:', '');
    await (engine === 'postgres' ? fillPostgres(url, rows) : fillSqlite(database, rows));
    const server = await serve();
    atItsEnd(server.stop);
    return { server, database };
  };
}

const article = (n: string) =>
  `${n}, 'Article number ' || ${n}, 'A body of some words, long enough to look like text: ' || ${n}, ${n} * 7919 % 1000,
   '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'`;
const columns = '(id, title, body, views, created_at, updated_at)';

function fillSqlite(file: string, rows: number): void {
  const database = new DatabaseSync(file);
  database.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    insert into articles ${columns} select ${article('n')} from numbers;
    analyze;`);
  database.close();
}

async function fillPostgres(url: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const selected = article('n').replaceAll("Z'", "Z'::timestamptz");
  try {
    await client.query(`insert into articles ${columns} overriding system value
      select ${selected} from generate_series(1::bigint, ${rows}) as n`);
    await client.query('vacuum analyze articles');
  } finally {
    await client.end();
  }
}
