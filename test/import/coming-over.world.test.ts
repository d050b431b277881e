import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { type Engine, engines } from '../../src/types/field-type.ts';
import { commandLine } from '../cli/in-process.ts';
import { clientOf } from '../support/client.ts';
import { type OwnedProject, ownedProject } from '../support/owned-project.ts';
import { freshDatabase } from '../support/postgres.ts';
import { must, run } from '../support/run.ts';
import { scratchFolder } from '../support/scratch.ts';
import { startServer, testSecret } from '../support/server.ts';
import { prismaDatabase } from './databases.ts';

test.each(engines)(
  'a database of another program on %s is taken over with its rows and users, while that program goes on',
  async (engine) => {
    const { url, write } = await otherProgram(engine);
    const project = await projectOf(url);
    const baseline = (...args: readonly string[]) =>
      run('npm', ['run', '--silent', 'db:baseline', '--', ...args], at(project, url));
    expect(await baseline()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('It can be taken over'),
    });
    expect(await baseline('--apply')).toMatchObject({ code: 0 });
    expect(await postsOf(project, url, 'title,status,tags.name')).toMatchObject({
      total: 2,
      items: [
        { title: 'One', status: 'PUBLISHED', tags: [{ name: 'red' }, { name: 'blue' }] },
        { title: 'Two', status: 'DRAFT', tags: [{ name: 'blue' }] },
      ],
    });

    const writer = keepWriting(write);
    await project.edit('schema.yaml', ['body: text?', 'body: text?\n      stars: int = 3']);
    expect(await project.scaffold('regenerate')).toMatchObject({ code: 0 });
    await must('npm', ['run', '--silent', 'db:migrate'], at(project, url));
    const written = await writer.stop();
    expect(written.length).toBeGreaterThan(1);
    const titles = ['One', 'Two', ...written];
    expect(await postsOf(project, url, 'title,stars')).toMatchObject({
      total: titles.length,
      items: titles.slice(0, 50).map((title) => ({ title, stars: 3 })),
    });
  },
);

