import { createServer } from 'node:http';
import { DatabaseSync } from '../../templates/sqlite/src/database/driver.ts';

/**
 * The least that a server in Node can do to answer the same requests: `node:http`, one prepared statement, JSON built
 * by SQLite, nothing checked.
 */
const [file = '', query = 'default'] = process.argv.slice(2);

const columns = ['id', 'title', 'body', 'views', 'created_at', 'updated_at'];
const json = `json_object(${columns.map((name) => `'${name}', ${name}`).join(', ')})`;

const lists: Readonly<Record<string, { readonly where: string; readonly order: string }>> = {
  default: { where: '', order: 'id' },
  filtered: { where: 'where views = 7', order: 'title, id' },
};
const { where, order } = lists[query] ?? { where: '', order: 'id' };

const database = new DatabaseSync(file, { readOnly: true });
const list = database.prepare<{ total: number; items: string }>(
  `select (select count(*) from articles ${where}) as total,
          (select json_group_array(${json}) from (select * from articles ${where} order by ${order} limit 50)) as items`,
);
const one = database.prepare<{ item: string }>(`select ${json} as item from articles where id = ?`);

createServer((request, response) => {
  const id = /^\/api\/articles\/(\d+)/.exec(request.url ?? '')?.[1];
  const body = id === undefined ? page() : String(one.get(Number(id))?.item);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(process.env['PORT']), '127.0.0.1');

function page(): string {
  const row = list.get();
  return `{"items":${row?.items},"total":${row?.total},"limit":50,"offset":0}`;
}

// Ends as a program that is done, so that `--cpu-prof` writes what it saw.
process.once('SIGTERM', () => process.exit(0));
