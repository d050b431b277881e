import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtApp } from './support/built-app.ts';
import { cacheFolder } from './support/cache-folder.ts';
import { withLock } from './support/install.ts';
import { must } from './support/run.ts';
import { startServer } from './support/server.ts';

/** Reads what Prometheus reads. */
const reader = 'parse-prometheus-text-format@1.1.1';

interface Family {
  readonly name: string;
  readonly type: string;
  readonly metrics: readonly {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value?: string;
  }[];
}

test('metrics count requests by method, route and status, and only where they are on', async () => {
  const [on, off] = [await requested({ METRICS: 'on' }), await requested({})];
  expect(off.status).toBe(404);
  expect(on).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/plain; version=/) });

  const read = await textReader();
  const families = read(on.text);
  const type = families.find(({ name }) => name === 'http_request_duration_seconds')?.type;
  expect(type).toBe('HISTOGRAM');
  // The reader makes one of all series of a histogram; without its type each is one of its own.
  const series = read(on.text.replace(/^# (HELP|TYPE) http_.*\n/gm, ''));
  const counts = series.filter(({ name }) => name === 'http_request_duration_seconds_count');
  const found = counts.flatMap(({ metrics }) => metrics);
  expect(found.map(({ labels, value }) => ({ ...labels, value }))).toEqual(
    expect.arrayContaining([
      { method: 'GET', route: '/api/posts', status: '200', value: '2' },
      { method: 'GET', route: '/api/posts/:id', status: '404', value: '1' },
      { method: 'GET', route: 'none', status: '404', value: '2' },
    ]),
  );
  const [memory] =
    families.find(({ name }) => name === 'process_resident_memory_bytes')?.metrics ?? [];
  expect(Number(memory?.value)).toBeGreaterThan(1e6);
});

/** What `/metrics` answers after a few requests. */
async function requested(env: Readonly<Record<string, string>>) {
  const app = await builtApp('blog', 'sqlite');
  const server = await startServer({
    cwd: app.folder,
    env: { ...app.env, ...env },
    command: [process.execPath, 'dist/server.js', '--migrate'],
  });
  try {
    for (const path of ['/api/posts/', '/api/posts/?limit=1', '/api/posts/999999', '/a', '/b'])
      await (await fetch(server.url + path)).text();
    const response = await fetch(`${server.url}/metrics`);
    const type = response.headers.get('content-type');
    return { status: response.status, type, text: await response.text() };
  } finally {
    await server.stop();
  }
}

async function textReader(): Promise<(text: string) => readonly Family[]> {
  const folder = join(cacheFolder, 'prometheus-1.1.1');
  const program = join(folder, 'node_modules/parse-prometheus-text-format');
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(program)) return;
    await mkdir(folder, { recursive: true });
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await must('npm', ['install', '--prefix', folder, ...flags, reader], { cwd: folder });
  });
  const module = createRequire(import.meta.url)(program);
  return module.default ?? module;
}