test('moments without a time zone are those of the API, whatever zone the server and the database are in', async () => {
  const { url: database } = await otherProgram('postgres');
  const client = new Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
  const name = new URL(database).pathname.slice(1);
  await client.query(`alter database ${name} set timezone = 'America/New_York'`);
  await client.query(`
    alter table "Post" add "seenAt" timestamp(3);
    create index on "Post" ("seenAt");
    update "Post" set "seenAt" = '2024-03-10 02:30:00.125' where "title" = 'One'`);
  const project = await projectOf(database);
  const place = {
    ...at(project, database),
    env: { ...at(project, database).env, TZ: 'Asia/Tokyo' },
  };
  await run('npm', ['run', '--silent', 'db:baseline'], place);
  await must('npm', ['run', '--silent', 'db:baseline', '--', '--apply'], place);
  await project.npm('build', '--', '--noCheck');
  const server = await startServer(place);
  onTestFinished(async () => void (await server.stop()));
  const ada = clientOf(server.url);
  const { access_token: token } = await ada.login('ada@example.com', 'correct horse battery');
  const asked = async (query: string) => (await ada.call('GET', `/api/posts/?${query}`)).body;

  // In New York, this hour does not exist.
  const one = { title: 'One', seenAt: '2024-03-10T02:30:00.125Z' };
  const posts = 'fields=title,seenAt';
  for (const filter of [
    'seenAt=2024-03-10T02:30:00.125Z',
    'seenAt__lte=2024-03-10T03:30:00.125%2B01:00',
  ])
    expect(await asked(`${posts}&${filter}`)).toMatchObject({ total: 1, items: [one] });
  expect(await asked(`${posts}&seenAt__gt=2024-03-10T02:30:00.125Z`)).toMatchObject({ total: 0 });

  const before = Date.now();
  const three = { title: 'Three', seenAt: '2024-03-10T03:30:00.250+01:00' };
  const made = await ada.call('POST', '/api/posts/', three);
  expect(made).toMatchObject({ status: 201, body: { seenAt: '2024-03-10T02:30:00.250Z' } });
  const created = Date.parse(String(Object(made.body).createdAt));
  expect(created - before).toBeGreaterThanOrEqual(0);
  expect(created - before).toBeLessThan(60_000);
  const { rows } = await client.query(
    `select "seenAt"::text as seen, abs(extract(epoch from "createdAt") - extract(epoch from now())) < 60 as now from "Post" where "title" = 'Three'`,
  );
  expect(rows).toEqual([{ seen: '2024-03-10 02:30:00.25', now: true }]);

  const page = `${posts}&order_by=-seenAt&limit=1&seenAt__gte=2024-01-01T00:00:00Z`;
  const first = await asked(page);
  expect(first).toMatchObject({ items: [{ title: 'Three' }] });
  const next = encodeURIComponent(String(Object(first).next_cursor));
  expect(await asked(`${page}&cursor=${next}`)).toMatchObject({ items: [one] });

  const url = `${server.url}/api/posts/${Object(made.body).id}`;
  const headers = { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' };
  const etag = (await fetch(url, { headers })).headers.get('etag') ?? '';
  const change = { method: 'PATCH', body: '{ "title": "Four" }' };
  const patch = () => fetch(url, { ...change, headers: { ...headers, 'if-match': etag } });
  expect([(await patch()).status, (await patch()).status]).toEqual([200, 412]);
});

/** Everything that a list in this order has, page by page. */
async function pagesOf(ask: (query: string) => Promise<unknown>, query: string, name: string) {
  const values: unknown[] = [];
  let after = '';
  for (let page = 0; page < 9; page += 1) {
    const { items, next_cursor: next } = Object(await ask(`${query}${after}`));
    for (const item of items) values.push(item[name]);
    if (next === undefined) return values;
    after = `&cursor=${encodeURIComponent(String(next))}`;
  }
  throw new Error('The pages do not end.');
}

test.each(['timestamptz', 'timestamp(6)'])(
  'moments of %s are exact to the microsecond: in filters, pages, versions and writes',
  async (type) => {
    const { url: database } = await otherProgram('postgres');
    const client = new Client({ connectionString: database });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`
      set timezone = 'UTC';
      alter table "User" alter "createdAt" type ${type}, alter "updatedAt" type ${type};
      alter table "Post" alter "createdAt" type ${type}, alter "createdAt" drop not null,
        alter "updatedAt" type ${type}, alter "updatedAt" drop not null, add "seenAt" ${type} default now();
      create index on "Post" ("seenAt");
      delete from "_PostToTag"; delete from "Post";
      insert into "Post" ("title", "authorId", "seenAt", "createdAt", "updatedAt")
      select title, 'ckp1', '2024-01-02 03:04:05'::timestamp + moment::interval, null, null from (values
        ('a', '0.125 s'), ('b', '0.125001 s'), ('c', '0.1259 s'), ('d', '0.125999 s'), ('e', '0.126 s')) as made (title, moment)`);
    const project = await projectOf(database);
    const place = at(project, database);
    await run('npm', ['run', '--silent', 'db:baseline'], place);
    await must('npm', ['run', '--silent', 'db:baseline', '--', '--apply'], place);
    await project.npm('build', '--', '--noCheck');
    const server = await startServer(place);
    onTestFinished(async () => void (await server.stop()));
    const ada = clientOf(server.url);
    const { access_token: token } = await ada.login('ada@example.com', 'correct horse battery');
    const asked = async (query: string) => (await ada.call('GET', `/api/posts/?${query}`)).body;
    const titles = (query: string) =>
      pagesOf(asked, `fields=title&limit=1&${query}`, 'title').then((all) => all.join(''));

    expect(await pagesOf(asked, 'fields=seenAt&order_by=seenAt&limit=2', 'seenAt')).toEqual(
      ['125', '125001', '125900', '125999', '126'].map((it) => `2024-01-02T03:04:05.${it}Z`),
    );
    expect(await titles('order_by=seenAt')).toBe('abcde');
    expect(await titles('order_by=-seenAt')).toBe('edcba');
    expect(await titles('order_by=-createdAt,title')).toBe('abcde');
    for (const [filter, found] of [
      ['seenAt=2024-01-02T03:04:05.125Z', 'a'],
      ['seenAt=2024-01-02T04:04:05.1259%2B01:00', 'c'],
      ['seenAt__gt=2024-01-02T03:04:05.125Z', 'bcde'],
      ['seenAt__lte=2024-01-02T03:04:05.125001Z', 'ab'],
      ['seenAt__in=2024-01-02T03:04:05.125999Z,2024-01-02T03:04:05.126000Z', 'de'],
      ['createdAt__isnull=true', 'abcde'],
    ] as const)
      expect([filter, await titles(`order_by=title&${filter}`)]).toEqual([filter, found]);

    const made = await ada.call('POST', '/api/posts/', {
      title: 'f',
      seenAt: '2024-01-02T04:04:05.678901999+01:00',
    });
    const { id, seenAt, createdAt } = Object(made.body);
    expect([made.status, seenAt]).toEqual([201, '2024-01-02T03:04:05.678901Z']);
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
    const empty = await ada.call('POST', '/api/posts/', { title: 'g', seenAt: null });
    expect(empty).toMatchObject({ status: 201, body: { seenAt: null } });

    const url = `${server.url}/api/posts/${id}`;
    const headers = {
      authorization: `Bearer ${String(token)}`,
      'content-type': 'application/json',
    };
    const versionOf = async () => (await fetch(url, { headers })).headers.get('etag') ?? '';
    const patch = (version: string) =>
      fetch(url, {
        method: 'PATCH',
        body: '{ "title": "h" }',
        headers: { ...headers, 'if-match': version },
      });
    const version = await versionOf();
    await client.query(`update "Post" set "seenAt" = "seenAt" + interval '1 us' where id = $1`, [
      id,
    ]);
    expect((await patch(version)).status).toBe(412);
    const changed = await patch(await versionOf());
    expect([changed.status, await changed.json()]).toMatchObject([
      200,
      { title: 'h', seenAt: '2024-01-02T03:04:05.678902Z' },
    ]);
  },
);

