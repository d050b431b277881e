import { describe, expect, test } from 'vitest';
import { prismaDatabase } from '../import/databases.ts';
import { openLegacy } from './support/open-legacy.ts';

/** Objects that depend on a type and on a key that are replaced. */
const standing = `
  create type "State" as enum ('NEW', 'PAID');
  create table "Shelf" ("room" text not null, "number" integer not null, "state" "State" not null default 'NEW', "label" text, constraint "Shelf_pkey" primary key ("room", "number"),
    constraint "paid_has_label" check ("state" <> 'PAID' or "label" is not null), constraint "known_room" check ("state" in ('NEW', 'PAID')));
  create unique index "one_new" on "Shelf" ("room") where "state" = 'NEW';
  create index "by_state" on "Shelf" ("label") where "state" = any (array['NEW', 'PAID']::"State"[]);
  create index "by_case" on "Shelf" ((case "state" when 'NEW' then 1 else 2 end));
  create table "Place" ("id" serial primary key, "room" text, "number" integer,
    constraint "Place_shelf_fkey" foreign key ("room", "number") references "Shelf" ("room", "number") on delete cascade);
  insert into "Shelf" values ('hall', 1, 'NEW', null), ('hall', 2, 'PAID', 'x');
  insert into "Place" ("room", "number") values ('hall', 1);`;

/** The schema without the word that keeps the type. */
const asTexts = (schema: string) =>
  schema.replace(/,? ?enums: (?:type|\{[^}]*\})/, '').replace(/^storage: \{ *\}\n/m, '');

/** A key of two columns, one of which is called `id`. */
const cards = (more: string) => `
  create table "Card" ("id" text, "room" text, "deletedAt" timestamp, primary key ("id", "room"));
  create table "Copy" ("id" integer, "card" text, "room" text, foreign key ("card", "room") references "Card" ("id", "room"));
  insert into "Card" ("id", "room") values ('a', 'hall')${more}; insert into "Copy" values (1, 'a', 'hall');`;

const inTheWay = (...objects: readonly string[]) =>
  objects.map(
    (it) =>
      `The ${it} is in the way of a column that gets another type. Drop it, and create it again afterwards.`,
  );

