import { Client, DatabaseError } from 'pg';

/** Opens a session for some work. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // The running query fails as well. Without a listener, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function inTransaction<Result>(
  client: Client,
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

/** Whether the error says that the database does not answer. */
export function isUnavailable(error: unknown): boolean {
  if (isLostConnection(error)) return true;
  if (!(error instanceof DatabaseError)) return false;
  // A fatal error has ended the connection.
  return error.severity === 'FATAL' || unavailableCodes.test(error.code ?? '');
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: lost connections, a full server or disk, a shutdown,
 * a read-only standby, deadlocks after all retries, locks and statements that took too long, missing rights.
 */
const unavailableCodes = /^(08|53|57P|58)|^(25006|25P03|40001|40P01|42501|55P03|57014)$/;

/**
 * Whether the error says that something to be created exists already: a table, index, view, type, constraint or
 * function.
 */
export function isTaken(error: unknown): boolean {
  return error instanceof DatabaseError && /^(42P07|42710|42723)$/.test(error.code ?? '');
}

/** Errors of a socket have a code of the system. Those of a client or a pool have none. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return lostSockets.has(error.code);
  return lostConnections.test(error.message);
}

const lostSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

const lostConnections =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;