test('texts are in the order of the database, page by page', async () => {
  const { url: database } = await otherProgram('postgres');
  const client = new Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`
    create index on "Post" ("title");
    insert into "Post" ("title", "status", "authorId", "updatedAt")
    select unnest('{cherry,Banana,apple,banana,Äpfel,Apple}'::text[]), 'DRAFT', 'ckp1', now()`);
  const project = await projectOf(database);
  const place = at(project, database);
  await run('npm', ['run', '--silent', 'db:baseline'], place);
  await must('npm', ['run', '--silent', 'db:baseline', '--', '--apply'], place);
  await project.npm('build', '--', '--noCheck');
  const server = await startServer(place);
  onTestFinished(async () => void (await server.stop()));
  const ada = clientOf(server.url);
  await ada.login('ada@example.com', 'correct horse battery');
  const titles: unknown[] = [];
  let cursor: unknown = '';
  for (let page = 0; page < 9 && cursor !== null; page += 1) {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const { body } = await ada.call(
      'GET',
      `/api/posts/?fields=title,author.name&order_by=title&limit=3${after}`,
    );
    const { items, next_cursor: next } = Object(body);
    for (const { title } of items) titles.push(title);
    cursor = next ?? null;
  }
  expect(titles).toEqual(['Äpfel', 'apple', 'Apple', 'banana', 'Banana', 'cherry', 'One', 'Two']);
  const { body } = await ada.call('GET', '/api/posts/?fields=title&title=Banana');
  expect(body).toMatchObject({ total: 1, items: [{ title: 'Banana' }] });
});

/** A schema with rules that compare the value of an enum. */
const publishedToAll = (schema: string) =>
  schema.replace(
    '{ read: owner }',
    "{ read: [public if status = PUBLISHED, owner], update: 'owner if status in (DRAFT, PUBLISHED)' }",
  );

