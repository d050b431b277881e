import { existsSync, statfsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { freemem, tmpdir } from 'node:os';
import { nextPort } from './free-port.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';
import { say } from './say.ts';
import { scratchFolder } from './scratch.ts';

/**
 * Before all tests: a desk for what workers, which are processes of their own, must not take from each other. It gives
 * out ports, and databases of one PostgreSQL, which the first test that asks for one starts. And one temporary folder for
 * all that the run writes, in memory where there is room, removed with it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  process.env['TMPDIR'] ??= roomInMemory() ?? tmpdir();
  // The compiler ends before what it would collect is missed, and takes a third less time.
  process.env['GOGC'] ??= 'off';
  process.env['GOMEMLIMIT'] ??= '2GiB';
  const folder = await scratchFolder('test');
  // PostgreSQL runs as somebody else where we are root.
  await chmod(folder, 0o711);
  process.env['TEST_FOLDER'] = process.env['TMPDIR'] = folder;
  let cluster: Promise<Cluster> | undefined;
  const services: Readonly<Record<string, () => Promise<string>>> = {
    '/port': async () => String(await nextPort()),
    '/database': async () => (await (cluster ??= announced())).createDatabase(),
  };
  const desk = createServer(({ url = '' }, response) => {
    // A connection that is kept may be closed while the next question is on its way.
    response.setHeader('connection', 'close');
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

/** Nobody misses the files of a test, and half of the work of some is to wait for a disk. */
function roomInMemory(): string | undefined {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, freemem()) > 4 * 2 ** 30 ? folder : undefined;
}

function announced(): Promise<Cluster> {
  say('starting PostgreSQL');
  return startCluster();
}
