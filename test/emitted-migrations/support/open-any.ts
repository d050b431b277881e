import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DatabaseSync } from '../../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { valuesOf } from '../../support/sqlite-values.ts';
import { openProject, type Project } from '../postgres/project.ts';
import { emittedRunner } from './emitted-runner.ts';
import { type History, writeHistory } from './history.ts';
import type { Engine } from '../../../src/types/field-type.ts';

/** A project of either engine, open until the test ends. */
export interface AnyProject {
  readonly folder: string;
  put(history: History): Promise<void>;
  /** Returns what was reported. */
  up(): Promise<readonly string[]>;
  down(): Promise<unknown>;
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<readonly unknown[]>;
}

/** Opens a project whose migrations are applied. */
export async function openAny(engine: Engine, history: History): Promise<AnyProject> {
  const project = await openEmpty(engine, history);
  await project.up();
  return project;
}

/** Opens a project whose database is empty. */
export function openEmpty(engine: Engine, history: History): Promise<AnyProject> {
  return engine === 'sqlite' ? openFile(history) : openServer(history);
}

async function openFile(history: History): Promise<AnyProject> {
  const runner = await emittedRunner('sqlite');
  const place = await scratchFolder('any-sqlite');
  const folder = join(place, 'migrations');
  const url = `file:${join(place, 'app.db')}`;
  await writeHistory(folder, history);
  const database = new DatabaseSync(join(place, 'app.db'));
  onTestFinished(() => void database.close());
  return {
    folder,
    put: (next) => writeHistory(folder, next),
    async up() {
      const lines: string[] = [];
      await runner.migrate(url, { folder, report: (line) => void lines.push(line) });
      return lines;
    },
    down: () => runner.rollback(url, { folder }),
    run: async (sql) => void database.exec(sql),
    rows: async (sql) => valuesOf(database, sql),
  };
}

/** Databases whose test has ended: to empty one costs a fraction of what it takes to make another. */
const idle: string[] = [];

async function openServer(history: History): Promise<AnyProject> {
  const project = await openProject(history, idle.pop());
  onTestFinished(async () => {
    await emptyDatabase(project);
    await project.close();
    idle.push(project.url);
  });
  return {
    folder: join(project.folder, 'migrations'),
    put: project.put,
    up: () => project.up(),
    down: () => project.down(),
    run: async (sql) => void (await project.client.query(sql)),
    rows: async (text) => (await project.client.query({ text, rowMode: 'array' })).rows,
  };
}

async function emptyDatabase({ client }: Project): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('DROP SCHEMA %I CASCADE', nspname) AS drop FROM pg_namespace
      WHERE nspname !~ '^(pg_|information_schema$)'`,
  );
  for (const { drop } of rows) await client.query(drop);
  await client.query('CREATE SCHEMA public');
}