test('32-bit ids and enums that are types work in filters, orders, writes and rules', async () => {
  const { url: database } = await otherProgram('postgres');
  const client = new Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`alter type "Status" add value 'ARCHIVED'`);
  await client.query(`
    alter table "Post" add "before" "Status";
    create index on "Post" ("status");
    insert into "Post" ("title", "status", "before", "authorId", "updatedAt")
    select title, status::"Status", 'DRAFT', 'ckp2', now()
    from (values ('Three', 'ARCHIVED'), ('Four', 'ARCHIVED'), ('Five', 'PUBLISHED')) as made (title, status)`);
  const project = await projectOf(database, publishedToAll);
  const place = at(project, database);
  await run('npm', ['run', '--silent', 'db:baseline'], place);
  await must('npm', ['run', '--silent', 'db:baseline', '--', '--apply'], place);
  const { rows } = await client.query(
    `select udt_name from information_schema.columns where table_name = 'Post' and column_name in ('status', 'before')`,
  );
  expect(rows).toEqual([{ udt_name: 'Status' }, { udt_name: 'Status' }]);
  await project.npm('build', '--', '--noCheck');
  const server = await startServer(place);
  onTestFinished(async () => void (await server.stop()));
  const ada = clientOf(server.url);
  await ada.login('ada@example.com', 'correct horse battery');
  const titles = async (query: string, asker = ada) => {
    const { body } = await asker.call('GET', `/api/posts/?fields=title&${query}`);
    const { items } = Object(body);
    return items.map((item: object) => Object(item).title);
  };
  const inPages = async (order: string) => {
    const found: unknown[] = [];
    let cursor: unknown = '';
    while (cursor !== null && found.length < 9) {
      const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
      const { body } = await ada.call(
        'GET',
        `/api/posts/?fields=title,status&order_by=${order}&limit=2${after}`,
      );
      const { items, next_cursor: next } = Object(body);
      for (const { title } of items) found.push(title);
      cursor = next ?? null;
    }
    return found;
  };
  expect(await inPages('status')).toEqual(['Two', 'One', 'Five', 'Three', 'Four']);
  expect(await inPages('-status')).toEqual(['Four', 'Three', 'Five', 'One', 'Two']);
  expect(await inPages('before,-title')).toEqual(['Three', 'Four', 'Five', 'Two', 'One']);
  for (const [filter, found] of [
    ['status=ARCHIVED', ['Three', 'Four']],
    ['status__ne=ARCHIVED', ['One', 'Two', 'Five']],
    ['status__in=DRAFT,ARCHIVED', ['Two', 'Three', 'Four']],
    ['status__nin=DRAFT,ARCHIVED', ['One', 'Five']],
    ['before__isnull=true', ['One', 'Two']],
  ] as const)
    expect(await titles(filter)).toEqual(found);
  expect(await titles('', clientOf(server.url))).toEqual(['One', 'Five']);

  for (const [path, status] of [
    ['/api/posts/3000000000', 404],
    ['/api/posts/?id=3000000000', 422],
    ['/api/posts/?id__in=1,3000000000', 422],
    ['/api/posts/2147483647', 404],
    ['/api/posts/?id__lt=2147483647&fields=title', 200],
  ] as const)
    expect(await ada.call('GET', path), path).toMatchObject({ status });

  const made = await ada.call('POST', '/api/posts/', { title: 'Six', before: 'PUBLISHED' });
  expect(made).toMatchObject({ status: 201, body: { status: 'DRAFT', before: 'PUBLISHED' } });
  const six = `/api/posts/${Object(made.body).id}`;
  expect(await ada.call('PATCH', six, { status: 'LOST' })).toMatchObject({ status: 422 });
  const change = { status: 'PUBLISHED', before: null };
  expect(await ada.call('PATCH', six, change)).toMatchObject({ status: 200, body: change });
  await server.stop();

  const changed = async (from: string, to: string, ...accepted: readonly string[]) => {
    await project.edit('schema.yaml', [from, to]);
    expect(await project.scaffold('regenerate', ...accepted)).toMatchObject({ code: 0 });
    await must('npm', ['run', '--silent', 'db:migrate'], place);
    return postsOf(project, database, 'title,status&order_by=status');
  };
  const drafts = [['Two', 'DRAFT']] as const;
  const published = [
    ['One', 'PUBLISHED'],
    ['Five', 'PUBLISHED'],
    ['Six', 'PUBLISHED'],
  ] as const;
  expect(
    await changed(
      '[DRAFT, PUBLISHED, ARCHIVED]',
      '[DRAFT, SENT, PUBLISHED, { value: SHELVED, was: ARCHIVED }]',
    ),
  ).toMatchObject(listed([...drafts, ...published, ['Three', 'SHELVED'], ['Four', 'SHELVED']]));
  await client.query(`update "Post" set "status" = 'SENT' where "status" = 'SHELVED'`);
  const agreed = ['--accept', 'SCF415:Status.SHELVED', '--accept', 'SCF431:Post'];
  expect(await changed(', { value: SHELVED, was: ARCHIVED }', '', ...agreed)).toMatchObject(
    listed([...drafts, ['Three', 'SENT'], ['Four', 'SENT'], ...published]),
  );
});

