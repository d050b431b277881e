import { readdir, readFile } from 'node:fs/promises';
import { nodeVersion } from '../test/support/node-version.ts';
import { requestsPerSecond } from './load.ts';
import { report } from './report.ts';
import { stopping } from './stopping.ts';
import { startSubject } from './subject.ts';

/** `REQUESTS=100000` asks fewer. */
const requests = Number(process.env['REQUESTS'] ?? 1_000_000);
const rows = 100_000;
const below = (bound: number) => Math.floor(Math.random() * bound);

const paths = [
  () => `/api/articles/?offset=${below(5000)}`,
  () => `/api/articles/?views=${below(1000)}&order_by=-id`,
  () => `/api/articles/?views__gt=${below(900)}&order_by=views&count=none&limit=${1 + below(100)}`,
  () => `/api/articles/?id__gt=${below(rows)}&count=none&fields=id,title&limit=10`,
  () => `/api/articles/${1 + below(rows)}`,
];

/** Whether a server is after a million reads, each answered 200, as it was after the first tenth of them. */
export async function soak(): Promise<void> {
  for (const major of [20, 22, 24]) {
    const program = [await nodeVersion(major)] as const;
    await stopping(async (atEnd) => {
      const { server } = await startSubject(atEnd, { rows, program });
      const ask = async (count: number) => {
        for (let asked = 0; asked < count;) {
          const path = () => paths[below(paths.length)]?.() ?? '';
          const load = { url: server.url, path, connections: 32, seconds: 10 };
          asked += (await requestsPerSecond(load)) * load.seconds;
        }
        return look(server.pid);
      };
      const [early, late] = [await ask(requests / 10), await ask((requests * 9) / 10)];
      const name = `Node ${major}, ${requests} reads`;
      const megabytes = `${early.megabytes} MB, then ${late.megabytes}`;
      const isFlat = late.megabytes < 1.2 * early.megabytes;
      report({ name, found: megabytes, bar: '≤ 1.2 ×', ok: isFlat });
      const threads = `${early.threads} threads, then ${late.threads}`;
      report({ name: '', found: threads, bar: 'none gone', ok: late.threads === early.threads });
    });
  }
}

async function look(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  const threads = (await readdir(`/proc/${pid}/task`)).length;
  return { megabytes: Math.round(kilobytes / 1024), threads };
}
