import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { schemaSql } from '../../../src/evolve/initial.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { hanging } from '../../support/run.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { type Difference, emittedRunner } from '../support/emitted-runner.ts';
import { type History, writeHistory } from '../support/history.ts';

/** Migrations, a database for them, and the runner of an emitted project. */
export interface Project {
  readonly folder: string;
  readonly url: string;
  readonly client: Client;
  /** Writes `migrations/` from scratch. */
  put(history: History): Promise<void>;
  /** Changes a file in it, as the owner would. */
  edit(file: string, change: (text: string) => string): Promise<void>;
  /** Returns what was reported. */
  up(timeout?: number, url?: string): Promise<readonly string[]>;
  /** What it has reported so far. */
  said(): readonly string[];
  down(): Promise<readonly string[]>;
  drift(history: History): Promise<readonly Difference[]>;
  applied(): Promise<readonly string[]>;
  /** The migrations that are under way. */
  progress(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export async function openProject(history: History, database?: string): Promise<Project> {
  const runner = await emittedRunner('postgres');
  const place = await scratchFolder('emitted-postgres');
  const folder = join(place, 'migrations');
  const url = database ?? (await freshDatabase());
  const client = new Client({ connectionString: url });
  await client.connect();
  await writeHistory(folder, history);
  let lines: string[] = [];
  const told = async (work: (report: (line: string) => void) => Promise<unknown>) => {
    const mine: string[] = (lines = []);
    await work((line) => void mine.push(line));
    return mine;
  };
  const all = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  return {
    folder: place,
    url,
    client,
    put: (next) => writeHistory(folder, next),
    async edit(file, change) {
      const path = join(folder, file);
      await writeFile(path, change(await readFile(path, 'utf8')));
    },
    up: (timeout = hanging, way = url) =>
      told((report) => runner.migrate(way, { folder, report, timeout })),
    said: () => lines,
    down: () => told((report) => runner.rollback(url, { folder, report })),
    drift: ({ app }) => runner.listDrift(url, schemaSql(app)),
    async applied() {
      const rows = await all('SELECT id FROM schema_migrations ORDER BY applied_at, id');
      return rows.map(({ id }) => String(id));
    },
    progress: () => all('SELECT id, command, done FROM schema_migration_steps'),
    close: () => client.end(),
  };
}
