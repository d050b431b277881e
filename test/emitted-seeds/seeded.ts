import { join } from 'node:path';
import type { App } from '../../src/model/app.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import type { Row } from './believable.ts';

/** What the test uses of the emitted project. */
interface Emitted {
  readonly openConnection: (config: object) => Connection;
  readonly migrate: (url: string) => Promise<unknown>;
  readonly seed: (database: object, options: object) => Promise<readonly Added[]>;
}

interface Connection {
  readonly database: Database;
  close(): Promise<void>;
}

interface Database {
  selectFrom(table: string): { selectAll(): { execute(): Promise<readonly Row[]> } };
}

export interface Added {
  readonly table: string;
  readonly rows: number;
  readonly wanted: number;
}

export interface Seeded {
  readonly runs: readonly (readonly Added[])[];
  rowsOf(table: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

const databaseLimits = { poolSize: 5, readers: 0, statementTimeoutMs: 10_000, lockTimeoutMs: 3000 };

/** The database of an emitted project, migrated and seeded so many times. */
export async function seeded(
  folder: string,
  { url, count, times }: { readonly url: string; readonly count: number; readonly times: number },
): Promise<Seeded> {
  const imported: object[] = [];
  for (const path of ['src/database/client.ts', 'src/database/migrate.ts', 'seeds/seed.ts'])
    imported.push(await import(join(folder, path)));
  const { openConnection, migrate, seed }: Emitted = Object.assign({}, ...imported);
  await migrateIn(folder, () => migrate(url));
  const { database, close } = openConnection({ databaseUrl: url, databaseLimits });
  const runs: (readonly Added[])[] = [];
  for (let run = 0; run < times; run += 1) {
    runs.push(await seed(database, { count, password: '-' }));
  }
  return { runs, close, rowsOf: (table) => database.selectFrom(table).selectAll().execute() };
}

/** Migrations are looked for in the folder that a program runs in. */
async function migrateIn(folder: string, work: () => Promise<unknown>): Promise<void> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    await work();
  } finally {
    process.chdir(before);
  }
}

export function appOf(text: string): App {
  const parsed = parseSchema(text);
  if ('schema' in parsed) return buildApp(parsed.schema);
  throw new Error('The schema is refused.');
}
