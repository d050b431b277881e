import { Pool } from 'pg';
import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import type { AtEnd } from './stopping.ts';
import type { Engine } from '../src/types/field-type.ts';

/** The tables of a subject, past its server. */
export interface Rows {
  run(sql: string): Promise<void>;
}

export function openRows(atEnd: AtEnd, engine: Engine, database: string): Rows {
  if (engine === 'sqlite') {
    const file = new DatabaseSync(database, { timeout: 10_000 });
    // What is written is gone after the run: nobody waits for the disk.
    file.exec('pragma synchronous = off');
    atEnd(async () => file.close());
    return { run: async (sql) => file.exec(sql) };
  }
  // Writes that nobody waits for take turns.
  const pool = new Pool({ connectionString: database, max: 1 });
  atEnd(() => pool.end());
  return { run: async (sql) => void (await pool.query(sql)) };
}
