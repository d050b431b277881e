import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { schemaSql } from '../../src/evolve/initial.ts';
import { prismaDatabase } from '../import/databases.ts';
import { historyOf } from './support/history.ts';
import type { Engine } from '../../src/types/field-type.ts';
import { openLegacy } from './support/open-legacy.ts';

/** As `rails db:migrate` leaves it. */
const rails = `
  create table users (
    id bigserial primary key, email varchar default '' not null, encrypted_password varchar default '' not null,
    name varchar, created_at timestamp(6) not null, updated_at timestamp(6) not null
  );
  create unique index index_users_on_email on users (email);
  create type mood as enum ('calm', 'angry');
  create table posts (
    id bigserial primary key, title varchar not null, body text, status integer default 0 not null, tags varchar[] default '{}',
    price numeric(8,2), settings jsonb default '{}'::jsonb not null, author_id bigint not null references users (id), mood mood not null default 'calm',
    moods mood[] not null default array['calm'::mood], weights numeric[],
    deleted_at timestamp(6), published_on date, created_at timestamp(6) not null, updated_at timestamp(6) not null,
    search tsvector, constraint price_is_fair check (price >= 0 or title like 'Gift%')
  );
  create index index_posts_on_author_id on posts (author_id);
  create index index_posts_on_status_and_published_on on posts (status, published_on desc);
  create unique index index_posts_on_title on posts (title) where status = 1;
  create index index_posts_on_search on posts using gin (search);
  create table taggings (id serial primary key, taggable_type varchar not null, taggable_id bigint not null, post_id bigint not null references posts (id) on update cascade on delete cascade,
    unique (taggable_type, taggable_id));
  create view published_posts as select * from posts where status = 1;
  create view titles as select title from published_posts;
  create function touch() returns trigger language plpgsql as $$ begin new.search := to_tsvector('simple', new.title); return new; end $$;
  create trigger touched before insert on posts for each row execute function touch();
  insert into users (email, encrypted_password, name, created_at, updated_at) values
    ('ada@example.com', '$2a$04$abcdefghijklmnopqrstuuQ9ZmHrKp1Vb0VZ3a0Y0b0Y0b0Y0b0Y0', 'Ada', '2024-01-02 03:04:05.678901', '2024-01-02 03:04:05'),
    ('bob@example.com', '', null, now(), now());
  insert into posts (title, author_id, status, price, tags, created_at, updated_at) values
    ('One', 1, 1, 12.50, '{a,b}', '2024-01-02 03:04:05.5', now()), ('Gift', 2, 0, null, '{}', now(), now());
  insert into taggings (taggable_type, taggable_id, post_id) values ('Post', 1, 1);
  update posts set weights = '{1.5,2}';
  select nextval('posts_id_seq'), nextval('posts_id_seq');`;

/** The same in a SQLite file; times are as Rails and Django write them there. */
const railsFile = `
  create table users (
    id integer primary key autoincrement not null, email varchar default '' not null, encrypted_password varchar default '' not null,
    name varchar, created_at datetime(6) not null, updated_at datetime(6) not null
  );
  create unique index index_users_on_email on users (email);
  create table posts (
    id integer primary key autoincrement not null, title varchar not null, body text, status integer default 0 not null,
    price decimal(8,2), pinned boolean not null default 0, author_id integer not null, search varchar, deleted_at datetime(6),
    published_on date, created_at datetime(6) not null, updated_at datetime(6) not null,
    constraint price_is_fair check (price >= 0 or title like 'Gift%'), foreign key (author_id) references users (id)
  );
  create index index_posts_on_author_id on posts (author_id);
  create index index_posts_on_lower on posts (lower(title));
  create unique index index_posts_on_title on posts (title) where status = 1;
  create table taggings (id integer primary key autoincrement not null, taggable_type varchar not null, taggable_id integer not null,
    post_id integer not null references posts (id) on update cascade on delete cascade, unique (taggable_type, taggable_id));
  create view published_posts as select * from posts where status = 1;
  create trigger touched after insert on posts begin update posts set search = lower(new.title) where id = new.id; end;
  insert into users (email, encrypted_password, name, created_at, updated_at) values
    ('ada@example.com', '$2a$04$hash', 'Ada', '2024-01-02 03:04:05.678901', '2024-01-02 03:04:05'), ('bob@example.com', '', null, '2024-01-02 03:04:05', 1704164645000);
  insert into posts (title, author_id, status, price, pinned, published_on, created_at, updated_at) values
    ('One', 1, 1, 12.50, 't', '2024-01-02', '2024-01-02 03:04:05.5', '2024-01-02 03:04:05'), ('Gift', 2, 0, null, 'f', null, '2024-01-02 03:04:05', '2024-01-02 03:04:05');
  insert into taggings (taggable_type, taggable_id, post_id) values ('Post', 1, 1);
  insert into posts (id, title, author_id, created_at, updated_at) values (9, 'gone', 1, '2024-01-02', '2024-01-02');
  delete from posts where id = 9;`;

