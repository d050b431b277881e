import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { install } from '../test/support/install.ts';
import { nodeVersion } from '../test/support/node-version.ts';
import { root } from '../test/support/root.ts';
import { must } from '../test/support/run.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { type Server, startServer } from '../test/support/server.ts';
import { compare } from './compare.ts';
import { report } from './report.ts';
import { openRows } from './rows.ts';
import { type AtEnd, stopping } from './stopping.ts';
import { startSubject } from './subject.ts';
import { addViewers } from './viewers.ts';

const rows = 100_000;
const below = (bound: number) => Math.floor(Math.random() * bound);

/** What one of them is asked for, in its own words. */
interface Words {
  readonly page: (offset: number) => string;
  readonly filtered: (views: number) => string;
}

const plain: Words = {
  page: (offset) => `?offset=${offset}`,
  filtered: (views) => `?views=${views}&order=title`,
};

const ours: Words = { ...plain, filtered: (views) => `?views=${views}&order_by=title` };

/** Each is a file in `peers/src`, and written as its own documentation shows it. */
const peerWords: Readonly<Record<string, Words>> = {
  nest: plain,
  feathers: {
    page: (offset) => `?$skip=${offset}`,
    filtered: (views) => `?views=${views}&$sort[title]=1`,
  },
  loopback: {
    page: (offset) => `?filter[offset]=${offset}`,
    filtered: (views) => `?filter[where][views]=${views}&filter[order]=title`,
  },
  drizzle: plain,
};

/** All of them take eight minutes. */
const names = process.env['PEERS']?.split(',') ?? Object.keys(peerWords);

interface Case {
  readonly name: string;
  readonly path: (words: Words) => string;
  readonly isCreate?: true;
}

const cases: readonly Case[] = [
  { name: `list of 50 from ${rows} rows`, path: () => '' },
  { name: 'its pages, up to offset 5,000', path: ({ page }) => page(below(5000)) },
  { name: 'with a filter and an order', path: ({ filtered }) => filtered(below(1000)) },
  { name: 'one row by its id', path: () => `${1 + below(rows)}` },
  { name: 'create', path: () => '', isCreate: true },
];

const body = () => JSON.stringify({ title: `Article ${below(1e9)}`, body: 'Some words.' });

/** The same resource by others, on PostgreSQL with the same rows: each in turn with ours. */
export async function peers(): Promise<void> {
  await stopping(comparePeers);
}

async function comparePeers(atEnd: AtEnd): Promise<void> {
  const node = await nodeVersion(24);
  const subject = await startSubject(atEnd, { rows, engine: 'postgres', program: [node] });
  const tables = openRows(atEnd, 'postgres', subject.database);
  // Of their own, without what keeps our totals.
  await tables.run(`create table peer_articles (like articles including all);
    alter table peer_articles alter created_at set default now(), alter updated_at set default now();
    insert into peer_articles overriding system value select * from articles;
    select setval(pg_get_serial_sequence(name, 'id'), ${rows})
      from unnest(array['articles', 'peer_articles']) as name`);
  await tables.run('vacuum analyze peer_articles');
  const [token = ''] = await addViewers(tables, 1);
  await tables.run(`update users set role = 'admin'`);
  const folder = await builtPeers();
  for (const [name, words] of Object.entries(peerWords)) {
    if (!names.includes(name)) continue;
    process.stdout.write(`${name}\n`);
    await stopping(async (atItsEnd) => {
      const peer = await startServer({
        cwd: folder,
        env: { DATABASE_URL: subject.database },
        command: [node, `dist/${name}.js`],
        ready: '/articles/1',
      });
      atItsEnd(peer.stop);
      for (const one of cases) await compareWith({ ...peer, words }, subject.server, token, one);
    });
  }
}

async function builtPeers(): Promise<string> {
  const folder = await scratchFolder('peers');
  await cp(join(root, 'bench/peers'), folder, { recursive: true });
  await install(folder);
  await must('npx', ['tsc'], { cwd: folder });
  return folder;
}

async function compareWith(
  peer: Server & { readonly words: Words },
  server: Server,
  token: string,
  { name, path, isCreate }: Case,
): Promise<void> {
  const sent = isCreate && { body };
  const found = await compare({
    ours: {
      ...server,
      path: () => `/api/articles/${path(ours)}`,
      ...(isCreate && { token: () => token }),
      ...sent,
    },
    ceiling: {
      ...peer,
      path: () => `/articles${path(peer.words).replace(/^(?=\d)/, '/')}`,
      ...sent,
    },
    path: () => '/',
    rounds: 3,
    seconds: 3,
  });
  const times = found.ours.perSecond / found.ceiling.perSecond;
  const figures = ({ perSecond, cpu }: (typeof found)['ours']) =>
    `${Math.round(perSecond)} requests/s, ${Math.round(cpu)} µs`;
  report({
    name,
    found: `${times.toFixed(2)} × theirs`,
    bar: `${figures(found.ours)} of ${figures(found.ceiling)}`,
  });
}
