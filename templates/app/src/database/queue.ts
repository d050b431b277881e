import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { Database } from './client.ts';

/** There is more to do than can be done in time: 503. */
export class Busy extends Error {}

interface QueueOptions {
  readonly workers: number;
  readonly maxWaiting: number;
  readonly maxMilliseconds: number;
}

/** Runs so many tasks at a time; refuses more than can wait, and those that waited too long. */
export function queue({ workers, maxWaiting, maxMilliseconds }: QueueOptions) {
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = () =>
    new Promise<void>((start, refuse) => {
      if (waiting.size === maxWaiting) throw new Busy('Too many are waiting.');
      const begin = () => {
        clearTimeout(timer);
        start();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        refuse(new Busy('It waited too long.'));
      }, maxMilliseconds);
      waiting.add(begin);
    });

  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running === workers) await turn();
    else running += 1;
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else {
        running -= 1;
      }
    }
  };
}

/** Where lists are read that may take long: apart from the others, which are answered meanwhile. */
export interface CostlyReads {
  /** Does the work when it is its turn. */
  read<Result>(work: (reader: Database) => Promise<Result>): Promise<Result>;
  /** About how many rows a table has. */
  countRows(table: string): Promise<number>;
}

interface Engine {
  readonly reader: Database;
  /** How many reads go on at once. */
  readonly workers: number;
  readonly timeoutMs: number;
  countRows(table: string): Promise<number>;
}

const costlyReads = new WeakMap<Database, CostlyReads>();

export function setCostlyReads(
  database: Database,
  { reader, workers, timeoutMs, countRows }: Engine,
): void {
  const inTurn = queue({ workers, maxWaiting: 64, maxMilliseconds: timeoutMs });
  costlyReads.set(database, {
    read: (work) => inTurn(() => work(reader)),
    countRows: keptForSeconds(countRows),
  });
}

/** `undefined` inside of a transaction, which reads what it has written. */
export function costlyReadsOf(database: Database): CostlyReads | undefined {
  return costlyReads.get(database);
}

const keptMilliseconds = 10_000;

function keptForSeconds(count: (table: string) => Promise<number>) {
  const counts = new Map<string, { readonly rows: number; readonly at: number }>();
  return async (table: string): Promise<number> => {
    const known = counts.get(table);
    if (known !== undefined && performance.now() - known.at < keptMilliseconds) return known.rows;
    const rows = await count(table);
    counts.set(table, { rows, at: performance.now() });
    return rows;
  };
}

type Run = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

const nothing = async () => {};

async function noTransaction(): Promise<never> {
  throw new Error('There are no transactions here: use `app.database`.');
}

/** For statements that each run by themselves, wherever that is. */
export function statementDriver(run: Run): Driver {
  const connection: DatabaseConnection = {
    executeQuery: run,
    // oxlint-disable-next-line require-yield -- Kysely asks for the method
    async *streamQuery() {
      throw new Error('Costly reads are not streamed: read the rows in pages.');
    },
  };
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    releaseConnection: nothing,
    destroy: nothing,
  };
}
