import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { columns, serve } from './serve.ts';

/** The least that one thread of Node can do: one prepared statement, JSON built by SQLite, nothing checked. */
const [file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true });
const json = `json_object(${columns.map((name) => `'${name}', ${name}`).join(', ')})`;

function pageOf(where: string, order: string) {
  return database.prepare<{ total: number; items: string }>(
    `select (select count(*) from articles ${where}) as total,
            (select json_group_array(${json}) from (select * from articles ${where} order by ${order} limit 50 offset :offset)) as items`,
  );
}
const all = pageOf('', 'id');
const filtered = pageOf('where views = :views', 'title, id');
const one = database.prepare<{ item: string }>(`select ${json} as item from articles where id = ?`);

serve({
  page: ({ views, offset }) =>
    views === undefined ? all.get({ offset }) : filtered.get({ views, offset }),
  row: (id) => one.get(id)?.item,
});
