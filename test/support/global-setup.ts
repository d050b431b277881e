import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { nextPort } from './free-port.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';
import { say } from './say.ts';
import { scratchFolder } from './scratch.ts';

/**
 * Before all tests: a desk for what workers, which are processes of their own, must not take from each other. It gives
 * out ports, and databases of one PostgreSQL, which the first test that asks for one starts. And one folder for all that
 * the run writes, removed with it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await scratchFolder('test');
  process.env['TEST_FOLDER'] = folder;
  let cluster: Promise<Cluster> | undefined;
  const services: Readonly<Record<string, () => Promise<string>>> = {
    '/port': async () => String(await nextPort()),
    '/database': async () => (await (cluster ??= announced())).createDatabase(),
  };
  const desk = createServer(({ url = '' }, response) => {
    const served = services[url]?.() ?? Promise.reject(new Error(`There is no ${url}.`));
    served
      .then((text) => response.end(text))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const port = await nextPort();
  await new Promise<void>((listening) => desk.listen(port, '127.0.0.1', listening));
  process.env['TEST_DESK'] = `http://127.0.0.1:${port}`;
  return async () => {
    desk.close();
    await (await cluster)?.stop();
    if (process.env['KEEP'] === '1') return;
    // What a server of a test still writes while it ends is removed by another try.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

function announced(): Promise<Cluster> {
  say('starting PostgreSQL');
  return startCluster();
}
