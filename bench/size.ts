import { engines, type Engine } from '../src/types/field-type.ts';
import { compare } from './compare.ts';
import { report } from './report.ts';
import { type AtEnd, stopping } from './stopping.ts';
import { makeProject, type Subject } from './subject.ts';

/** Ten million take ten minutes more, and some 3 GB of disk. */
const sizes = (process.env['SIZES'] ?? '10000,100000,1000000').split(',').map(Number);
const bar = 1.5;

interface Case {
  readonly name: string;
  /** What is asked of a table of so many rows. */
  readonly path: (rows: number, server: Subject['server']) => Promise<() => string>;
}

const below = (bound: number) => Math.floor(Math.random() * bound);

const cases: readonly Case[] = [
  { name: 'default list', path: async () => () => '/api/articles/' },
  {
    name: 'a filter on an indexed field',
    path: async (rows) => () => `/api/articles/?title=${title(1 + below(rows))}`,
  },
  { name: 'a cursor at any depth', path: cursors },
];

const title = (id: number) => encodeURIComponent(`Article number ${id}`);

/** Of pages all over the table, found one after another: deep ones take their time. */
async function cursors(rows: number, { url }: Subject['server']): Promise<() => string> {
  const found: string[] = [];
  while (found.length < 20) {
    const answer = await fetch(`${url}/api/articles/?count=none&offset=${below(rows - 100)}`);
    const text = await answer.text();
    const [, cursor] = /"next_cursor":"([^"]+)"/.exec(text) ?? [];
    if (cursor === undefined) throw new Error(`Not a page:\n${text}`);
    found.push(cursor);
  }
  return () => `/api/articles/?cursor=${found[below(found.length)]}`;
}

/** One server over tables that grow, each beside the smallest one in turn: how much longer a request takes. */
export async function size(): Promise<void> {
  for (const engine of engines) {
    process.stdout.write(`${engine}\n`);
    await stopping((atEnd) => sizeOn(atEnd, engine));
  }
}

async function sizeOn(atEnd: AtEnd, engine: Engine): Promise<void> {
  const start = await makeProject(atEnd, { engine });
  const [smallest = 0, ...larger] = sizes;
  const small = await start(atEnd, smallest);
  for (const rows of larger) {
    await stopping(async (atItsEnd) => {
      const large = await start(atItsEnd, rows);
      for (const { name, path } of cases) {
        const found = await compare({
          ours: { ...large.server, path: await path(rows, large.server) },
          ceiling: { ...small.server, path: await path(smallest, small.server) },
          connections: 8,
        });
        const ratio = found.ceiling.perSecond / found.ours.perSecond;
        const text = `${ratio.toFixed(2)} × the time with ${smallest}`;
        report({ name: `${name}, ${rows} rows`, found: text, bar: `≤ ${bar}`, ok: ratio <= bar });
      }
    });
  }
}
