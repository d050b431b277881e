import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { Database } from './client.ts';
import { queue } from './queue.ts';

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

async function refuse(): Promise<never> {
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
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: nothing,
    destroy: nothing,
  };
}