describe('what depends on an enum type, or on a two-column key,', () => {
  test('is reported if it depends on a type, and stays if it is a foreign key', async () => {
    const legacy = await openLegacy('postgres', standing, asTexts);
    const { state, found } = await legacy.look();
    expect(state).toBe('refused');
    expect(found.obstacles.toSorted()).toEqual(
      inTheWay(
        'constraint Shelf.known_room',
        'constraint Shelf.paid_has_label',
        'index by_case',
        'index by_state',
        'index one_new',
      ),
    );
    await legacy.run(`alter table "Shelf" drop constraint "known_room", drop constraint "paid_has_label";
      drop index "by_case", "by_state", "one_new";`);
    await legacy.look();
    expect(await legacy.take()).toMatchObject({
      state: 'taken',
      found: { own: ['constraint Place.Place_shelf_fkey', 'type State'] },
    });
    await legacy.run(`insert into "Shelf" (room, number, state) values ('attic', 1, 'NEW')`);
    await expect(
      legacy.run(`insert into "Shelf" (room, number, state) values ('attic', 2, 'LOST')`),
    ).rejects.toThrow('check');
    await expect(
      legacy.run(`insert into "Place" (room, number) values ('attic', 9)`),
    ).rejects.toThrow('Place_shelf_fkey');
    await legacy.run(`delete from "Shelf" where room = 'hall' and number = 1`);
    expect(await legacy.rows('select * from "Place"')).toEqual([]);
  });

  test('may be a trigger or a check on a range of times', async () => {
    const legacy = await openLegacy(
      'postgres',
      `${standing}
      alter table "Shelf" add "start" timestamp(3) default '2026-01-01', add "finish" timestamp(3) default '2026-01-02',
        add "seen" timestamptz(3), add "sold" timestamptz(3), add "sent" timestamptz(3);
      alter table "Shelf" add constraint "some_time" check ("start" < "finish" and not isempty(tsrange("start", "finish")));
      create function note_it() returns trigger language plpgsql as $$ begin new.label := 'noted'; return new; end $$;
      create trigger noted before update of "state" on "Shelf" for each row when (new."state" = 'PAID') execute function note_it();
      create trigger stated before update of "label" on "Shelf" for each row execute function note_it();
      create trigger marked before update on "Shelf" for each row when (old.* is distinct from new.*) execute function note_it();`,
      asTexts,
    );
    const { found } = await legacy.look();
    expect(found.obstacles.filter((it) => /some_time|trigger/.test(it))).toEqual(
      inTheWay('constraint Shelf.some_time', 'trigger Shelf.noted'),
    );
    await legacy.run(`drop trigger noted on "Shelf"; alter table "Shelf" drop constraint "some_time", drop constraint "known_room", drop constraint "paid_has_label";
      drop index "by_case", "by_state", "one_new";`);
    await legacy.look();
    expect(await legacy.take()).toMatchObject({ state: 'taken' });
  });

  test('has an id in it, which becomes the whole key if it is unique', async () => {
    const legacy = await openLegacy('postgres', cards(''));
    await legacy.look();
    expect(await legacy.take()).toMatchObject({
      state: 'taken',
      found: { own: ['constraint Copy.Copy_card_room_fkey'] },
    });
    await expect(legacy.run(`insert into "Card" values ('a', 'attic')`)).rejects.toThrow('unique');
    await expect(legacy.run(`update "Copy" set room = 'attic'`)).rejects.toThrow('foreign key');

    for (const engine of ['postgres', 'sqlite'] as const) {
      const twice = await openLegacy(engine, cards(`, ('a', 'attic')`));
      const { found } = await twice.look();
      expect(found.obstacles).toEqual([expect.stringContaining('table Card have the same id')]);
    }
  });
});

test('enums stay database types until the schema changes that', async () => {
  const legacy = await openLegacy('postgres', standing);
  expect(legacy.schema).toMatch(/^storage: .*enums: type/m);
  const { found } = await legacy.look();
  expect(found.steps.map(({ title }) => title)).not.toContainEqual(
    expect.stringMatching(/type|state becomes/i),
  );
  expect(await legacy.take()).toMatchObject({
    state: 'taken',
    found: { own: expect.arrayContaining(['constraint Shelf.paid_has_label', 'index by_case']) },
  });
  const types = () =>
    legacy.rows(
      `select udt_name from information_schema.columns where table_name = 'Shelf' and column_name = 'state'`,
    );
  const drift = async () => (await legacy.drift()).filter(({ kind }) => kind !== 'extra');
  expect(await types()).toEqual([['State']]);
  expect(await drift()).toEqual([]);

  await legacy.evolve(legacy.schema.replace('[NEW, PAID]', '[NEW, SENT, PAID]'));
  await legacy.migrate();
  await legacy.run(`alter table "Shelf" drop constraint "known_room"`);
  await legacy.run(`insert into "Shelf" (room, number, state) values ('attic', 7, 'SENT')`);
  expect(await drift()).toEqual([]);
  await legacy.run(`alter type "State" add value 'LOST'`);
  expect(await drift()).toEqual([
    expect.objectContaining({ kind: 'different', object: 'type State' }),
  ]);
});

test('ids that only the database may give become ids like the others', async () => {
  const legacy = await openLegacy(
    'postgres',
    `create table shelves (id bigint generated always as identity primary key, label text);
    create table boxes (id int generated always as identity primary key, label text);
    create table notes (id bigint generated always as identity primary key, label text);
    insert into boxes (label) values ('a');`,
  );
  await legacy.look();
  expect(await legacy.take()).toMatchObject({ state: 'taken' });
  expect(await legacy.drift()).toEqual([]);
  await legacy.run(`insert into boxes (label) values ('b')`);
  expect(await legacy.rows('select cast(id as text), label from boxes order by id')).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
});

