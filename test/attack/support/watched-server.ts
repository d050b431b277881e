import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltApp } from '../../support/built-app.ts';
import { type Server, startServer } from '../../support/server.ts';

/** What a server uses at a moment, after garbage collection. */
export interface Figures {
  readonly rssMegabytes: number;
  readonly heapMegabytes: number;
  /** Files, sockets and the like; 0 where the system does not say. */
  readonly descriptors: number;
  /** The longest time that the event loop was blocked since the last figures, while this process was running. */
  readonly heldMilliseconds: number;
}

/** What takes long because the machine is busy with other things does not count as blocked. */
const watch = `
import { existsSync, readdirSync, writeFileSync, renameSync } from 'node:fs';
let held = 0;
let time = performance.now();
let work = process.cpuUsage();
setInterval(() => {
  const { user, system } = process.cpuUsage(work);
  const now = performance.now();
  held = Math.max(held, Math.min(now - time, (user + system) / 1000));
  work = process.cpuUsage();
  time = now;
}, 5).unref();
process.on('SIGUSR2', () => {
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  const figures = {
    rssMegabytes: rss / 2 ** 20,
    heapMegabytes: heapUsed / 2 ** 20,
    descriptors: existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0,
    heldMilliseconds: held,
  };
  writeFileSync('figures.new', JSON.stringify(figures));
  renameSync('figures.new', 'figures.json');
  setImmediate(() => { held = 0; work = process.cpuUsage(); time = performance.now(); });
});
`;

export interface WatchedServer extends Server {
  figures(): Promise<Figures>;
}

/** A server of a compiled app, on its migrated database. */
export async function startWatched(
  { folder, env }: BuiltApp,
  settings: Readonly<Record<string, string>> = {},
): Promise<WatchedServer> {
  await writeFile(join(folder, 'watch.mjs'), watch);
  const server = await startServer({
    cwd: folder,
    env: { ...env, LOG_LEVEL: 'error', ...settings },
    command: [
      process.execPath,
      '--expose-gc',
      '--import',
      './watch.mjs',
      'dist/server.js',
      '--migrate',
    ],
  });
  const file = join(folder, 'figures.json');
  return {
    ...server,
    async figures() {
      await writeFile(file, '');
      process.kill(server.pid, 'SIGUSR2');
      for (let tries = 0; tries < 600; tries += 1) {
        await sleep(50);
        const text = await readFile(file, 'utf8');
        if (text !== '') return JSON.parse(text);
      }
      throw new Error('The server says nothing of itself.');
    },
  };
}

export function asText({ rssMegabytes, heapMegabytes, ...figures }: Figures): string {
  const memory = `${Math.round(rssMegabytes)} MB resident, ${heapMegabytes.toFixed(1)} MB heap`;
  const { descriptors, heldMilliseconds } = figures;
  return `${memory}, ${descriptors} descriptors, loop held ${Math.round(heldMilliseconds)} ms`;
}
