import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { freshDatabase } from '../support/postgres.ts';
import { must } from '../support/run.ts';
import { oneChecker } from '../support/type-check.ts';
import { fillSource, hostile, moment, uuid } from './fill-source.ts';
import { formerTables, movedProject, type MovedProject } from './moved-project.ts';

let project: MovedProject;
let source: DatabaseSync;
let from: string;
let to: string;
let target: Client;

beforeAll(async () => {
  project = await movedProject('every-type');
});

beforeEach(async () => {
  from = `file:${join(project.folder, `${crypto.randomUUID()}.db`)}`;
  source = new DatabaseSync(from.slice('file:'.length));
  source.exec('pragma foreign_keys = OFF');
  source.exec(formerTables('every-type'));
  to = await freshDatabase();
  await project.migrate(to);
  target = new Client({ connectionString: to });
  await target.connect();
  await target.query(`set timezone = 'Asia/Tokyo'`);
});

afterEach(async () => {
  source.close();
  await target.end();
});

test('every value of every type is copied', async () => {
  fillSource(source);
  const { tables, left } = await project.copyDatabase(from, to);
  expect(left).toEqual([]);
  expect(tables.flatMap((it) => (it.rows > 0 ? [[it.name, it.rows]] : []))).toEqual([
    ['auth_sessions', 1],
    ['halls', 1],
    ['museum_exhibits', 4],
    ['museum_exhibits_related', 2],
    ['people', 3],
  ]);
  expect(await select(`select reltuples from pg_class where relname = 'museum_exhibits'`)).toEqual([
    { reltuples: 4 },
  ]);
  expect(
    await select('select id, name, mentor_id, birthday::text from people order by id'),
  ).toEqual([
    { id: '1', name: hostile.text, mentor_id: '2', birthday: '0001-01-01' },
    { id: '2', name: 'Ann', mentor_id: '1', birthday: '9999-12-31' },
    { id: '3', name: '\u{1F600}'.repeat(200), mentor_id: '3', birthday: '2024-02-29' },
  ]);
  expect(
    await select(`select catalogue_number::text, value::text, share::text, factor, weight, on_display, fragile,
      opens_at::text, extract(epoch from arrived_at)::text as arrived_at, loan, notes, photo, "limit", story
      from museum_exhibits where id = '${uuid(1)}'`),
  ).toEqual([
    {
      catalogue_number: '9223372036854775807',
      value: '-9999999999.99',
      share: '0.0001',
      factor: 5e-324,
      weight: 1.7976931348623157e308,
      on_display: true,
      fragile: false,
      opens_at: '23:59:59.999',
      arrived_at: '1767323045.678000',
      loan: uuid(7),
      notes: JSON.parse(JSON.stringify(hostile.json)),
      photo: hostile.bytes,
      limit: 0,
      story: '',
    },
  ]);
  const empty = await select(`select value, fragile, notes, photo, loan, restored_at, label
    from museum_exhibits where id = '${uuid(2)}'`);
  expect(Object.values(empty[0] ?? {})).toEqual([null, null, null, null, null, null, null]);
});

test('numbers are copied to the last digit, and JSON whatever the order of its keys', async () => {
  fillSource(source);
  const insert = source.prepare(
    `INSERT INTO visits (counted_at, people, created_at, updated_at) VALUES ('${moment}', ?, '${moment}', '${moment}')`,
  );
  source.exec('begin');
  for (let count = 1; count <= 25_000; count += 1) insert.run(count);
  source.exec('commit');
  const update = source.prepare('UPDATE museum_exhibits SET weight = ?, notes = ? WHERE id = ?');
  update.run(0.1 + 0.2, '{"z":1,"a":{"y":12345678901234567890,"b":1.10}}', uuid(2));
  await project.copyDatabase(from, to);
  const [row] = await select(
    `select weight, notes::text from museum_exhibits where id = '${uuid(2)}'`,
  );
  expect(row).toEqual({
    weight: 0.30000000000000004,
    notes: '{"a": {"b": 1.10, "y": 12345678901234567890}, "z": 1}',
  });
  expect(
    await select('select count(*)::int as count, sum(people)::text as sum from visits'),
  ).toEqual([{ count: 25_000, sum: '312512500' }]);
});