const listed = (posts: readonly (readonly [title: string, status: string])[]) => ({
  items: posts.map(([title, status]) => ({ title, status })),
});

interface OtherProgram {
  readonly url: string;
  /** Writes a post as that program does, before and after. */
  write(title: string): Promise<void>;
}

async function otherProgram(engine: Engine): Promise<OtherProgram> {
  const columns = '"title", "status", "authorId", "createdAt", "updatedAt"';
  if (engine === 'sqlite') {
    const path = join(await scratchFolder('other-program'), 'app.db');
    const file = new DatabaseSync(path, { timeout: 60_000 });
    onTestFinished(() => void file.close());
    file.exec(prismaDatabase.sqlite);
    const insert = `insert into "Post" (${columns}) values (?, 'DRAFT', 'ckp2', ?, ?)`;
    const write = async (title: string) => {
      const now = new Date().toISOString();
      file.prepare(insert).run(title, now, now);
    };
    return { url: `file:${path}`, write };
  }
  const url = await englishDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(prismaDatabase.postgres);
  const insert = `insert into "Post" (${columns}) values ($1, cast('DRAFT'::text as "Status"), 'ckp2', $2, $2)`;
  const write = async (title: string) => void (await client.query(insert, [title, new Date()]));
  return { url, write };
}

/** A database whose texts are in the order of a dictionary. */
async function englishDatabase(): Promise<string> {
  const url = await freshDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  const name = `${new URL(url).pathname.slice(1)}_english`;
  await client.query(`
    create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en'`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** A project made from the schema that an import writes. */
async function projectOf(url: string, change = (schema: string) => schema): Promise<OwnedProject> {
  const cwd = await scratchFolder('coming-over');
  expect(await commandLine(['import', 'db', url], { cwd })).toMatchObject({ code: 0 });
  const file = join(cwd, 'schema.yaml');
  await writeFile(file, change(await readFile(file, 'utf8')));
  return ownedProject('--schema', file);
}

const at = ({ folder }: OwnedProject, url: string) => ({
  cwd: folder,
  env: { DATABASE_URL: url, AUTH_SECRET_KEY: testSecret },
});

/** The first posts, as read by Ada, who signs in with the password that she had before. */
async function postsOf(project: OwnedProject, url: string, fields: string): Promise<unknown> {
  await project.npm('build', '--', '--noCheck');
  const server = await startServer(at(project, url));
  try {
    const ada = clientOf(server.url);
    await ada.login('ada@example.com', 'correct horse battery');
    const { body } = await ada.call('GET', `/api/posts/?limit=50&fields=${fields}`);
    return body;
  } finally {
    await server.stop();
  }
}

/** Writes until it is told to stop; returns what it has written, and throws if that failed. */
function keepWriting(write: (title: string) => Promise<void>) {
  const over = new AbortController();
  const work = async (): Promise<readonly string[]> => {
    const written: string[] = [];
    while (!over.signal.aborted) {
      const title = `Written ${written.length}`;
      await write(title);
      written.push(title);
      await sleep(50);
    }
    return written;
  };
  const underWay = work();
  underWay.catch(() => undefined);
  return {
    stop(): Promise<readonly string[]> {
      over.abort();
      return underWay;
    },
  };
}
