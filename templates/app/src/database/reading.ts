import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  type KyselyConfig,
  type QueryResult,
} from 'kysely';
import { decodedResult } from './column-values.ts';
import { TooSlow } from './errors.ts';
import { queue } from './queue.ts';
import { refuseStream, SafeKysely } from './safe-kysely.ts';

interface ClientQuery extends CompiledQuery {
  readonly client?: string | undefined;
}

export type RunStatement = <Row>(query: ClientQuery) => Promise<QueryResult<Row>>;

export interface Lane {
  readonly places: number;
  readonly limitMs: number;
  readonly run: <Row>(query: CompiledQuery, limitMs: number) => Promise<QueryResult<Row>>;
}

/** How many reads of one client may wait; more are refused, so that one client cannot hold up the others. */
const mostWaiting = 256;

/** When many wait, slow reads share the time, but get at least this much. */
const leastMs = 250;

/**
 * Runs reads, each by itself. Every read starts in the quick lane; one that exceeds its limit is cancelled and restarted in
 * the slow lane, which leaves most of the room to the others.
 */
export function readInLanes(quick: Lane, slow: Lane): RunStatement {
  const inTurn = ({ places: workers }: Lane) =>
    queue({ workers, maxWaiting: mostWaiting, maxMilliseconds: slow.limitMs });
  const [inQuick, inSlow] = [inTurn(quick), inTurn(slow)];
  return async (query) => {
    const { client } = query;
    try {
      return await inQuick(() => quick.run(query, quick.limitMs), client);
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error;
    }
    return inSlow((waitingLines) => {
      const share = Math.round(slow.limitMs / (1 + waitingLines / slow.places));
      return slow.run(query, Math.min(slow.limitMs, Math.max(leastMs, share)));
    }, client);
  };
}

/** Runs a compiled statement without what Kysely does around it, which would take longer than a short statement. */
export class Reader extends SafeKysely {
  readonly #run: RunStatement;

  constructor(run: RunStatement, configOf: (driver: Driver) => KyselyConfig) {
    super(configOf(new StatementDriver(run)));
    this.#run = run;
  }

  override async executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
  ): Promise<QueryResult<Row>> {
    if ('compile' in query) return super.executeQuery(query);
    return decodedResult(await this.#run<Row>(query), query.queryId);
  }
}

class StatementDriver extends DummyDriver {
  readonly #connection: DatabaseConnection;

  constructor(executeQuery: RunStatement) {
    super();
    this.#connection = { executeQuery, streamQuery: refuseStream };
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  override async beginTransaction(): Promise<never> {
    throw new Error('`app.reader` has no transactions: use `app.database`.');
  }
}
