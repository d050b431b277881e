import { Client } from 'pg';
import type { Engine } from '../src/model/app.ts';
import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';

/** The tables of a subject, past its server. */
export interface Rows {
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

export async function openRows(engine: Engine, database: string): Promise<Rows> {
  if (engine === 'sqlite') {
    const file = new DatabaseSync(database, { timeout: 10_000 });
    // What is written is gone after the run: nobody waits for the disk.
    file.exec('pragma synchronous = off');
    return { run: async (sql) => file.exec(sql), close: async () => file.close() };
  }
  const client = new Client({ connectionString: database });
  await client.connect();
  return {
    async run(sql) {
      await client.query(sql);
    },
    close: () => client.end(),
  };
}
