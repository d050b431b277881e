import { Client, DatabaseError } from 'pg';

/** A session of its own; it ends with the work. */
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
  // What is fatal has ended the connection.
  return error.severity === 'FATAL' || unavailableCodes.test(error.code ?? '');
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: connection lost, server full, out of disk, shutting
 * down, a standby that cannot write, deadlocks that outlived their retries, locks and statements that took too long; a
 * role that may not do it.
 */
const unavailableCodes = /^(08|53|57P|58)|^(25006|25P03|40001|40P01|42501|55P03|57014)$/;

/** Whether the error says that what is to be made is there already: a table, an index or a view; a type or a rule; a function. */
export function isTaken(error: unknown): boolean {
  return error instanceof DatabaseError && /^(42P07|42710|42723)$/.test(error.code ?? '');
}

/** Errors of the socket carry a code of the system's; those of a client and of the pool carry none. */
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
