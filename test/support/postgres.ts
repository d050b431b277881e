import { Client } from 'pg';
import { askDesk } from './desk.ts';

/** The URL of a new, empty database in the PostgreSQL of this test run. */
export function freshDatabase(): Promise<string> {
  return askDesk('/database');
}

/** For many tests, one after the other, until the run ends: then the server may be gone first. */
export async function connectedClient(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
