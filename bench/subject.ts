import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emit, writeFiles } from '../test/support/emit.ts';
import { DatabaseSync } from '../templates/sqlite/src/database/driver.ts';
import { install } from '../test/support/install.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { type Server, startServer } from '../test/support/server.ts';

export interface Subject {
  readonly server: Server;
  /** The same rows for the ceiling. */
  readonly file: string;
}

/** The server emitted from `bench/schema.yaml`, in production, over a SQLite file of so many rows. */
export async function startSubject(
  rows: number,
  node: readonly [string, ...string[]] = [process.execPath],
): Promise<Subject> {
  const folder = await scratchFolder('bench');
  await writeFiles(folder, emit(await readFile(join(root, 'bench/schema.yaml'), 'utf8')));
  await install(folder);
  await must('npm', ['run', 'build'], { cwd: folder });
  const env = { DATABASE_URL: 'file:./var/bench.db' };
  const start = (...flags: string[]) =>
    startServer({
      cwd: folder,
      env,
      command: [...node, 'dist/server.js', ...flags],
    });
  await (await start('--migrate')).stop();
  const file = join(folder, 'var/bench.db');
  fill(file, rows);
  return { server: await start(), file };
}

function fill(file: string, rows: number): void {
  const database = new DatabaseSync(file);
  database.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    insert into articles (id, title, body, views, created_at, updated_at)
    select n, 'Article number ' || n, 'A body of some words, long enough to look like text: ' || n, n * 7919 % 1000,
           '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' from numbers;
    analyze;`);
  database.close();
}