/** As `manage.py migrate` does. */
const django = `
  create table auth_user (
    id integer generated by default as identity primary key, password varchar(128) not null, last_login timestamptz,
    is_superuser boolean not null, username varchar(150) not null unique, email varchar(254) not null, date_joined timestamptz not null
  );
  create table shop_order (
    id bigint generated by default as identity primary key, number uuid not null unique, quantity integer not null check (quantity >= 0),
    starts date not null, ends date not null, buyer_id integer not null references auth_user (id) deferrable initially deferred,
    state varchar(8) not null constraint known_state check (state in ('new', 'paid', 'sent')),
    constraint ends_after_it_starts check (ends > starts)
  );
  create index shop_order_buyer_id_1a on shop_order (buyer_id);
  create table shop_line (
    id bigint generated by default as identity primary key, place smallint not null, note varchar(20) not null, weight real,
    order_id bigint not null references shop_order (id) deferrable initially deferred, unique (order_id, place)
  );
  insert into auth_user (password, is_superuser, username, email, date_joined) values ('pbkdf2_sha256$1', false, 'ada', 'ada@example.com', '2024-01-02T03:04:05.678Z');
  insert into shop_order (number, quantity, starts, ends, buyer_id, state) values
    ('6f1b6f0e-3a63-4f0f-8a73-8e0e3a1d5a10', 2, '2024-01-02', '2024-01-03', 1, 'paid');
  insert into shop_line (place, note, weight, order_id) values (1, 'soap', 0.1, 1);`;

const djangoFile = `
  create table auth_user (
    id integer not null primary key autoincrement, password varchar(128) not null, last_login datetime null, is_superuser bool not null,
    username varchar(150) not null unique, email varchar(254) not null, date_joined datetime not null
  );
  create table shop_order (
    id integer not null primary key autoincrement, quantity integer unsigned not null check (quantity >= 0), starts date not null, ends date not null,
    buyer_id integer not null references auth_user (id) deferrable initially deferred, state varchar(8) not null check (state in ('new', 'paid', 'sent')),
    check (ends > starts)
  );
  create index shop_order_buyer_id_1a on shop_order (buyer_id);
  create table shop_line (
    id integer not null primary key autoincrement, place smallint not null, note varchar(20) not null, weight real,
    order_id bigint not null references shop_order (id) deferrable initially deferred
  );
  create unique index shop_line_order_id_place_uniq on shop_line (order_id, place);
  insert into auth_user (password, is_superuser, username, email, date_joined) values ('pbkdf2_sha256$1', 0, 'ada', 'ada@example.com', '2024-01-02 03:04:05.678000');
  insert into shop_order (quantity, starts, ends, buyer_id, state) values (2, '2024-01-02', '2024-01-03', 1, 'paid');
  insert into shop_line (place, note, weight, order_id) values (1, 'soap', 0.1, 1);`;

/** The rows to compare before and after: where a type changes, the way a value is read changes, too. */
const told = {
  rails: {
    rows: [
      'select id, email, encrypted_password, name from users order by id',
      'select id, title, body, status, author_id, search, published_on from posts order by id',
      'select id, taggable_type, taggable_id, post_id from taggings',
      'select title from published_posts',
    ],
    former: 'body',
    rename: ['body: text?', 'story: { type: text, optional: true, was: body }', 'story'],
  },
  django: {
    rows: [
      'select id, password, is_superuser, username, email from auth_user',
      'select id, quantity, starts, ends, buyer_id, state from shop_order',
      'select id, place, note, order_id from shop_line',
    ],
    former: 'note',
    rename: ['note: string(..20)', 'remark: { type: string(..20), was: note }', 'remark'],
  },
} as const;

