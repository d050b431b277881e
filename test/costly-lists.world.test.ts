import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { type BuiltApp, builtApp } from './support/built-app.ts';
import { say } from './support/say.ts';
import { isDeep } from './support/trials.ts';
import { type Server, startServer } from './support/server.ts';

const rows = isDeep ? 1_000_000 : 50_000;
const hostile = 20;

/**
 * A deep run has the machine for itself. Beside other tests, clocks also measure those: there, most have to be answered
 * in a quarter of the time that half of what is slow takes.
 */
const quick = isDeep ? { share: 0.99, ms: () => 1000 } : { share: 0.8, ms: quarterOfSlow };

/** How long each slow request took, on the current engine. */
const slow: number[] = [];

function quarterOfSlow(): number {
  return (slow.toSorted((one, other) => one - other)[Math.floor(slow.length / 2)] ?? 0) / 4;
}

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

/** Prints the longest time that the event loop was blocked, when the server ends. One of its threads fails when it is told to. */
const delay = `
import { monitorEventLoopDelay } from 'node:perf_hooks';
const held = monitorEventLoopDelay({ resolution: 5 });
held.enable();
process.on('SIGUSR2', () => held.reset());
const threads = new Set();
process.on('worker', (thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});
let ended = 0;
process.on('SIGHUP', () => {
  const all = [...threads];
  all[ended % all.length]?.postMessage(null);
  ended += 1;
});
process.on('exit', () => process.stderr.write('held ' + Math.round(held.max / 1e6) + ' ms\\n'));
`;

/** A client of its own. */
const each = (client: number) => `10.0.0.${client}`;

interface Answered {
  readonly status: number;
  readonly ms: number;
}

describe.each(['sqlite', 'postgres'] as const)('on %s, clients', (engine) => {
  let app: BuiltApp;
  let server: Server;

  beforeAll(async () => {
    slow.length = 0;
    app = await builtApp('blog', engine);
    await writeFile(join(app.folder, 'delay.mjs'), delay);
    const start = (...flags: string[]) =>
      startServer({
        cwd: app.folder,
        env: { ...app.env, TRUST_PROXY: '127.0.0.1' },
        command: [process.execPath, '--import', './delay.mjs', 'dist/server.js', ...flags],
      });
    await (await start('--migrate')).stop();
    await fillPosts(app, engine);
    server = await start();
  });
  afterAll(() => server.stop());

  const get = async (path: string, address: string) => {
    const begun = performance.now();
    const response = await fetch(server.url + path, {
      signal: AbortSignal.timeout(60_000),
      headers: { 'x-forwarded-for': address },
    });
    const { total }: { total?: number } = Object(await response.json());
    const ms = performance.now() - begun;
    return { status: response.status, ms, total, retryAfter: response.headers.get('retry-after') };
  };

  /** Clients who send slow requests for as long as something else is done. */
  async function underAttack(
    addressOf: (client: number) => string,
    others: (bystander: string) => Promise<readonly Answered[]>,
  ): Promise<void> {
    const bystander = addressOf(hostile);
    await get('/api/topics/', bystander);
    process.kill(server.pid, 'SIGUSR2');
    const attacking = { isOver: false };
    const refused: unknown[] = [];
    const attack = Array.from({ length: hostile }, async (_, client) => {
      for (let turn = client; !attacking.isOver; turn += 1) {
        const path = `/api/posts/?${costly[turn % costly.length]}`;
        const { status, ms, retryAfter } = await get(path, addressOf(client));
        if (status === 200) slow.push(ms);
        if (status === 503 && retryAfter !== null) await sleep(50);
        else if (status !== 200) refused.push([status, path.slice(0, 60)]);
      }
    });
    const answers = await others(bystander);
    attacking.isOver = true;
    await Promise.all(attack);

    const bar = quick.ms();
    const inTime = answers.filter(({ status, ms }) => status === 200 && ms < bar);
    const slowest = Math.max(...answers.map(({ ms }) => ms));
    const errors = server
      .output()
      .split('\n')
      .filter((line) => line.includes('internal_error'));
    expect({ refused, errors: errors.slice(0, 2) }).toEqual({ refused: [], errors: [] });
    say(
      `${engine}: ${inTime.length} of ${answers.length} bystanders answered within ${Math.round(bar)} ms, the slowest in ${Math.round(slowest)} ms`,
    );
    expect(inTime.length / answers.length).toBeGreaterThanOrEqual(quick.share);
  }

  test.each([
    ['each from an address of their own', each, isDeep ? ['/api/posts/'] : []],
    // There, slow requests wait for each other.
    ['all from one address', () => '10.0.0.1', []],
  ])('who send slow requests, %s, do not stop the others', async (_way, addressOf, more) => {
    const shown = ['/api/topics/?limit=1', '/api/posts/7', '/health/live', ...more];
    await underAttack(addressOf, async (bystander) => {
      const answers: Answered[] = [];
      for (let call = 0; call < 100; call += 1) {
        answers.push(await get(shown[call % shown.length] ?? '', bystander));
        await sleep(50);
      }
      return answers;
    });
  });

  test('get the total at one moment while rows are written and readers end', async () => {
    const tables = await openTables(app, engine);
    let [ended, written] = [0, 0];
    await underAttack(each, async (bystander) => {
      const answers: Answered[] = [];
      for (let call = 0; call < (isDeep ? 300 : 100); call += 1) {
        if (call % 10 === 0) {
          if (engine === 'sqlite') process.kill(server.pid, 'SIGHUP');
          else await tables.run(endOneReader);
          ended += 1;
        }
        const before = written;
        const writing = tables.run(newTopic(written)).then(() => (written += 1));
        const answer = await get('/api/topics/?limit=1', bystander);
        answers.push(answer);
        await writing;
        if (answer.status === 200) {
          expect(answer.total).toBeGreaterThanOrEqual(before);
          expect(answer.total).toBeLessThanOrEqual(written);
        }
      }
      return answers;
    });
    await tables.close();
    say(`${engine}: ${ended} readers ended, ${written} rows written`);
    expect((await get('/api/topics/', each(0))).total).toBe(written);
  });

  test('who ask for something different each time do not fill the memory', async () => {
    for (let shape = 0; shape < 100; shape += 1) await askFor(shape, server.url);
    const before = await memoryOf(server.pid);
    for (let shape = 100; shape < 800; shape += 1) await askFor(shape, server.url);
    const after = await memoryOf(server.pid);
    say(`${engine}: ${Math.round(before)} MB after 100 shapes, ${Math.round(after)} MB after 800`);
    expect(after - before).toBeLessThan(150);
  });

  test('never hold up anything else that the server does', async () => {
    await server.stop();
    const held = Number(/held (\d+) ms/.exec(server.output())?.[1]);
    say(`${engine}: loop held ${held} ms`);
    expect(held).toBeLessThan(isDeep ? 100 : quarterOfSlow());
  });
});