test('an enum that is a text stays one where most are types; types get missing values, and new ones are created', async () => {
  const legacy = await openLegacy(
    'postgres',
    `create type "State" as enum ('NEW', 'PAID');
    create type kind as enum ('a', 'b');
    create table "Shelf" ("id" bigserial primary key, "state" "State" not null default 'NEW', "kind" kind,
      "place" text not null default 'attic' check ("place" in ('attic', 'hall')));
    insert into "Shelf" ("place") values ('hall');`,
    (schema) =>
      schema
        .replace('[NEW, PAID]', '[NEW, SENT, PAID]\n  Mood: [good]')
        .replace('state: State', 'mood: Mood?\n      state: State'),
  );
  expect(legacy.schema).toContain('enums: { Kind: kind, Place: text }');
  const { found } = await legacy.look();
  const titles = found.steps.map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining(['The type Mood is new.', "The type State gets 'SENT'."]),
  );
  expect(await legacy.take()).toMatchObject({ state: 'taken' });
  expect((await legacy.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
  expect(await legacy.rows('select state, place, kind, mood from "Shelf"')).toEqual([
    ['NEW', 'hall', null, null],
  ]);

  const other = await openLegacy(
    'postgres',
    `create type "State" as enum ('NEW', 'PAID'); create table "Shelf" ("id" bigserial primary key, "state" "State");`,
    (schema) => schema.replace('[NEW, PAID]', '[NEW]'),
  );
  expect(await other.look()).toMatchObject({
    state: 'refused',
    found: { obstacles: [expect.stringContaining("The type State has 'PAID'")] },
  });
});

test('a default of an empty list stays as it is, in either spelling', async () => {
  const legacy = await openLegacy(
    'postgres',
    `create table "Shelf" ("id" bigserial primary key, "name" text, "labels" text[] default array[]::text[], "rooms" integer[] default '{}');`,
  );
  const { found } = await legacy.look();
  expect(found.steps.map(({ title }) => title).join('\n')).not.toMatch(/(?:labels|rooms) becomes/);
  await legacy.take();
  const defaults = `select column_default from information_schema.columns where column_name in ('labels', 'rooms') order by 1`;
  expect(await legacy.rows(defaults)).toEqual([[`'{}'::integer[]`], ['ARRAY[]::text[]']]);
  expect((await legacy.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
});

test('columns with other spellings, or with a counter of their own, stay as they are', async () => {
  const legacy = await openLegacy(
    'postgres',
    `create table "Shelf" ("id" bigserial primary key, "name" text, "labels" text[] not null default array['NEW', 'OLD'], "rooms" integer[] not null,
      "price" numeric(8,2) not null default 0, "least" numeric(30,20) not null default -1, "number" serial not null);
    create index on "Shelf" ("name");`,
  );
  const { found } = await legacy.look();
  expect(found.steps.filter(({ title }) => title.startsWith('Shelf '))).toEqual([]);
  expect(found.own).toContain('default of Shelf.number');
  await legacy.take();
  expect((await legacy.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
  await legacy.run(`insert into "Shelf" ("rooms") values ('{1}')`);
  expect(await legacy.rows('select labels, price, least, number from "Shelf"')).toEqual([
    [['NEW', 'OLD'], '0.00', '-1.00000000000000000000', 1],
  ]);
  const lists = `update "Shelf" set "rooms" = '{1,null}'`;
  await legacy.run(`${lists}; update "Shelf" set "rooms" = '{1}'`);
  await legacy.evolve(legacy.schema.replace('texts: default', 'texts: binary'));
  await legacy.migrate();
  await expect(legacy.run(lists)).rejects.toThrow('Shelf_rooms_check');
  await legacy.run(`alter table "Shelf" alter "price" set default 1`);
  expect(await legacy.drift()).toContainEqual(
    expect.objectContaining({ kind: 'different', object: 'column Shelf.price' }),
  );
});

test('a type that an enum cannot have, or only in the next transaction, is reported', async () => {
  const used = await openLegacy(
    'postgres',
    `create type "State" as enum ('NEW', 'PAID'); create table "Shelf" ("id" bigserial primary key, "state" "State" not null default 'NEW');`,
    (schema) => schema.replace('[NEW, PAID]', '[NEW, SENT, PAID]').replace('= NEW', '= SENT'),
  );
  const advice = `Run \`ALTER TYPE "State" ADD VALUE 'SENT';\` first.`;
  expect(await used.look()).toMatchObject({
    state: 'refused',
    found: { obstacles: [expect.stringContaining(advice)] },
  });
  await used.run(`alter type "State" add value 'SENT'`);
  expect(await used.look()).toMatchObject({ state: 'written' });
  expect(await used.take()).toMatchObject({ state: 'taken' });

  const taken = await openLegacy(
    'postgres',
    `create type "State" as enum ('NEW', 'PAID'); create table "Mood" ("code" text primary key);
    create table "Shelf" ("id" bigserial primary key, "state" "State" not null default 'NEW');`,
    (schema) =>
      schema
        .replace('[NEW, PAID]', '[NEW, PAID]\n  Mood: [good]')
        .replace('state: State', 'mood: Mood?\n      state: State')
        .replace(/  Mood:\n    table: Mood\n[^]*?\n\n/, ''),
  );
  expect(await taken.look()).toMatchObject({
    found: { obstacles: [expect.stringContaining('a table or a type Mood')] },
  });
});

test('64-bit ids become 32-bit ones where most are, unless one does not fit', async () => {
  const legacy = await openLegacy(
    'postgres',
    `create table "Shelf" ("id" serial primary key, "name" text);
    create table "Room" ("id" serial primary key, "name" text);
    create table "Book" ("id" bigserial primary key, "shelfId" integer references "Shelf" ("id"));
    insert into "Book" ("id") values (5000000000), (7);`,
  );
  expect(legacy.schema).toContain('keys: int');
  expect(await legacy.look()).toMatchObject({
    state: 'refused',
    found: {
      obstacles: [
        expect.stringMatching(/Book\.id has a number beyond .* in 1 row, .*leave `keys: int` out/),
      ],
    },
  });
  await legacy.run(`delete from "Book" where "id" > 7; select setval('"Book_id_seq"', 7)`);
  expect(await legacy.look()).toMatchObject({ state: 'written' });
  expect(await legacy.take()).toMatchObject({ state: 'taken' });
  expect(await legacy.rows('insert into "Book" default values returning id')).toEqual([[8]]);
});

test('texts keep the order of the database until the schema changes that', async () => {
  const legacy = await openLegacy('postgres', prismaDatabase.postgres);
  expect(legacy.schema).toMatch(/^storage: .*texts: default/m);
  const { found } = await legacy.look();
  expect(found.steps.map(({ title }) => title).join('\n')).not.toContain('name becomes text');
  await legacy.take();
  const order = `select collation_name from information_schema.columns
    where (table_name, column_name) in (('Post', 'authorId'), ('User', 'id'), ('auth_sessions', 'user_id'))`;
  expect(new Set((await legacy.rows(order)).flat())).toEqual(new Set([null]));
  const drift = async () => (await legacy.drift()).filter(({ kind }) => kind !== 'extra');
  expect(await drift()).toEqual([]);

  const rows = await legacy.rows(`select * from "User" order by "id"`);
  for (const [texts, collation] of [
    ['binary', 'C'],
    ['default', null],
  ] as const) {
    await legacy.evolve(legacy.schema.replace('texts: default', `texts: ${texts}`));
    await legacy.migrate();
    expect(new Set((await legacy.rows(order)).flat())).toEqual(new Set([collation]));
    expect(await legacy.rows(`select * from "User" order by "id"`)).toEqual(rows);
    expect(await drift()).toEqual([]);
  }
});

test('32-bit ids stay as they are, and go on counting when changed to 64 bits and back', async () => {
  const legacy = await openLegacy(
    'postgres',
    `${prismaDatabase.postgres}
    create table "Note" ("id" serial primary key, "postId" integer references "Post" ("id"));
    insert into "Note" ("postId") values (2);`,
  );
  const { found } = await legacy.look();
  expect(found.steps.map(({ title }) => title).join('\n')).not.toMatch(/bigint|identity/);
  await legacy.take();
  const kinds = `select data_type from information_schema.columns
    where (table_name, column_name) in (('Post', 'id'), ('Note', 'postId'), ('Post_tags', 'post_id'))
    union all select data_type::text from pg_sequences where sequencename = 'Post_id_seq'`;
  const drift = async () => (await legacy.drift()).filter(({ kind }) => kind !== 'extra');
  for (const [keys, kind] of [
    ['int', 'integer'],
    ['bigint', 'bigint'],
    ['int', 'integer'],
  ] as const) {
    if (kind !== (await legacy.rows(kinds))[0]?.[0]) {
      await legacy.evolve(legacy.schema.replace('keys: int', `keys: ${keys}`));
      await legacy.migrate();
    }
    expect(new Set((await legacy.rows(kinds)).flat())).toEqual(new Set([kind]));
    expect(await drift()).toEqual([]);
    const insert = `insert into "Post" ("title", "authorId", "updatedAt") values ('New', 'ckp1', now()) returning id`;
    expect(Number((await legacy.rows(insert)).flat()[0])).toBeGreaterThan(2);
  }
  for (const schema of [legacy.schema.replace('Note:\n', 'Note:\n    id: uuid\n'), legacy.schema]) {
    await legacy.evolve(schema);
    await legacy.migrate();
    expect(await drift()).toEqual([]);
  }
  expect(await legacy.rows('insert into "Note" ("postId") values (1) returning id')).toEqual([[2]]);
  await legacy.run(`select setval('"Post_id_seq"', 1)`);
  expect(await drift()).toEqual([
    {
      kind: 'different',
      object: 'sequence Post.id',
      expected: 'ahead of its rows',
      found: 'behind its rows',
    },
  ]);
});

test('moments without a time zone stay as they are, and stay the same when changed to columns with one and back', async () => {
  const legacy = await openLegacy('postgres', prismaDatabase.postgres);
  const [[database = ''] = []] = await legacy.rows('select current_database()');
  await legacy.run(`alter database ${database} set timezone = 'America/New_York'`);
  const { found } = await legacy.look();
  expect(found.steps.map(({ title }) => title).join('\n')).not.toMatch(
    / becomes timestamp.* with time zone/,
  );
  await legacy.take();
  const moment = `select "createdAt"::text, pg_typeof("createdAt")::text from "User" where "id" = 'ckp1'`;
  expect(await legacy.rows(moment)).toEqual([
    ['2024-01-02 03:04:05.678', 'timestamp without time zone'],
  ]);
  const drift = async () => (await legacy.drift()).filter(({ kind }) => kind !== 'extra');
  expect(await drift()).toEqual([]);

  await legacy.evolve(legacy.schema.replace('times: timestamp', 'times: timestamptz'));
  await legacy.migrate();
  await legacy.run(`set timezone = 'UTC'`);
  expect(await legacy.rows(moment)).toEqual([
    ['2024-01-02 03:04:05.678+00', 'timestamp with time zone'],
  ]);
  await legacy.evolve(
    `${legacy.schema}\n`.replace('body: text?', 'body: text?\n      seen: datetime = now'),
  );
  await legacy.migrate();
  expect(await legacy.rows(moment)).toEqual([
    ['2024-01-02 03:04:05.678', 'timestamp without time zone'],
  ]);
  expect(
    await legacy.rows(
      `select abs(extract(epoch from now()) - extract(epoch from "seen")) < 600 from "Post"`,
    ),
  ).toEqual([[true], [true]]);
  expect(await drift()).toEqual([]);
});

test.each([
  ['timestamptz(6)', 'timestamptz(6)', 'timestamp(3) with time zone'],
  ['timestamptz', 'timestamptz(6)', 'timestamp(3) with time zone'],
  ['timestamp(6)', 'timestamp(6)', 'timestamp(3) with time zone'],
])(
  'moments of %s that may be NULL, and that the database fills in, stay as they are until the schema changes that',
  async (type, word, otherwise) => {
    const legacy = await openLegacy(
      'postgres',
      `create table orders (id serial primary key, title text not null, seen_at ${type} default now(),
        created_at ${type} default current_timestamp, updated_at ${type});
      insert into orders (title, seen_at, created_at) values
        ('One', '2024-01-02 03:04:05.678901Z', null), ('Two', null, '2024-01-02 03:04:05.6789Z');`,
    );
    expect(legacy.schema).toContain(`storage: { times: ${word}, keys: int, texts: default }`);
    expect(legacy.schema).toContain('timestamps: { created: created_at?, updated: updated_at? }');
    await legacy.run(`set timezone = 'UTC'`);
    const rows = () =>
      legacy.rows(`select seen_at::text, created_at::text, updated_at from orders order by id`);
    const kinds = async () =>
      (
        await legacy.rows(`select distinct format_type(atttypid, atttypmod) from pg_attribute
          where attrelid = 'orders'::regclass and attname ~ '_at$'`)
      ).flat();
    const drift = async () => (await legacy.drift()).filter(({ kind }) => kind !== 'extra');
    const before = [await rows(), await kinds()];
    expect(String(before)).toContain('.678901');
    const { found } = await legacy.look();
    expect(found.steps.map(({ title }) => title).join('\n')).not.toMatch(/^orders/m);
    await legacy.take();
    expect([await rows(), await kinds(), await drift()]).toEqual([...before, []]);

    const richer = legacy.schema.replace('title: text', 'title: text\n      paid_on: date?');
    for (const schema of [richer, legacy.schema.replace(`times: ${word}, `, '')]) {
      await legacy.evolve(schema);
      await legacy.migrate();
      expect(await drift()).toEqual([]);
    }
    expect(await kinds()).toEqual([otherwise]);
    expect(String(await rows())).toContain('.679');
  },
);

test('a unique constraint stays, is renamed with its columns, and is dropped when the schema says so', async () => {
  const legacy = await openLegacy(
    'postgres',
    `create table cars (id bigserial primary key, plate text not null unique, "Seat" integer, row integer, unique ("Seat", row))`,
  );
  expect(legacy.schema).toMatch(/plate: text unique/);
  const { found } = await legacy.look();
  const titles = found.steps.map(({ title }) => title);
  expect(titles.filter((it) => /^cars\b/.test(it))).toEqual([]);
  expect(titles.join('\n')).toContain('cars_plate_key is cars_plate_unique');
  await legacy.take();
  expect(await legacy.drift()).toEqual([]);
  const constraints = async () =>
    (
      await legacy.rows(
        `select conname from pg_constraint where contype = 'u' and conrelid = 'cars'::regclass order by 1`,
      )
    ).flat();
  expect(await constraints()).toEqual(['cars_Seat_row_unique', 'cars_plate_unique']);

  const renamed = legacy.schema.replace(
    'plate: text',
    'sign: { type: text, was: plate, unique: true } #',
  );
  const plain = renamed
    .replace('unique: true', 'unique: false')
    .replace('- [Seat, row]', '- [row, Seat]');
  for (const [schema, left] of [
    [renamed, ['cars_Seat_row_unique', 'cars_sign_unique']],
    [plain, []],
  ] as const) {
    await legacy.evolve(schema);
    await legacy.migrate();
    expect(await legacy.drift()).toEqual([]);
    expect(await constraints()).toEqual(left);
  }
});

test('an optional moment that the schema leaves empty is not filled in by the database', async () => {
  const legacy = await openLegacy(
    'postgres',
    'create table orders (id bigserial primary key, seen_at timestamptz default now())',
    (schema) => schema.replace('seen_at: datetime? = now', 'seen_at: datetime?'),
  );
  const { found } = await legacy.look();
  expect(found.steps.map(({ title }) => title).join('\n')).toMatch(/^orders changes: seen_at/m);
  await legacy.take();
  expect(await legacy.rows('insert into orders default values returning seen_at')).toEqual([
    [null],
  ]);
});
