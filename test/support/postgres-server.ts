import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { freePort } from './free-port.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';
import { say } from './say.ts';
import { scratchFolder } from './scratch.ts';

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, started by the first test that asks for a database.
 * Workers ask over loopback HTTP (see `postgres.ts`), because they are processes of their own. And one folder for all
 * that the run writes, removed with it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await scratchFolder('test');
  process.env['TEST_FOLDER'] = folder;
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
    if (process.env['KEEP'] !== '1') await rm(folder, { recursive: true, force: true });
  };
}

function announced(): Promise<Cluster> {
  say('starting PostgreSQL');
  return startCluster();
}