const own = {
  'rails on postgres': [
    'column posts.search',
    'constraint posts.price_is_fair',
    'index index_posts_on_search',
    'trigger posts.touched',
  ],
  'rails on sqlite': [
    "check posts: price >= 0 or title like 'Gift%'",
    'index index_posts_on_author_id',
    'index index_posts_on_lower',
    'trigger posts.touched',
  ],
  'django on postgres': ['constraint shop_order.known_state'],
  'django on sqlite': ['check shop_order: quantity >= 0', 'index shop_order_buyer_id_1a'],
} as const;

describe.each([
  ['rails', 'postgres', rails],
  ['rails', 'sqlite', railsFile],
  ['django', 'postgres', django],
  ['django', 'sqlite', djangoFile],
] as const)('a database of %s on %s', (tool, engine, sql) => {
  test('is examined, taken over, and migrated further with its rows', async () => {
    const legacy = await openLegacy(engine, sql);
    const { rows, former, rename } = told[tool];
    const [old, field, later] = rename;
    const rowsBy = async (name: string) => {
      const found: unknown[] = [];
      for (const query of rows) {
        const all = await legacy.rows(query.replace(former, `${name} as ${former}`));
        // A key that grows to 64 bits is read as text.
        found.push(all.map((row) => (Array.isArray(row) ? row.map(String) : row)));
      }
      return found;
    };
    const before = await rowsBy(former);
    expect(await legacy.look()).toMatchObject({ state: 'written', found: { obstacles: [] } });
    expect(await rowsBy(former)).toEqual(before);
    await expect(legacy.migrate()).rejects.toThrow('db:baseline');

    expect(await legacy.take()).toMatchObject({ state: 'taken' });
    const ours = own[`${tool} on ${engine}`];
    const left = (await legacy.drift()).map(({ kind, object }) => `${kind} ${object}`);
    expect(left).toEqual(ours.map((object) => `extra ${object}`));
    expect(await rowsBy(former)).toEqual(before);
    expect(await legacy.migrate()).toEqual([]);
    await expect(legacy.look()).rejects.toThrow('already has migrations');

    const richer = legacy.schema.replace(old, `${old}\n      stars: int = 3`);
    const renamed = richer.replace(old, field);
    const label = '  Label: { fields: { word: string }, access: { read: admin } }\n';
    for (const schema of [richer, renamed, `${renamed.trimEnd()}\n\n${label}`]) {
      await legacy.evolve(schema);
      expect(await legacy.migrate()).toHaveLength(1);
    }
    expect(await rowsBy(later)).toEqual(before);
    expect((await legacy.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
  });
});

test('what Rails has stored can be read as ours, and no id is given out twice', async () => {
  const server = await openLegacy('postgres', rails);
  await server.look();
  await server.take();
  expect(
    await server.rows(
      `select to_char(created_at, 'YYYY-MM-DD HH24:MI:SS.US'), password, role, token_version from users order by id`,
    ),
  ).toEqual([
    ['2024-01-02 03:04:05.678901', expect.stringMatching(/^\$2a\$04/), 'user', 0],
    [expect.any(String), '!', 'user', 0],
  ]);
  // The plan of the trigger's function still has the columns as they were.
  await server.run('discard plans');
  await server.run(
    `insert into posts (title, author_id, created_at, updated_at) values ('new', 1, now(), now())`,
  );
  expect(await server.rows(`select id from posts where title = 'new'`)).toEqual([['5']]);
  expect(await server.rows('select title from titles')).toEqual([['One']]);
  expect(await server.rows(`select moods, weights from posts where title = 'One'`)).toEqual([
    [['calm'], [1.5, 2]],
  ]);

  const file = await openLegacy('sqlite', railsFile);
  await file.look();
  await file.take();
  expect(await file.rows('select created_at, updated_at, password from users')).toEqual([
    ['2024-01-02T03:04:05.679Z', '2024-01-02T03:04:05.000Z', '$2a$04$hash'],
    ['2024-01-02T03:04:05.000Z', '2024-01-02T03:04:05.000Z', '!'],
  ]);
  expect(await file.rows('select price, pinned, published_on from posts')).toEqual([
    [1250, 1, '2024-01-02'],
    [null, 0, null],
  ]);
  await file.run(
    `insert into posts (title, author_id, created_at, updated_at) select 'New', author_id, created_at, updated_at from posts where id = 1`,
  );
  expect(await file.rows(`select id, search from posts where title = 'New'`)).toEqual([
    [10, 'new'],
  ]);
});

/** What is inserted before the fields of `Note` describes its id. */
const withOldId = (id: string) => `
models:
  Note: { timestamps: false, ${id}fields: { title: string } }
  Tag: { timestamps: false, fields: { word: string }, relations: { note: { to: Note, column: old_id } } }
`;

describe.each(['sqlite', 'postgres'] as const)('a Prisma database on %s', (engine) => {
  const enforced = engine === 'sqlite' ? 'pragma foreign_keys = on;' : '';

  test('is taken over in our form: hashes, addresses, roles and pairs', async () => {
    const legacy = await openLegacy(engine, prismaDatabase[engine]);
    expect(await legacy.look()).toMatchObject({ found: { obstacles: [] } });
    await legacy.take();
    expect(await legacy.rows('select email, password, role from "User" order by id')).toEqual([
      ['ada@example.com', expect.stringMatching(/^\$2b\$10\$/), 'admin'],
      ['bob@example.com', '!', 'user'],
    ]);
    const pairs = await legacy.rows('select "postId", "tagId" from "Post_tags" order by 1, 2');
    expect(pairs.map(String)).toEqual(['1,ckt1', '1,ckt2', '2,ckt2']);
    expect((await legacy.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
  });

  test('has keys that keep following a changed id until the schema changes that', async () => {
    const legacy = await openLegacy(engine, prismaDatabase[engine]);
    expect(legacy.schema).toMatch(/^storage: .*on_update: cascade/m);
    const { found } = await legacy.look();
    const titles = found.steps.map(({ title }) => title).join('\n');
    expect(titles).not.toContain('_fkey');
    await legacy.take();
    const rename = (id: string, former: string) =>
      legacy.run(`${enforced} update "User" set "id" = '${id}' where "id" = '${former}'`);
    await rename('new', 'ckp1');
    const authors = `select "authorId" from "Post" order by "id"`;
    expect(await legacy.rows(authors)).toEqual([['new'], ['ckp2']]);
    await legacy.evolve(legacy.schema.replace('on_update: cascade', 'on_update: restrict'));
    expect(await legacy.migrate()).toEqual(['0002_change_post_author']);
    await expect(rename('ckp1', 'new')).rejects.toThrow(/foreign key/i);
    expect(await legacy.rows(authors)).toEqual([['new'], ['ckp2']]);
    expect((await legacy.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
  });

  test('may not have two users with one address, or pairs that fit two relations', async () => {
    const legacy = await openLegacy(
      engine,
      `${prismaDatabase[engine]}
      insert into "User" ("id", "email", "updatedAt") select 'ckp3', 'BOB@example.com', "updatedAt" from "User" where "id" = 'ckp2';
      create table "_Hidden" ("A" integer not null references "Post" ("id"), "B" text not null references "Tag" ("id"), primary key ("A", "B"));`,
    );
    const { state, found } = await legacy.look();
    expect(state).toBe('refused');
    expect(found.obstacles.map((line) => line.split('. ')[0]).toSorted()).toEqual([
      'The pairs of Post_postToTag may be those of _Hidden or of _PostToTag',
      'The pairs of Post_tags may be those of _Hidden or of _PostToTag',
      'The table User has an address more than once if upper and lower case count as the same',
    ]);
  });

  test('may not have users whose roles the schema does not know', async () => {
    const asText =
      engine === 'postgres'
        ? 'alter table "User" alter "role" drop default, alter "role" type varchar(9);'
        : '';
    const legacy = await openLegacy(
      engine,
      `${prismaDatabase[engine]} ${asText} update "User" set "role" = 'EDITOR' where "id" = 'ckp2';`,
    );
    const { state, found } = await legacy.look();
    expect(state).toBe('refused');
    expect(found.obstacles.map((line) => line.split('. ')[0])).toEqual([
      'Users in the table User have roles that the schema does not know: EDITOR',
    ]);
    await legacy.run(`update "User" set "role" = 'User' where "id" = 'ckp2'`);
    expect(await legacy.look()).toMatchObject({ state: 'written' });
    expect(await legacy.take()).toMatchObject({ state: 'taken' });
  });

  test('may have pairs within one table, which keep their direction', async () => {
    const legacy = await openLegacy(
      engine,
      `create table "Person" ("id" integer primary key, "name" text not null);
      create table "_Follows" ("A" integer not null references "Person" ("id"), "B" integer not null references "Person" ("id"), primary key ("A", "B"));
      insert into "Person" ("id", "name") values (1, 'Ann'), (2, 'Ben'); insert into "_Follows" values (1, 2);`,
    );
    await legacy.look();
    await legacy.take();
    const pairs = await legacy.rows('select person_id, target_person_id from "Person_people"');
    expect(pairs.map(String)).toEqual(['1,2']);
  });
});

/** A library as another program stores it in a file. */
const library = `
  create table "Book" ("isbn" varchar(13) primary key, "bookTitle" nvarchar(80) not null collate nocase, pages integer, price decimal(8,2), "addedAt" datetime default current_timestamp, cover blob, "isRead" boolean not null default 0);
  create table shelf (room text not null, number int not null, height real, area real generated always as (height * 2) virtual, primary key (room, number)) without rowid;
  create table placed (id integer primary key, isbn text references "Book", room text, number int, place int unique, foreign key (room, number) references shelf (room, number) on delete cascade);
  create index by_half_title on "Book" (substr("bookTitle", 1, 5));
  create view tall as select * from shelf where height > 100;
  create virtual table book_text using fts5 (bookTitle, content='Book');
  create trigger counted after insert on placed begin update shelf set height = height + 1; end;
  insert into "Book" (isbn, bookTitle, price, isRead) values ('978', 'On Trees', 3.5, 1), ('979', 'On Birds', 4, 0);
  insert into book_text (book_text) values ('rebuild');
  insert into shelf (room, number, height) values ('hall', 1, 120.5);
  insert into placed (isbn, room, number, place) values ('979', 'hall', 1, 7);`;

test('a file with two-column keys, a view and a full-text search is taken over', async () => {
  const legacy = await openLegacy('sqlite', library);
  const find = `select "bookTitle" from book_text where book_text match 'birds'`;
  const before = await legacy.rows(find);
  expect(before).toEqual([['On Birds']]);
  await legacy.look();
  expect(await legacy.take()).toMatchObject({
    state: 'taken',
    found: {
      own: [
        'foreign key placed.room, number',
        'index by_half_title',
        'table book_text',
        'trigger placed.counted',
      ],
    },
  });
  expect(await legacy.rows(find)).toEqual(before);
  expect(await legacy.rows('select isbn, price, "isRead" from "Book"')).toEqual([
    ['978', 350, 1],
    ['979', 400, 0],
  ]);
  expect(await legacy.rows('select room, number, height, area from tall')).toEqual([
    ['hall', 1, 121.5, 243],
  ]);
  await expect(legacy.run(`insert into shelf (room, number) values ('hall', 1)`)).rejects.toThrow(
    'UNIQUE',
  );
  await expect(
    legacy.run(`pragma foreign_keys = on; insert into placed (isbn) values ('none')`),
  ).rejects.toThrow('FOREIGN KEY');
});

const notes = (engine: Engine, columns: string) =>
  engine === 'sqlite'
    ? `create table notes (id integer primary key autoincrement, ${columns})`
    : `create table notes (id bigint generated by default as identity primary key, ${columns})`;

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  /** A project with one model, and a database whose table for it has these columns. */
  async function openNotes(columns: string, fields: string) {
    const legacy = await openLegacy(engine, notes(engine, columns));
    await legacy.put(
      historyOf(engine, [`models: { Note: { timestamps: false, fields: { ${fields} } } }`]),
    );
    return legacy;
  }

  test('a database that already matches counts as migrated at once', async () => {
    const history = historyOf(engine, ['models: { Note: { fields: { title: string } } }']);
    const legacy = await openLegacy(engine, schemaSql(history.app));
    await legacy.put(history);
    expect(await legacy.look()).toMatchObject({ state: 'taken', found: { steps: [], own: [] } });
    expect(await legacy.migrate()).toEqual([]);
    await expect(readFile(legacy.file)).rejects.toThrow('ENOENT');
  });

  test('a database whose keys have other names matches at once', async () => {
    const models = `
models:
  Site: { id: { column: site_id }, fields: { name: string }, relations: { parent: Site?, tags: "Tag[]" } }
  Tag: { id: { type: text, column: slug, max: 40 }, fields: { label: string } }
  Visit: { id: { type: uuid, column: visitId }, fields: { at: datetime }, relations: { site: Site, tag: Tag? } }
`;
    const made = schemaSql(historyOf(engine, [models]).app);
    const legacy = await openLegacy(engine, made);
    expect(await legacy.look()).toMatchObject({ state: 'taken', found: { steps: [], own: [] } });
    await legacy.evolve(legacy.schema.replace('column: site_id', 'column: website_id'));
    await legacy.run(`insert into sites (name, created_at, updated_at)
      values ('a', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')`);
    await legacy.migrate();
    expect(await legacy.rows('select cast(website_id as text), name from sites')).toEqual([
      ['1', 'a'],
    ]);
    expect(await legacy.drift()).toEqual([]);
  });

  test('a key follows a changed id even when its column has a name that former ids use', async () => {
    const legacy = await openLegacy(engine, schemaSql(historyOf(engine, [withOldId('')]).app), () =>
      withOldId(''),
    );
    await legacy.look();
    await legacy.run(
      `insert into notes (title) values ('a'), ('b'); insert into tags (word, old_id) values ('x', 2), ('y', 1);`,
    );
    await legacy.evolve(withOldId('id: uuid, '));
    await legacy.migrate();
    expect(
      await legacy.rows(
        'select word, title from tags join notes on notes.id = old_id order by word',
      ),
    ).toEqual([
      ['x', 'b'],
      ['y', 'a'],
    ]);
  });

  test('a key with another name goes on counting when its table is converted', async () => {
    const legacy = await openLegacy(
      engine,
      engine === 'sqlite'
        ? `create table notes (note_no integer primary key autoincrement, title varchar(20));
          create table hints (word text, note int references notes)`
        : `create table notes (note_no serial primary key, title varchar(20));
          create table hints (hint serial primary key, word text, note int references notes)`,
    );
    expect(legacy.schema).toContain('column: note_no');
    await legacy.run(`insert into notes (title) values ('a'), ('b'), ('c')`);
    await legacy.run(`delete from notes where title <> 'b'`);
    await legacy.run(`insert into hints (word, note) values ('x', 2)`);
    await legacy.look();
    expect(await legacy.take()).toMatchObject({ state: 'taken' });
    await legacy.run(`insert into notes (title) values ('d')`);
    expect(await legacy.rows('select cast(note_no as text), title from notes order by 1')).toEqual([
      ['2', 'b'],
      ['4', 'd'],
    ]);
    expect(await legacy.rows('select title from hints join notes on note = note_no')).toEqual([
      ['b'],
    ]);
    await expect(legacy.run(`delete from notes where title = 'b'`)).rejects.toThrow(/foreign key/i);
  });

  test('a table in the way of a later migration does not ask to take the database over', async () => {
    const note = 'Note: { fields: { title: string } }';
    const history = historyOf(engine, [`models: { ${note} }`]);
    const legacy = await openLegacy(engine, schemaSql(history.app));
    await legacy.put(history);
    await legacy.look();
    await legacy.run('create table labels (word text)');
    await legacy.evolve(`models: { ${note}, Label: { fields: { word: string } } }`);
    const failure = await legacy.migrate().catch((error: Error) => error.message);
    expect(failure).toMatch(/labels"? already exists/);
    expect(failure).not.toContain('db:baseline');
  });

  test('obstacles are named, and nothing is changed', async () => {
    const legacy = await openNotes('title text, code text not null', 'title: string, size: int');
    await legacy.run(`insert into notes (title, code) values (null, 'a'), ('b', 'b')`);
    const project = historyOf(engine, [
      'models: { Note: { timestamps: false, fields: { title: string, size: int } }, Label: { fields: { word: string } } }',
    ]);
    await legacy.put(project);
    const { state, found } = await legacy.look();
    expect(state).toBe('refused');
    expect(found.obstacles.map((line) => line.split('. ')[0])).toEqual([
      'The table labels is missing',
      'The column notes.title has no value in 1 row, and is required',
      'The column notes.size is missing, and its rows have nothing to put there',
      'The column notes.code needs a value in each new row, and the schema does not know it',
    ]);
    await expect(legacy.take()).resolves.toMatchObject({ state: 'refused' });
    await expect(readFile(legacy.file)).rejects.toThrow('ENOENT');
    expect(await legacy.rows('select title, code from notes')).toHaveLength(2);
  });

  test.each([
    ['updated', 'updated_at timestamp', 'or behind its name under `timestamps`'],
    ['false', 'at timestamp', 'write a `?` behind its type'],
  ])('NULL in a time of `timestamps: %s` is reported', async (timestamps, column, remedy) => {
    const legacy = await openNotes(`title text, ${column}`, 'title: text?');
    const fields = timestamps === 'false' ? 'at: datetime' : 'title: text?';
    const note = `Note: { timestamps: ${timestamps}, fields: { ${fields} } }`;
    await legacy.put(historyOf(engine, [`models: { ${note} }`]));
    await legacy.run(`insert into notes (title) values ('One')`);
    const { found } = await legacy.look();
    expect(found.obstacles).toEqual([expect.stringContaining('has no value in 1 row')]);
    expect(found.obstacles).toEqual([expect.stringContaining(remedy)]);
  });

  test('users without an address or a name are reported, with what may be made optional', async () => {
    const legacy = await openLegacy(
      engine,
      'create table users (id integer primary key, name text, email text, role text); insert into users (id) values (1)',
    );
    await legacy.put(historyOf(engine, ['models: {}']));
    const { found } = await legacy.look();
    expect(found.obstacles.map((line) => line.split('required. ')[1])).toEqual([
      'Fill it in, or write `auth: { name: optional }` in schema.yaml.',
      'Fill it in: every user has one.',
      'Fill it in: every user has one.',
    ]);
  });

  test('a record of migrations that another tool keeps is left alone', async () => {
    const legacy = await openLegacy(
      engine,
      'create table schema_migrations (version varchar primary key)',
    );
    await legacy.put(historyOf(engine, ['models: { Note: { fields: { title: string } } }']));
    for (const run of [legacy.look, legacy.migrate])
      await expect(run()).rejects.toThrow('alter table schema_migrations rename to');
    await legacy.run('alter table schema_migrations rename to former_schema_migrations');
    await expect(legacy.look()).rejects.toThrow('has none of the tables');
    expect(await legacy.migrate()).toEqual(['0001_initial']);
  });
});

test('an edited baseline file is kept and run, and undone if the tables come out different', async () => {
  const legacy = await openLegacy('sqlite', railsFile);
  await expect(legacy.take()).rejects.toThrow('There is no migrations/0001_initial/baseline.sql');
  await legacy.look();
  const written = await readFile(legacy.file, 'utf8');
  await writeFile(legacy.file, `${written}\nDROP INDEX users_email_unique;\n`);
  expect(await legacy.look()).toMatchObject({ state: 'outdated' });
  await expect(legacy.take()).rejects.toThrow('index users_email_unique is missing');
  expect(
    await legacy.rows("select count(*) from sqlite_schema where name = 'schema_migrations'"),
  ).toEqual([[0]]);
  await rm(legacy.file);
  expect(await legacy.look()).toMatchObject({ state: 'written' });
  await writeFile(legacy.file, `${written}\nUPDATE posts SET body = 'moved';\n`);
  expect(await legacy.take()).toMatchObject({ state: 'taken' });
  expect(await legacy.rows('select distinct body from posts')).toEqual([['moved']]);
});
