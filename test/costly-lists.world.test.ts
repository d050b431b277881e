import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseSync } from '../templates/sqlite/src/database/driver.ts';
import { type BuiltApp, builtApp } from './support/built-app.ts';
import { must } from './support/run.ts';
import { say } from './support/say.ts';
import { type Server, startServer } from './support/server.ts';

const rows = 50_000;
const hostile = 20;

/** Legal, and as slow as it gets. */
const costly = [
  `filter=${terms('title')}`,
  `filter=${terms('comments.body')}`,
  `filter=${terms('comments.author.name')}`,
  `order_by=title&offset=${rows - 1000}`,
  'order_by=author.name,title,body,slug&title__icontains=zzz',
];

function terms(field: string): string {
  const all = Array.from({ length: field.length > 5 ? 30 : 50 }, (_, index) => [
    field,
    'icontains',
    `zzz${index}`,
  ]);
  return encodeURIComponent(JSON.stringify(['|', all]));
}

/** Prints how long the event loop was held at most, when the server ends. */
const delay = `
import { monitorEventLoopDelay } from 'node:perf_hooks';
const held = monitorEventLoopDelay({ resolution: 5 });
held.enable();
process.on('SIGUSR2', () => held.reset());
process.on('exit', () => process.stderr.write('held ' + Math.round(held.max / 1e6) + ' ms\\n'));
`;

describe.each(['sqlite', 'postgres'] as const)('on %s, clients', (engine) => {
  let app: BuiltApp;
  let server: Server;

  beforeAll(async () => {
    app = await builtApp('blog', engine);
    await writeFile(join(app.folder, 'delay.mjs'), delay);
    const start = (...flags: string[]) =>
      startServer({
        cwd: app.folder,
        env: app.env,
        command: [process.execPath, '--import', './delay.mjs', 'dist/server.js', ...flags],
      });
    await (await start('--migrate')).stop();
    await fillPosts(app, engine);
    server = await start();
  });
  afterAll(() => server.stop());

  test.runIf(engine === 'sqlite')('read in place what was quick a moment ago', async () => {
    const get = async (path: string, ms: number) => {
      const response = await fetch(server.url + path, { signal: AbortSignal.timeout(ms) });
      await response.text();
      return response.status;
    };
    const [known, other] = ['/api/comments/?post_id=7', '/api/comments/?post_id=8'];
    for (let call = 0; call < 5; call += 1) expect(await get(known, 30_000)).toBe(200);

    // The process that reads apart stands still.
    const { stdout } = await must('pgrep', ['-P', String(server.pid)], { cwd: app.folder });
    const readers = stdout.trim().split('\n').map(Number);
    for (const pid of readers) process.kill(pid, 'SIGSTOP');
    try {
      expect(await get(known, 1000)).toBe(200);
      await expect(get(other, 1000)).rejects.toThrow('timeout');
    } finally {
      for (const pid of readers) process.kill(pid, 'SIGCONT');
    }
  });

  test('who ask for what is slow do not stop the others', async () => {
    const get = async (path: string) => {
      const begun = performance.now();
      const response = await fetch(server.url + path, { signal: AbortSignal.timeout(30_000) });
      await response.text();
      return {
        status: response.status,
        ms: performance.now() - begun,
        retryAfter: response.headers.get('retry-after'),
      };
    };
    await get('/api/topics/');
    process.kill(server.pid, 'SIGUSR2');

    const attacking = { isOver: false };
    const refused: unknown[] = [];
    const attack = Array.from({ length: hostile }, async (_, client) => {
      for (let turn = client; !attacking.isOver; turn += 1) {
        const { status, retryAfter } = await get(`/api/posts/?${costly[turn % costly.length]}`);
        if (status === 503 && retryAfter !== null) await sleep(50);
        else if (status !== 200) refused.push([status, costly[turn % costly.length]?.slice(0, 60)]);
      }
    });
    const bystander: { readonly status: number; readonly ms: number }[] = [];
    for (let call = 0; call < 60; call += 1) {
      bystander.push(await get(call % 2 === 0 ? '/api/topics/?limit=1' : '/health/live'));
      await sleep(100);
    }
    attacking.isOver = true;
    await Promise.all(attack);

    const quick = bystander.filter(({ status, ms }) => status === 200 && ms < 1000);
    const slowest = Math.max(...bystander.map(({ ms }) => ms));
    const errors = server
      .output()
      .split('\n')
      .filter((line) => line.includes('internal_error'));
    expect({ refused, errors: errors.slice(0, 2) }).toEqual({ refused: [], errors: [] });
    expect(quick.length / bystander.length).toBeGreaterThanOrEqual(0.95);
    await server.stop();
    const held = Number(/held (\d+) ms/.exec(server.output())?.[1]);
    say(`${engine}: slowest answer to a bystander ${Math.round(slowest)} ms, loop held ${held} ms`);
    expect(held).toBeLessThan(500);
  });
});

const now = '2026-01-01T00:00:00.000Z';
const numbers = {
  sqlite: `(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${rows}) select n from n) as n`,
  postgres: `generate_series(1, ${rows}) as n(n)`,
};

async function fillPosts({ folder, env }: BuiltApp, engine: 'sqlite' | 'postgres') {
  const script = `
    insert into users (name, email, password, role, token_version, created_at, updated_at)
    values ('Ann', 'ann@example.test', '${'x'.repeat(60)}', 'user', 0, '${now}', '${now}');
    insert into posts (author_id, title, slug, body, status, views, created_at, updated_at)
    select 1, 'Title number ' || n, 'slug-' || n, 'Body ' || n, 'published', 0, '${now}', '${now}'
    from ${numbers[engine]};
    insert into comments (author_id, post_id, body, created_at, updated_at)
    select 1, n, 'Comment ' || n, '${now}', '${now}' from ${numbers[engine]};
    analyze;`;
  if (engine === 'sqlite') {
    const database = new DatabaseSync(join(folder, 'var/test.db'));
    database.exec(script);
    database.close();
    return;
  }
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query(script);
  await client.end();
}
