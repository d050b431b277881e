import { afterEach, describe, expect, test } from 'vitest';
import { say } from '../support/say.ts';
import { isDeep } from '../support/trials.ts';
import { openProject, type Project } from './postgres/project.ts';
import { watchLocks } from './postgres/watch-locks.ts';
import { evolved, type History, historyOf } from './support/history.ts';

const rows = 1_000_000;
const longestHold = 250;

const enums = 'enums: { State: [draft, live] }';
const shelf = 'Shelf: { fields: { name: string } }';
const fields = `title: "string(3..120)", note: text?, stars: int?, pages: int, price: "decimal(6,2)?", state: State`;
const book = (text: string, rest = '') => `Book: { fields: { ${text} }${rest} }`;
const schema = (model: string, values = enums) => `${values}\nmodels:\n  ${shelf}\n  ${model}\n`;
const first = historyOf('postgres', [schema(book(fields))]);

/** Changes without a hazard that warns of a long lock. */
const unflagged: Readonly<Record<string, string>> = {
  'a new name': schema(
    book(fields.replace('title: "string(3..120)"', 'name: { type: "string(3..120)", was: title }')),
  ),
  'a field with a default': schema(book(`${fields}, copies: int = 1`)),
  'a field with a value of its own in each row': schema(book(`${fields}, code: uuid = uuid`)),
  'a field that is required now': schema(
    book(fields.replace('int?', '{ type: int, backfill: 0 }')),
  ),
  'more room': schema(book(fields.replace('..120', '..200').replace('6,2', '9,2'))),
  'other bounds': schema(
    book(fields.replace('3..120', '1..120').replace('pages: int', 'pages: "int(1..)"')),
  ),
  'a value with a new name': schema(
    book(fields),
    'enums: { State: [{ value: new, was: draft }, live] }',
  ),
  'an index': schema(book(fields.replace('pages: int', 'pages: { type: int, index: true }'))),
  'a unique index': schema(
    book(fields.replace('pages: int', 'pages: { type: int, unique: true }')),
  ),
  'a key to another table': schema(
    book(fields, ', relations: { shelf: { to: Shelf, optional: true } }'),
  ),
  'a field dropped': schema(book(fields.replace('note: text?, ', ''))),
};

let project: Project;

afterEach(() => project.close());

async function openMillion(): Promise<void> {
  project = await openProject(first);
  await project.up();
  await project.client
    .query(`INSERT INTO books (title, note, stars, pages, price, state, created_at, updated_at)
    SELECT 'Book ' || n, repeat('x', 60), nullif(n % 2, 0), n, 9.99, 'draft', now(), now()
    FROM generate_series(1, ${rows}) AS n`);
}

function updateOne(): string {
  return `UPDATE books SET pages = pages WHERE id = ${Math.ceil(Math.random() * rows)}`;
}

async function measure(history: History) {
  await project.put(history);
  const watch = await watchLocks(project.url, {
    table: 'books',
    other: 'shelves',
    write: updateOne,
  });
  const start = performance.now();
  await project.up(60_000);
  const seconds = (performance.now() - start) / 1000;
  return { ...(await watch.end()), seconds: seconds.toFixed(1) };
}

describe.runIf(isDeep)('a table of a million rows', () => {
  test.each(Object.entries(unflagged))('is never held for long: %s', async (what, after) => {
    await openMillion();
    const history = evolved(first, after);
    const { hazards } = JSON.parse(history.migrations.at(-1)?.files['meta.json'] ?? '');
    expect(hazards).not.toContainEqual(expect.objectContaining({ kind: 'locks' }));
    const figures = await measure(history);
    say(`${what}: ${JSON.stringify(figures)}`);
    expect(figures.held).toBeLessThan(longestHold);
    expect(figures.waited).toBeLessThan(longestHold + figures.noise);
    expect(figures.failures).toEqual([]);
    expect(figures.blocked).toBeLessThan(longestHold + figures.noise);
  });

  test('is held while it is rewritten, and that is announced before', async () => {
    await openMillion();
    const history = evolved(first, schema(book(fields.replace('pages: int', 'pages: bigint'))));
    const { hazards } = JSON.parse(history.migrations.at(-1)?.files['meta.json'] ?? '');
    expect(hazards).toContainEqual(expect.objectContaining({ kind: 'locks' }));
    const figures = await measure(history);
    say(`rewritten: ${JSON.stringify(figures)}`);
    expect(figures.held).toBeGreaterThan(longestHold);
  });
});
