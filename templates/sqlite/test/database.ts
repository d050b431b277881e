import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile, openFile } from '../src/database/file.ts';
import { migrate } from '../src/database/migrate.ts';

export interface TestDatabase {
  readonly url: string;
  /** Takes the rows out of every table. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** A new file with all tables. */
export async function makeDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  const url = `file:${join(folder, 'test.db')}`;
  await migrate(url);
  const connection = openFile(databaseFile(url));
  connection.exec('pragma foreign_keys = OFF');
  const tables = connection
    .prepare<{ name: string }>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'schema_migrations'`,
    )
    .all();
  return {
    url,
    async empty() {
      connection.exec(
        `begin; ${tables.map(({ name }) => `delete from "${name}";`).join(' ')} commit;`,
      );
    },
    async remove() {
      connection.close();
      await rm(folder, { recursive: true });
    },
  };
}
