import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { convertCatalogue } from '../../src/import/convert/convert.ts';
import { readDatabase } from '../../src/import/database/connect.ts';
import { makeNotebook } from '../../src/import/notes.ts';
import { writeSchema } from '../../src/import/write-schema.ts';
import { schemaSql } from '../../src/evolve/initial.ts';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { freshDatabase } from '../support/postgres.ts';
import { prismaDatabase } from '../import/databases.ts';
import { scratchFolder } from '../support/scratch.ts';
import { valuesOf } from '../support/sqlite-values.ts';
import { emittedRunner } from './support/emitted-runner.ts';
import { evolved, type History, historyOf, writeHistory } from './support/history.ts';
import type { Engine } from '../../src/types/field-type.ts';

/** A database of another program, and a project that is made from it. */
async function openLegacy(engine: Engine, sql: string, change = (schema: string) => schema) {
  const place = await scratchFolder(`baseline-${engine}`);
  const folder = join(place, 'migrations');
  const url = engine === 'sqlite' ? `file:${join(place, 'app.db')}` : await freshDatabase();
  const database = await connect(engine, url);
  await database.run(sql);
  const draft = convertCatalogue(await readDatabase(url, place), makeNotebook());
  const schema = change(bodyOf(writeSchema(draft, 'imported')));
  const runner = await emittedRunner(engine);
  let history = historyOf(engine, [schema]);
  const put = async (next: History) => writeHistory(folder, (history = next));
  await put(history);
  return {
    ...database,
    folder,
    url,
    schema,
    put,
    file: join(folder, '0001_initial/baseline.sql'),
    look: () => runner.baseline(url, { folder }),
    take: () => runner.baseline(url, { folder, apply: true }),
    migrate: () => runner.migrate(url, { folder }),
    drift: () => runner.listDrift(url, schemaSql(history.app)),
    /** The project's next schema. */
    evolve: (text: string) => put(evolved(history, text)),
  };
}

async function connect(engine: Engine, url: string) {
  if (engine === 'sqlite') {
    const file = new DatabaseSync(url.slice('file:'.length));
    onTestFinished(() => void file.close());
    return {
      run: async (sql: string) => void file.exec(sql),
      rows: async (sql: string) => valuesOf(file, sql),
    };
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return {
    run: async (sql: string) => void (await client.query(sql)),
    rows: async (text: string) => (await client.query({ text, rowMode: 'array' })).rows,
  };
}

/** The schema without its head. */
function bodyOf(schema: string): string {
  return schema.replace(/^(?:# .*|version: .*|app: .*|database: .*)\n/gm, '');
}

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
    await expect(legacy.look()).rejects.toThrow('has migrations already');

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
      'The table User has an address more than once, but for capital letters',
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
