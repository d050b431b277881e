import { Client, type ClientBase } from 'pg';

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
