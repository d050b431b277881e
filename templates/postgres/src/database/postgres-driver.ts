import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import {
  Client,
  type ClientBase,
  type Pool,
  type PoolClient,
  type QueryResult as Answer,
  type QueryResultRow,
  types,
} from 'pg';
import { statementDriver } from './queue.ts';
import { columnTypes } from './tables.ts';
import { refuseInsideTransaction } from './transaction.ts';

/**
 * SQL that a transaction begins with. Behind a pooler the next one has another session: limits hold for a transaction,
 * each statement is one, and none stays prepared.
 */
type PerTransaction = string | undefined;

/** Reads; its statements see nothing of what is not committed, and stay prepared. */
export function openReader(pool: Pool, perTransaction: PerTransaction): Driver {
  const nameOf = perTransaction === undefined ? statementNames() : unnamed;
  return new PooledDriver(pool, { nameOf, perTransaction });
}

/** Writes; each transaction has a connection to itself. */
export function openWriter(pool: Pool, perTransaction: PerTransaction): Driver {
  return new WritingDriver(pool, { nameOf: unnamed, perTransaction });
}

/** Reads that may take long: nothing of them stays prepared. */
export function openCostlyReader(pool: Pool, perTransaction: PerTransaction): Driver {
  return statementDriver(async (query) => {
    const client = await pool.connect();
    try {
      return await connectionOn(client, { nameOf: unnamed, perTransaction }).executeQuery(query);
    } finally {
      client.release();
    }
  });
}

interface Usage {
  readonly nameOf: NameOf;
  readonly perTransaction: PerTransaction;
}

type NameOf = (text: string) => string | undefined;

const unnamed: NameOf = () => undefined;

/** Those that are in a transaction. */
const transactions = new WeakSet<DatabaseConnection>();

class PooledDriver extends PostgresDriver {
  readonly #clients = new WeakMap<DatabaseConnection, PoolClient>();
  readonly #pool: Pool;
  readonly #usage: Usage;

  constructor(pool: Pool, usage: Usage) {
    super({ pool });
    this.#pool = pool;
    this.#usage = usage;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.#pool.connect();
    const connection = connectionOn(client, this.#usage);
    this.#clients.set(connection, client);
    return connection;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    transactions.add(connection);
    await super.beginTransaction(connection, settings);
    const { perTransaction } = this.#usage;
    if (perTransaction !== undefined) await this.#clients.get(connection)?.query(perTransaction);
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#clients.get(connection)?.release();
  }

  /** The pool is closed by whoever opened it. */
  override async destroy(): Promise<void> {}
}

class WritingDriver extends PooledDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    refuseInsideTransaction();
    return super.acquireConnection();
  }
}

const namedStatements = 500;

/** Named statements stay prepared as long as their connection lives, so their number is bounded. */
function statementNames(): NameOf {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === namedStatements) return known;
    const name = `read_${names.size}`;
    names.set(text, name);
    return name;
  };
}

function connectionOn(client: PoolClient, { nameOf, perTransaction }: Usage): DatabaseConnection {
  const run = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const name = nameOf(sql);
    const answer = await client.query<Row & QueryResultRow>({
      ...(name !== undefined && { name }),
      text: sql,
      values: [...parameters],
    });
    // PostgreSQL undoes what is committed after a failure, and does not call that one.
    if (sql === 'commit' && answer.command === 'ROLLBACK') throw new Error(aborted);
    await decode(client, answer);
    return { rows: answer.rows, ...affected(answer) };
  };
  const connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery) =>
      perTransaction === undefined || transactions.has(connection)
        ? run<Row>(query)
        : inTransaction(client, () => run<Row>(query), `begin; ${perTransaction}`),
    // oxlint-disable-next-line require-yield -- Kysely asks for the method
    async *streamQuery() {
      throw new Error('Streaming wants a cursor: read the rows in pages.');
    },
  };
  return connection;
}

const aborted =
  'A statement of this transaction has failed, so nothing of it was kept: let the error pass, or put what may fail into a savepoint.';

function affected({ command, rowCount }: Answer): { readonly numAffectedRows?: bigint } {
  return command === 'SELECT' || rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) };
}

/** Ids and fields of the type `bigint` are one type to PostgreSQL; these are text in the API. */
async function decode(client: PoolClient, { rows, fields }: Answer): Promise<void> {
  if (!hasBigints) return;
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

/** A session of its own, not of the pool; it ends with the work. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // The query that is under way fails as well; without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
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
