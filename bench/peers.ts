import { deepEqual } from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { install } from '../test/support/install.ts';
import { nodeVersion } from '../test/support/node-version.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { type Server, startServer } from '../test/support/server.ts';
import { compare, type Comparison } from './compare.ts';
import { report, sayFigures } from './report.ts';
import { openRows } from './rows.ts';
import { type AtEnd, stopping } from './stopping.ts';
import { startSubject } from './subject.ts';
import { addViewers } from './viewers.ts';

const rows = 100_000;
const below = (bound: number) => Math.floor(Math.random() * bound);

/** What one of them is asked for, in its own words. */
interface Words {
  readonly list: string;
  readonly page: (offset: number) => string;
  readonly filtered: (views: number) => string;
  readonly row: (id: number) => string;
}

const ours: Words = {
  list: '/api/articles/',
  page: (offset) => `/api/articles/?offset=${offset}`,
  filtered: (views) => `/api/articles/?views=${views}&order_by=title`,
  row: (id) => `/api/articles/${id}`,
};

const plain: Words = {
  list: '/articles',
  page: (offset) => `/articles?offset=${offset}`,
  filtered: (views) => `/articles?views=${views}&order=title`,
  row: (id) => `/articles/${id}`,
};

interface Peer {
  readonly words: Words;
  /** How many times its requests our list answers. */
  readonly bar: number;
}

/** Each is a file in `peers/src`, and written as its own documentation shows it. */
const all: Readonly<Record<string, Peer>> = {
  nest: { words: plain, bar: 10 },
  feathers: {
    words: {
      ...plain,
      // Unless it is asked to, it does not order.
      list: '/articles?$sort[id]=1',
      page: (offset) => `/articles?$skip=${offset}&$sort[id]=1`,
      filtered: (views) => `/articles?views=${views}&$sort[title]=1`,
    },
    bar: 10,
  },
  loopback: {
    words: {
      ...plain,
      page: (offset) => `/articles?filter[offset]=${offset}`,
      filtered: (views) => `/articles?filter[where][views]=${views}&filter[order]=title`,
    },
    bar: 10,
  },
  drizzle: { words: plain, bar: 2 },
};

/** All of them take eight minutes. */
const names = process.env['PEERS']?.split(',') ?? Object.keys(all);

interface Read {
  readonly name: string;
  /** Of the offset, the value or the id, which is drawn for each request. */
  readonly bound: number;
  readonly path: (words: Words, drawn: number) => string;
  readonly hasBar?: true;
}

const reads: readonly Read[] = [
  { name: `list of 50 from ${rows} rows`, bound: 1, path: ({ list }) => list, hasBar: true },
  { name: 'its pages, up to offset 5,000', bound: 5000, path: ({ page }, offset) => page(offset) },
  {
    name: 'with a filter and an order',
    bound: 1000,
    path: ({ filtered }, views) => filtered(views),
  },
  { name: 'one row by its id', bound: rows, path: ({ row }, drawn) => row(1 + drawn) },
];

const article = () => JSON.stringify({ title: `Article ${below(1e9)}`, body: 'Some words.' });

interface Two {
  readonly server: Server;
  readonly theirs: Server & Peer;
}

/** The same resource by others, on PostgreSQL with the same rows: each in turn with ours. */
export async function peers(): Promise<void> {
  await stopping(comparePeers);
}

async function comparePeers(atEnd: AtEnd): Promise<void> {
  const node = await nodeVersion(24);
  const subject = await startSubject(atEnd, { rows, engine: 'postgres', program: [node] });
  const tables = openRows(atEnd, 'postgres', subject.database);
  await tables.run(peerArticles);
  const [token = ''] = await addViewers(tables, 1);
  await tables.run(`update users set role = 'admin'`);
  const cwd = await builtPeers();
  for (const name of names) {
    const peer = all[name];
    if (peer === undefined)
      throw new Error(`No peer ${name}: there are ${Object.keys(all).join(', ')}.`);
    process.stdout.write(`${name}\n`);
    await tables.run('vacuum analyze');
    await stopping(async (atItsEnd) => {
      const env = { DATABASE_URL: subject.database };
      const command = [node, `dist/${name}.js`] as const;
      const server = await startServer({ cwd, env, command, ready: '/articles/1' });
      atItsEnd(server.stop);
      const two = { server: subject.server, theirs: { ...server, ...peer } };
      for (const read of reads) await compareReads(two, read);
      await compareCreates(two, token);
    });
    // The next one has as many rows as this one had.
    for (const table of ['articles', 'peer_articles'])
      await tables.run(`delete from ${table} where id > ${rows}`);
  }
}

/** Of their own, without what keeps our totals. */
const peerArticles = `create table peer_articles (like articles including all);
  alter table peer_articles alter created_at set default now(), alter updated_at set default now();
  insert into peer_articles overriding system value select * from articles;
  select setval(pg_get_serial_sequence(name, 'id'), ${rows})
    from unnest(array['articles', 'peer_articles']) as name`;

async function builtPeers(): Promise<string> {
  const folder = await scratchFolder('peers');
  await cp(join(root, 'bench/peers'), folder, { recursive: true });
  await install(folder);
  await must('npx', ['tsc'], { cwd: folder });
  return folder;
}

/** Once for the same answer, then for how many of them. */
async function compareReads({ server, theirs }: Two, read: Read): Promise<void> {
  const { name, bound, path, hasBar } = read;
  const same = below(bound);
  deepEqual(
    await rowsOf(`${theirs.url}${path(theirs.words, same)}`),
    await rowsOf(`${server.url}${path(ours, same)}`),
  );
  const found = await compare({
    ours: { ...server, path: () => path(ours, below(bound)) },
    ceiling: { ...theirs, path: () => path(theirs.words, below(bound)) },
    ...rounds,
  });
  sayTimes(name, found, hasBar && theirs.bar);
}

/** Ours also looks up who creates, and keeps the total. */
async function compareCreates({ server, theirs }: Two, token: string): Promise<void> {
  const found = await compare({
    ours: { ...server, path: () => ours.list, token: () => token, body: article },
    ceiling: { ...theirs, path: () => '/articles', body: article },
    ...rounds,
  });
  sayTimes('create', found);
}

const rounds = { rounds: 5, seconds: 1.5 } as const;

function sayTimes(name: string, found: Comparison, bar?: number): void {
  const times = found.ours.perSecond / found.ceiling.perSecond;
  const text = `${times.toFixed(2)} × theirs`;
  report({ name, found: text, ...(bar && { bar: `≥ ${bar}`, ok: times >= bar }) });
  sayFigures(found);
}

interface Row {
  readonly id: number | string;
  readonly title: string;
  readonly body: string;
  readonly views: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Answer extends Row {
  readonly items?: readonly Row[];
  /** The same in Feathers. */
  readonly data?: readonly Row[];
  readonly total?: number;
}

/** What an answer says, however it writes moments and an id of 64 bits. */
async function rowsOf(url: string) {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}:\n${text}`);
  const answer: Answer = JSON.parse(text);
  const { items = answer.data ?? [answer], total } = answer;
  const said = items.map(({ id, title, body, views, created_at, updated_at }) => ({
    id: Number(id),
    title,
    body,
    views,
    times: [created_at, updated_at].map((moment) => Date.parse(moment)),
  }));
  return { items: said, total };
}
