import { Client } from 'pg';

const here = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';

export interface Watch {
  /**
   * The longest times in milliseconds: that the table was locked for everybody, that a reader of one row of it
   * waited, and that a reader of another table waited, who only had to wait for the machine.
   */
  end(): Promise<Watched>;
}

interface Watched {
  readonly held: number;
  readonly waited: number;
  readonly noise: number;
  /** Rows that were written one by one, those that could not be, and the longest time that one took. */
  readonly writes: number;
  readonly failures: readonly string[];
  readonly blocked: number;
}

/** Watches the locks of a table, and reads and writes a row of it, again and again, each from its own session. */
export async function watchLocks(
  url: string,
  { table, other, write }: { readonly table: string; readonly other: string; write(): string },
): Promise<Watch> {
  const [watcher, reader, bystander, writer] = await Promise.all([
    connected(url),
    connected(url),
    connected(url),
    connected(url),
  ]);
  const { rows } = await watcher.query('SELECT $1::regclass::oid AS oid', [table]);
  const [oid] = rows.map((row) => Number(row.oid));
  const end = new AbortController();
  let held = 0;

  const watch = async () => {
    let free = performance.now();
    while (!end.signal.aborted) {
      const start = performance.now();
      const locks = await watcher.query(
        `SELECT FROM pg_locks WHERE relation = $1 AND ${here} AND mode = 'AccessExclusiveLock' AND granted`,
        [oid],
      );
      // It may have been held from just after it was last seen free, and for as long as the query took.
      if (locks.rowCount === 0) free = start;
      else held = Math.max(held, performance.now() - free);
    }
  };
  const read = async (client: Client, name: string) => {
    let waited = 0;
    while (!end.signal.aborted) {
      const start = performance.now();
      await client.query(`SELECT id FROM ${name} WHERE id = 1`);
      waited = Math.max(waited, performance.now() - start);
    }
    return Math.round(waited);
  };
  const failures: string[] = [];
  let [writes, blocked] = [0, 0];
  const writeRows = async () => {
    while (!end.signal.aborted) {
      const start = performance.now();
      await writer.query(write()).catch((error: Error) => failures.push(error.message));
      blocked = Math.max(blocked, performance.now() - start);
      writes += 1;
    }
  };
  const all = Promise.all([read(reader, table), read(bystander, other), watch(), writeRows()]);
  return {
    async end() {
      end.abort();
      const [waited, noise] = await all;
      await Promise.all([watcher, reader, bystander, writer].map((client) => client.end()));
      const figures = { held: Math.round(held), waited, noise };
      return { ...figures, writes, failures, blocked: Math.round(blocked) };
    },
  };
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