/** A list that nobody has asked for yet, as long as a URL may be. */
async function askFor(shape: number, url: string): Promise<void> {
  const filters = Array.from({ length: 45 }, (_, at) => [
    'name',
    (shape >> (at % 10)) % 2 === 0 ? 'contains' : 'icontains',
    `z${at}`,
  ]);
  const filter = encodeURIComponent(JSON.stringify(['|', filters]));
  const response = await fetch(`${url}/api/topics/?filter=${filter}`);
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

/** In megabytes. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

const now = '2026-01-01T00:00:00.000Z';
const numbers = {
  sqlite: `(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${rows}) select n from n) as n`,
  postgres: `generate_series(1, ${rows}) as n(n)`,
};

const newTopic = (n: number) =>
  `insert into tags (name, created_at, updated_at) values ('Topic ${n}', '${now}', '${now}')`;

/** One of the connections of the server to PostgreSQL. */
const endOneReader = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  order by random() limit 1`;

async function fillPosts(app: BuiltApp, engine: 'sqlite' | 'postgres') {
  const tables = await openTables(app, engine);
  await tables.run(`
    insert into users (name, email, password, role, token_version, created_at, updated_at)
    values ('Ann', 'ann@example.test', '${'x'.repeat(60)}', 'user', 0, '${now}', '${now}');
    insert into posts (author_id, title, slug, body, status, views, created_at, updated_at)
    select 1, 'Title number ' || n, 'slug-' || n, 'Body ' || n, 'published', 0, '${now}', '${now}'
    from ${numbers[engine]};
    insert into comments (author_id, post_id, body, created_at, updated_at)
    select 1, n, 'Comment ' || n, '${now}', '${now}' from ${numbers[engine]};
    analyze;`);
  await tables.close();
}

/** The tables of a server, from outside of it. */
async function openTables({ folder, env }: BuiltApp, engine: 'sqlite' | 'postgres') {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(join(folder, 'var/test.db'), { timeout: 10_000 });
    return {
      run: async (sql: string) => database.exec(sql),
      close: async () => database.close(),
    };
  }
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  return { run: (sql: string) => client.query(sql), close: () => client.end() };
}
