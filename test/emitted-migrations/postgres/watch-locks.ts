import { Client } from 'pg';

const here = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';

export interface Watch {
  /** Milliseconds that a table was held against everybody, at most, and that a reader of one row had to wait. */
  end(): Promise<{ readonly held: number; readonly waited: number }>;
}

/** Looks at the locks of a table, and reads a row of it, again and again from two sessions of their own. */
export async function watchLocks(url: string, table: string): Promise<Watch> {
  const [watcher, reader] = await Promise.all([connected(url), connected(url)]);
  const { rows } = await watcher.query('SELECT $1::regclass::oid AS oid', [table]);
  const [oid] = rows.map((row) => Number(row.oid));
  const end = new AbortController();
  let [held, waited] = [0, 0];

  const watch = async () => {
    let free = performance.now();
    while (!end.signal.aborted) {
      const start = performance.now();
      const locks = await watcher.query(
        `SELECT FROM pg_locks WHERE relation = $1 AND ${here} AND mode = 'AccessExclusiveLock' AND granted`,
        [oid],
      );
      // It may have been held from just after it was last seen free, and for as long as the question took.
      if (locks.rowCount === 0) free = start;
      else held = Math.max(held, performance.now() - free);
    }
  };
  const read = async () => {
    while (!end.signal.aborted) {
      const start = performance.now();
      await reader.query(`SELECT id FROM ${table} WHERE id = 1`);
      waited = Math.max(waited, performance.now() - start);
    }
  };
  const both = Promise.all([watch(), read()]);
  return {
    async end() {
      end.abort();
      await both;
      await Promise.all([watcher.end(), reader.end()]);
      return { held: Math.round(held), waited: Math.round(waited) };
    },
  };
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
