import type {
  Compilable,
  CompiledQuery,
  DatabaseConnection,
  Driver,
  KyselyConfig,
  QueryResult,
} from 'kysely';
import { decodedResult } from './column-values.ts';
import { Busy } from './errors.ts';
import { queue } from './queue.ts';
import { refuseStream, SafeKysely } from './transaction.ts';

/** A statement that was ended before it was done. */
export class TooSlow extends Busy {}

/** How many statements run at once, and for how long each may. */
interface Lane {
  readonly places: number;
  readonly limitMs: number;
}

interface Lanes {
  readonly quick: Lane;
  readonly slow: Lane;
}

export type LaneName = keyof Lanes;

export interface Turn {
  readonly lane: LaneName;
  /** How long the statement may run. */
  readonly limitMs: number;
}

/** A statement, and whose it is. */
interface ClientQuery extends CompiledQuery {
  readonly client?: string | undefined;
}

type Run = <Row>(query: ClientQuery, turn: Turn) => Promise<QueryResult<Row>>;

export type RunStatement = <Row>(query: ClientQuery) => Promise<QueryResult<Row>>;

/** Waiting reads of one client: more are refused, so that nobody stores up work. */
const maxWaiting = { quick: 256, slow: 16 };

/** Where many wait, those that take long share the time, down to this. */
const leastMs = 250;

/**
 * Reads, each statement by itself. What a statement costs is found out by running it: one that is not done in a moment is
 * ended and begins again among those that take long, which leave most of the room to the others.
 */
export function readInLanes(lanes: Lanes, run: Run): RunStatement {
  const inTurn = (name: LaneName) =>
    queue({
      workers: lanes[name].places,
      maxWaiting: maxWaiting[name],
      maxMilliseconds: lanes.slow.limitMs,
    });
  const [quick, slow] = [inTurn('quick'), inTurn('slow')];
  return async (query) => {
    const { client } = query;
    try {
      return await quick(() => run(query, { lane: 'quick', limitMs: lanes.quick.limitMs }), client);
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error;
    }
    return slow((waitingLines) => {
      const share = lanes.slow.limitMs / (1 + waitingLines / lanes.slow.places);
      const limitMs = Math.min(lanes.slow.limitMs, Math.max(leastMs, Math.round(share)));
      return run(query, { lane: 'slow', limitMs });
    }, client);
  };
}

/** Runs a statement that is compiled already without what Kysely does around it, which takes longer than a short one. */
export class Reader extends SafeKysely {
  readonly #run: RunStatement;

  constructor(run: RunStatement, configOf: (driver: Driver) => KyselyConfig) {
    super(configOf(statementDriver(run)));
    this.#run = run;
  }

  override async executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
  ): Promise<QueryResult<Row>> {
    if ('compile' in query) return super.executeQuery(query);
    return decodedResult(await this.#run<Row>(query), query.queryId);
  }
}

const nothing = async () => {};

async function noTransaction(): Promise<never> {
  throw new Error('`app.reader` has no transactions: use `app.database`.');
}

/** For statements that each run by themselves, wherever that is. */
function statementDriver(executeQuery: RunStatement): Driver {
  const connection: DatabaseConnection = {
    executeQuery,
    // oxlint-disable-next-line require-yield -- Kysely asks for the method
    async *streamQuery() {
      refuseStream();
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