test('ids of rows that are gone are not given out again', async () => {
  fillSource(source);
  source.exec(`DELETE FROM people WHERE id = 3`);
  source.exec(`DELETE FROM halls`);
  source.exec(`UPDATE museum_exhibits SET hall_id = NULL`);
  await project.copyDatabase(from, to);
  expect(
    await insertNew(
      'people',
      'name, email, password, birthday, badge',
      `'Bo', 'd@x', 'x', '2000-01-01', 'AB-1'`,
    ),
  ).toEqual([{ id: '4' }]);
  expect(await insertNew('halls', 'title', `'East'`)).toEqual([{ id: '2' }]);
  expect(await insertNew('shows', 'title, starts_at', `'Gold', now()`)).toEqual([{ id: '1' }]);
});

test('keys keep their values and are checked', async () => {
  fillSource(source);
  const before = await foreignKeys();
  await project.copyDatabase(from, to);
  expect(await foreignKeys()).toEqual(before);
  await expect(target.query('update people set mentor_id = 99')).rejects.toThrow(/foreign key/);
});

test('a second copy is refused and changes nothing', async () => {
  fillSource(source);
  await project.copyDatabase(from, to);
  await expect(project.copyDatabase(from, to)).rejects.toThrow(
    'The table auth_sessions of the new database has rows already. Nothing was copied',
  );
});

test.each([
  [
    'a key that leads nowhere',
    'UPDATE people SET mentor_id = 77 WHERE id = 1',
    /^A key leads nowhere: .*people_mentor_id_fkey"\. Key \(mentor_id\)=\(77\) is not present in table "people"\. Nothing was copied\.$/,
  ],
  [
    'a text that PostgreSQL cannot hold, with its row',
    `UPDATE people SET name = 'a' || char(0) || 'b' WHERE id = 2`,
    /^PostgreSQL does not take the row of people with id 2: a text in it has the character U\+0000/,
  ],
  [
    'an invalid uuid',
    `UPDATE museum_exhibits SET loan = '${'-'.repeat(36)}'`,
    /^PostgreSQL does not take the row of museum_exhibits with id [-\w]+: invalid input syntax for type uuid/,
  ],
])('%s is reported, and nothing is copied', async (_, sql, message) => {
  fillSource(source);
  source.exec(sql);
  await expect(project.copyDatabase(from, to)).rejects.toThrow(message);
  expect(await select('select id from people')).toEqual([]);
});

test.each([
  ['changes a value', 'new.pieces := new.pieces + 1; return new;'],
  ['changes the last digit', 'new.factor := new.factor + 1e-16; return new;'],
  ['swallows a row', `if new.id = '${uuid(4)}' then return null; end if; return new;`],
])('a trigger that %s on the way is noticed', async (_, body) => {
  fillSource(source);
  await target.query(
    `create function spoil() returns trigger language plpgsql as $$ begin ${body} end $$;
    create trigger spoil before insert on museum_exhibits for each row execute function spoil()`,
  );
  await expect(project.copyDatabase(from, to)).rejects.toThrow(
    /^The rows of museum_exhibits are not the same on both sides: 4 rows, \w+, became [34] rows/,
  );
  expect(await select('select id from people')).toEqual([]);
});

test('what the new database has no place for is reported', async () => {
  source.exec(
    'CREATE TABLE notes_of_mine (note text); ALTER TABLE people ADD COLUMN shoe_size text',
  );
  expect((await project.copyDatabase(from, to)).left).toEqual([
    'the table notes_of_mine',
    'the column people.shoe_size',
  ]);
});

test('a file that does not exist is not created', async () => {
  await expect(project.copyDatabase('file:./nowhere.db', to)).rejects.toThrow(
    'There is no file ./nowhere.db',
  );
});

test('a file that is not a database is named', async () => {
  const file = join(project.folder, 'package.json');
  await expect(project.copyDatabase(`file:${file}`, to)).rejects.toThrow(
    `Nothing was copied. ${file} cannot be read: file is not a database`,
  );
});

test('its code type-checks', async () => {
  const config = join(project.folder, 'tsconfig.copy.json');
  await writeFile(
    config,
    JSON.stringify({
      extends: './tsconfig.json',
      include: [],
      files: ['src/database/copy/copy-database.ts'],
    }),
  );
  await must('node_modules/.bin/tsc', ['--noEmit', '-p', config, ...oneChecker], {
    cwd: project.folder,
  });
});

async function select(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await target.query(sql)).rows;
}

function insertNew(table: string, columns: string, values: string) {
  return select(
    `insert into ${table} (${columns}, created_at, updated_at) values (${values}, now(), now()) returning id`,
  );
}

function foreignKeys() {
  return select(
    `select conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'f' order by conname`,
  );
}
