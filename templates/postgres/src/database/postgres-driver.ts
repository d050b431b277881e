import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import {
  type ClientBase,
  DatabaseError,
  type Pool,
  type PoolClient,
  type QueryResult as Answer,
  type QueryResultRow,
  types,
} from 'pg';
import { type Lane, readInLanes, type RunStatement, TooSlow } from './reading.ts';
import { columnTypes } from './tables.ts';
import { refuseStream, transactionGuard } from './transaction.ts';

export interface ConnectionPool {
  readonly pool: Pool;
  readonly size: number;
  /** After which the server ends a statement. */
  readonly limitMs: number;
  /**
   * SQL that a transaction begins with. Behind a pooler the next one has another session: limits hold for a transaction,
   * each statement is one, and none stays prepared.
   */
  readonly perTransaction: string | undefined;
}

/** Reads; its statements see nothing of what is not committed, and the quick ones stay prepared. */
export function openReader(quick: ConnectionPool, slow: ConnectionPool): RunStatement {
  const names = statementNames();
  const quickLane: Lane = {
    places: quick.size,
    limitMs: quick.limitMs,
    async run(query) {
      try {
        return await read(quick, query, names);
      } catch (error) {
        throw isOverTime(error) ? new TooSlow(String(error)) : error;
      }
    },
  };
  // They leave half of their pool to those who write.
  const places = Math.ceil(slow.size / 2);
  return readInLanes(quickLane, {
    places,
    limitMs: slow.limitMs,
    run: (query) => read(slow, query),
  });
}

async function read<Row>(
  { pool, perTransaction }: ConnectionPool,
  query: CompiledQuery,
  names?: StatementNames,
): Promise<QueryResult<Row>> {
  const client = await connect(pool);
  try {
    if (perTransaction === undefined)
      return await run(client, query, names?.nameFor(client, query.sql));
    return await inTransaction(client, () => run(client, query), `begin; ${perTransaction}`);
  } finally {
    client.release(names?.isOutdated(client));
  }
}

/** PgBouncer takes no limits at the start of a session, and does not say what to do about it. */
async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    if (error instanceof DatabaseError && error.message.includes('startup parameter')) {
      error.message += '. DATABASE_URL leads to PgBouncer: set DATABASE_POOLER=on';
    }
    throw error;
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: query_canceled */
function isOverTime(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '57014';
}

type StatementNames = ReturnType<typeof statementNames>;

const mostNames = 500;
const mostCharacters = 500_000;

/**
 * A named statement stays prepared as long as its connection lives. When there are too many, all names are dropped, and
 * connections that know them are replaced.
 */
function statementNames() {
  let names = new Map<string, string>();
  let characters = 0;
  /** The names that a connection was begun with. */
  const known = new WeakMap<PoolClient, typeof names>();
  return {
    nameFor(client: PoolClient, text: string): string | undefined {
      if (names.size === mostNames || characters > mostCharacters) {
        names = new Map();
        characters = 0;
      }
      if (!known.has(client)) known.set(client, names);
      if (known.get(client) !== names) return undefined;
      const name = names.get(text) ?? `read_${names.size}`;
      if (!names.has(text)) characters += text.length;
      names.set(text, name);
      return name;
    },
    isOutdated: (client: PoolClient) => known.has(client) && known.get(client) !== names,
  };
}

/** Writes; each transaction has a connection to itself. */
export function openWriter(pool: ConnectionPool): Driver {
  return new WritingDriver(pool);
}

class WritingDriver extends PostgresDriver {
  readonly #clients = new WeakMap<DatabaseConnection, PoolClient>();
  readonly #guard = transactionGuard();
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    super({ pool: pool.pool });
    this.#pool = pool;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.refuseInside();
    const { pool, perTransaction } = this.#pool;
    const client = await connect(pool);
    const begin = perTransaction && `begin; ${perTransaction}`;
    const connection: DatabaseConnection = {
      executeQuery: <Row>(query: CompiledQuery) =>
        begin === undefined || this.#guard.isInside(connection)
          ? run<Row>(client, query)
          : inTransaction(client, () => run<Row>(client, query), begin),
      streamQuery: refuseStream,
    };
    this.#clients.set(connection, client);
    return connection;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    this.#guard.enter(connection);
    await super.beginTransaction(connection, settings);
    const { perTransaction } = this.#pool;
    if (perTransaction !== undefined) await this.#clients.get(connection)?.query(perTransaction);
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#guard.leave(connection);
    this.#clients.get(connection)?.release();
  }

  /** The pool is closed by whoever opened it. */
  override async destroy(): Promise<void> {}
}

async function run<Row>(
  client: PoolClient,
  { sql, parameters }: CompiledQuery,
  name?: string,
): Promise<QueryResult<Row>> {
  const answer = await client.query<Row & QueryResultRow>({
    ...(name !== undefined && { name }),
    text: sql,
    values: [...parameters],
  });
  // PostgreSQL undoes what is committed after a failure, and does not call that one.
  if (sql === 'commit' && answer.command === 'ROLLBACK') throw new Error(aborted);
  if (hasBigints) await decode(client, answer);
  return { rows: answer.rows, ...affected(answer) };
}

const aborted =
  'A statement of this transaction has failed, so nothing of it was kept: let the error pass, or put what may fail into a savepoint.';

function affected({ command, rowCount }: Answer): { readonly numAffectedRows?: bigint } {
  return command === 'SELECT' || rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) };
}

/** Ids and fields of the type `bigint` are one type to PostgreSQL; these are text in the API. */
async function decode(client: PoolClient, { rows, fields }: Answer): Promise<void> {
  for (const { name, dataTypeID, tableID, columnID } of fields) {
    if (dataTypeID !== types.builtins.INT8 || tableID === 0) continue;
    if (!(await bigintsOf(client, tableID)).has(columnID)) continue;
    for (const row of rows) if (row[name] !== null) row[name] = String(row[name]);
  }
}

const isBigint = (table: string, column: string) => columnTypes[table]?.[column]?.type === 'bigint';

const hasBigints = Object.entries(columnTypes).some(([table, columns = {}]) =>
  Object.keys(columns).some((column) => isBigint(table, column)),
);

/** The numbers of such columns, by that of their table, which is a new one when a table is made again. */
const bigints = new Map<number, ReadonlySet<number>>();

async function bigintsOf(client: PoolClient, table: number): Promise<ReadonlySet<number>> {
  const known = bigints.get(table);
  if (known !== undefined) return known;
  const { rows } = await client.query<{ relname: string; attname: string; attnum: number }>(
    'select relname, attname, attnum from pg_attribute join pg_class on pg_class.oid = attrelid where attrelid = $1',
    [table],
  );
  const found = rows.filter(({ relname, attname }) => isBigint(relname, attname));
  const columns = new Set(found.map(({ attnum }) => attnum));
  bigints.set(table, columns);
  return columns;
}

export async function inTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
