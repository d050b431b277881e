import type { Client } from 'pg';
import { evolved, historyOf } from '../support/history.ts';

export const firstBooks = historyOf('postgres', [
  `models:
  Book: { fields: { title: "string(..120)", stars: int?, shelf: int = 1, pages: int } }
`,
]);

/** Every kind of step: a new name, a value for each row, a field that is required now, and two indexes. */
export const laterBooks = evolved(
  firstBooks,
  `models:
  Book:
    fields:
      name: { type: string, max: 200, was: title, index: true }
      stars: { type: int, backfill: 0 }
      shelf: int = 1
      pages: { type: int, unique: true }
      code: uuid = uuid
`,
);

/** Half of the books have no stars; no two have the same number of pages. */
export async function addBooks(client: Client, count: number): Promise<void> {
  await client.query(`INSERT INTO books (title, stars, pages, created_at, updated_at)
    SELECT 'Book ' || n, nullif(n % 2, 0) * 5, n, now(), now() FROM generate_series(1, ${count}) AS n`);
}

/** What the migration has to make of so many books: one row, with everything that can be counted. */
export async function countBooks(client: Client) {
  const { rows } = await client.query<Readonly<Record<string, number>>>(`
    SELECT count(*)::int AS books, count(name)::int AS named, count(DISTINCT code)::int AS codes,
      sum(stars)::int AS stars, count(*) FILTER (WHERE name = 'Book ' || pages)::int AS true
    FROM books`);
  return rows[0];
}

export function migratedBooks(count: number) {
  return { books: count, named: count, codes: count, stars: Math.ceil(count / 2) * 5, true: count };
}
