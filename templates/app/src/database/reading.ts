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
import { Busy } from './errors.ts';
import { queue } from './queue.ts';
import { refuseStream, SafeKysely } from './transaction.ts';

/** A statement that was ended before it was done. */
export class TooSlow extends Busy {}

/** A statement, and whose it is. */
interface ClientQuery extends CompiledQuery {
  readonly client?: string | undefined;
}

export type RunStatement = <Row>(query: ClientQuery) => Promise<QueryResult<Row>>;

export interface Lane {
  /** How many statements run at once. */
  readonly places: number;
  /** For how long each may run at most. */
  readonly limitMs: number;
  readonly run: <Row>(query: CompiledQuery, limitMs: number) => Promise<QueryResult<Row>>;
}

/** Waiting reads of one client: more are refused, so that nobody stores up work. */
const [mostQuick, mostSlow] = [256, 16];

/** Where many wait, those that take long share the time, down to this. */
const leastMs = 250;

/**
 * Reads, each statement by itself. What a statement costs is found out by running it: one that is not done in a moment is
 * ended and begins again among those that take long, which leave most of the room to the others.
 */
export function readInLanes(quick: Lane, slow: Lane): RunStatement {
  const inTurn = ({ places: workers }: Lane, maxWaiting: number) =>
    queue({ workers, maxWaiting, maxMilliseconds: slow.limitMs });
  const [inQuick, inSlow] = [inTurn(quick, mostQuick), inTurn(slow, mostSlow)];
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

/** Runs a statement that is compiled already without what Kysely does around it, which takes longer than a short one. */
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

/** For statements that each run by themselves, wherever that is. */
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
