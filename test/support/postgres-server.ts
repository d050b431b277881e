import { createServer } from 'node:http';
import { freePort } from './free-port.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';
import { say } from './say.ts';

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, started by the first test that asks for a database.
 * Workers ask over loopback HTTP (see `postgres.ts`), because they are processes of their own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let cluster: Promise<Cluster> | undefined;
  const desk = createServer((_request, response) => {
    cluster ??= announced();
    cluster
      .then((it) => it.createDatabase())
      .then((url) => response.end(url))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const port = await freePort();
  await new Promise<void>((listening) => desk.listen(port, '127.0.0.1', listening));
  process.env['TEST_POSTGRES_DESK'] = `http://127.0.0.1:${port}/`;
  return async () => {
    desk.close();
    await (await cluster)?.stop();
  };
}

function announced(): Promise<Cluster> {
  say('starting PostgreSQL');
  return startCluster();
}
