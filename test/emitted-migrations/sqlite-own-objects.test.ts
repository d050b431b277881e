import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { emittedRunner } from './support/emitted-runner.ts';
import { evolved, type History, historyOf, writeHistory } from './support/history.ts';
import { scratchFolder } from '../support/scratch.ts';
import { valuesOf } from '../support/sqlite-values.ts';

const schema = (fields: string, id = 'int') => `models:
  Item: { id: ${id}, timestamps: false, fields: { ${fields} } }
`;
const first = historyOf('sqlite', [schema('title: "string(..200)", qty: int?')]);
const narrowed = evolved(first, schema('title: "string(..150)", qty: int?'));
const id = narrowed.migrations.at(-1)?.id ?? '';

let database: DatabaseSync;

afterEach(() => void database.close());

async function openItems(own: string, history = first) {
  const runner = await emittedRunner('sqlite');
  const place = await scratchFolder('own-objects');
  const folder = join(place, 'migrations');
  const url = `file:${join(place, 'app.db')}`;
  await writeHistory(folder, history);
  await runner.migrate(url, { folder });
  database = new DatabaseSync(join(place, 'app.db'));
  database.exec(own);
  const lines: string[] = [];
  return {
    place,
    lines,
    put: (next: History) => writeHistory(folder, next),
    up: () => runner.migrate(url, { folder, report: (line: string) => void lines.push(line) }),
    edit(change: (sql: string) => string) {
      const file = join(folder, id, 'up.sql');
      writeFileSync(file, change(readFileSync(file, 'utf8')));
    },
  };
}

function find(word: string): readonly unknown[] {
  return rows(`SELECT title FROM search WHERE search MATCH '${word}'`);
}

function rows(sql: string): readonly unknown[] {
  return valuesOf(database, sql);
}

/** The table with one more rule. */
function remade(rule: string): string {
  return `ALTER TABLE items RENAME TO former;
    CREATE TABLE items (id integer PRIMARY KEY AUTOINCREMENT, title text NOT NULL, qty integer,
      CONSTRAINT items_title_check CHECK (length(title) <= 200),
      CONSTRAINT items_qty_check CHECK (qty BETWEEN -2147483648 AND 2147483647),
      ${rule}) STRICT;
    INSERT INTO items SELECT * FROM former; DROP TABLE former;`;
}

test.each([
  ['a column that is dropped', schema('title: "string(..200)"')],
  ['a column of texts that is dropped', schema('qty: int?')],
])('a view that reads %s is named', async (_, text) => {
  const { put, up } = await openItems('CREATE VIEW mine AS SELECT title, qty FROM items');
  await put(evolved(first, text));
  await expect(up()).rejects.toThrow(/view mine/);
  expect(rows('SELECT count(*) FROM items')).toEqual([[0]]);
});

test('a view that reads a column which SQLite drops by itself is named', async () => {
  const start = historyOf('sqlite', [schema('title: text, note: text?')]);
  const { put, up } = await openItems('CREATE VIEW mine AS SELECT title, note FROM items', start);
  await put(evolved(start, schema('title: text')));
  await expect(up()).rejects.toThrow(/view mine/);
});

const some = `INSERT INTO items (title, qty) VALUES ('a', 1), ('b', 2);`;

describe('what an owner has added to a table stops a migration that would rebuild the table without it', () => {
  test.each([
    [
      'a generated column',
      'ALTER TABLE items ADD COLUMN twice int AS (qty * 2)',
      'the column twice of items',
    ],
    ['a plain column', 'ALTER TABLE items ADD COLUMN mine text', 'the column mine of items'],
    [
      'a unique constraint',
      remade('UNIQUE (title, qty)'),
      'the constraint unique (title, qty) of items',
    ],
    [
      'a check',
      remade('CONSTRAINT mine CHECK (qty > 0)'),
      'the constraint check (qty > 0) of items',
    ],
  ])('%s', async (_, own, message) => {
    const items = await openItems(`${some} ${own}`);
    const before = rows('SELECT * FROM sqlite_schema');
    await items.put(narrowed);
    await expect(items.up()).rejects.toThrow(message);
    expect(rows('SELECT * FROM sqlite_schema')).toEqual(before);
    expect(rows('SELECT title, qty FROM items')).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  test('but not one that says what happens to it', async () => {
    const items = await openItems(
      `${some} ALTER TABLE items ADD COLUMN mine text; UPDATE items SET mine = title;`,
    );
    await items.put(narrowed);
    items.edit((sql) =>
      sql
        .replace('  qty integer,', '  qty integer,\n  mine text,')
        .replace('(id, title, qty)', '(id, title, qty, mine)')
        .replace('SELECT id, title, qty', 'SELECT id, title, qty, mine'),
    );
    await items.up();
    expect(rows('SELECT title, mine FROM items')).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });
});

test.each([
  ['stay uuids', 'uuid', schema('title: "string(..150)", qty: int?', 'uuid')],
  ['become numbers', 'uuid', schema('title: "string(..200)", qty: int?', 'int')],
  ['become uuids', 'int', schema('title: "string(..200)", qty: int?', 'uuid')],
])(
  'a search index of the owner still finds the rows whose ids %s',
  async (_case, before, after) => {
    const start = historyOf('sqlite', [schema('title: "string(..200)", qty: int?', before)]);
    const given = before === 'uuid' ? 'id, ' : '';
    const values = Array.from({ length: 9 }, (_, at) => {
      const uuid = `'${String(9 - at).repeat(8)}-0000-4000-8000-000000000000', `;
      return `(${before === 'uuid' ? uuid : ''}'word${at}')`;
    });
    const items = await openItems(
      `INSERT INTO items (${given}title) VALUES ${values.join(', ')};
    DELETE FROM items WHERE title IN ('word0', 'word4');
    CREATE VIRTUAL TABLE search USING fts5(title, content='items');
    INSERT INTO search(search) VALUES ('rebuild');`,
      start,
    );
    expect(find('word3')).toEqual([['word3']]);
    await items.put(evolved(start, after));
    await items.up();
    expect([find('word1'), find('word3'), find('word8')]).toEqual([
      [['word1']],
      [['word3']],
      [['word8']],
    ]);
  },
);

describe('copies of the database', () => {
  const bounds = [199, 198, 197, 196, 195, 194, 193];
  const many = bounds.reduce(
    (history, bound) => evolved(history, schema(`title: "string(..${bound})", qty: int?`)),
    first,
  );

  test('are kept, those from this run and all others', async () => {
    const items = await openItems(some);
    const folder = join(items.place, 'backups');
    mkdirSync(folder);
    writeFileSync(join(folder, 'app.db-2020-golden.sqlite'), 'made by hand');
    writeFileSync(join(folder, 'app.db-mine.part'), 'made by hand');
    await items.put(many);
    await items.up();
    const names = readdirSync(folder);
    expect(names).toHaveLength(2 + bounds.length);
    const [oldest = ''] = names.filter((name) => name.includes('0002_'));
    const copy = new DatabaseSync(join(folder, oldest), { readOnly: true });
    expect(valuesOf(copy, 'SELECT title FROM items')).toEqual([['a'], ['b']]);
    copy.close();
    expect(items.lines.at(-1)).toMatch(
      /backups holds 7 copies, \d+ MB: they are yours to delete\.$/,
    );
  });
});
