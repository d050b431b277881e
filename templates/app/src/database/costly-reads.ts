import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { Database } from './client.ts';

/** Where lists are read that may take long: apart from the others, which are answered meanwhile. */
export interface CostlyReads {
  readonly reader: Database;
  /** About how many rows a table has. */
  countRows(table: string): Promise<number>;
}

const costlyReads = new WeakMap<Database, CostlyReads>();

export function setCostlyReads(reader: Database, reads: CostlyReads): void {
  costlyReads.set(reader, reads);
}

/** `undefined` inside of a transaction, which reads what it has written. */
export function costlyReadsOf(database: Database): CostlyReads | undefined {
  return costlyReads.get(database);
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
