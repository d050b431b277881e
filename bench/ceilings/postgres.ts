import { Pool } from 'pg';
import { columns, serve } from './serve.ts';

/** The least that one thread of Node can do: one prepared statement, JSON built by PostgreSQL, nothing checked. */
const [connectionString = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 10 });
const list = columns.join(', ');

async function first<Row extends object>(name: string, text: string, values: readonly number[]) {
  const { rows } = await pool.query<Row>({ name, text, values: [...values] });
  return rows[0];
}

const pageOf = (where: string, order: string) =>
  `select (select count(*) from articles ${where})::int as total,
          (select json_agg(page)::text from (select ${list} from articles ${where} order by ${order} limit 50 offset $1) as page) as items`;
const all = pageOf('', 'id');
const filtered = pageOf('where views = $2', 'title, id');

serve({
  page: ({ views, offset }) =>
    views === undefined
      ? first('all', all, [offset])
      : first('filtered', filtered, [offset, views]),
  row: async (id) => {
    const text = `select row_to_json(row)::text as item from (select ${list} from articles where id = $1) as row`;
    const row = await first<{ item: string }>('one', text, [id]);
    return row?.item;
  },
});
