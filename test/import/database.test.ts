import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sample } from 'fast-check';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { tablesSql } from '../../src/evolve/initial.ts';
import { convertDatabase } from '../../src/import/database/convert.ts';
import { readPostgres } from '../../src/import/database/read-postgres.ts';
import { readSqlite } from '../../src/import/database/read-sqlite.ts';
import { type Notebook, notebook } from '../../src/import/notes.ts';
import { writeSchema } from '../../src/import/write-schema.ts';
import { type App, type Engine, modelOf } from '../../src/model/app.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { engines } from '../../src/types/field-type.ts';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { commandLine } from '../cli/in-process.ts';
import { openDatabase } from '../evolve/database.ts';
import { legalSchema } from '../support/legal/schema.ts';
import { freshDatabase } from '../support/postgres.ts';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { django, library, prismaDatabase, rails } from './databases.ts';
import { asItIs, ownSchemas, ownWithOtherKeys } from './own-schemas.ts';

const seed = searchSeed();
const count = trials({ quick: 8, full: 40, deep: 1000 });

const readers = { sqlite: readSqlite, postgres: readPostgres };

interface Imported {
  readonly text: string;
  readonly notes: Notebook;
}

/** What becomes of the tables that the statements make. */
async function imported(engine: Engine, sql: string): Promise<Imported> {
  const database = await openDatabase(engine);
  try {
    await database.run(sql);
    const notes = notebook();
    const draft = convertDatabase(await readers[engine](database.rows), notes);
    return { text: writeSchema(draft, 'imported'), notes };
  } finally {
    await database.close();
  }
}

function appOf(text: string): App {
  const { schema, problems } = parseSchema(text);
  if (schema) return buildApp(schema);
  throw new Error(`${JSON.stringify(problems, null, 1)}\n${text}`);
}

/** A statement each; the lines of a table in any order. */
const statementsOf = (app: App) =>
  tablesSql(app)
    .split(/;\n/)
    .map((statement) => statement.replaceAll(/^--.*\n|[,;]$/gm, '').trim())
    .map((statement) => statement.split('\n').toSorted().join('\n'))
    .toSorted();

describe.each(engines)('a database on %s', (engine) => {
  test.each([...ownSchemas.map((path) => [path, asItIs] as const), ...ownWithOtherKeys])(
    'of our own becomes a schema that makes the same tables: %s, %o',
    async (path, revise) => {
      const file = join(root, path);
      const written = await readFile(file, 'utf8');
      const app = appOf(revise(withDatabase({ text: written, file }, engine).text));
      const { text, notes } = await imported(engine, tablesSql(app));
      expect(notes.notes.filter(({ kind }) => kind !== 'access')).toEqual([]);
      expect(statementsOf(appOf(text))).toEqual(statementsOf(app));
    },
  );
});

test.each(engines)(
  'of whatever schema the tables are, they become one that is sound, on %s',
  async (engine) => {
    for (const { text } of sample(legalSchema(engine), { seed, numRuns: count })) {
      const { schema } = parseSchema(text);
      if (schema === undefined) continue;
      const { text: again } = await imported(engine, tablesSql(buildApp(schema)));
      // Where accounts go with another row, `check` warns of it afterwards as well.
      const flaws = parseSchema(again).problems.filter(({ code }) => code !== 'SCF310');
      expect(flaws, `SEED=${seed}\n${text}\n${again}`).toEqual([]);
    }
  },
);

const whatBecame = ({ notes }: Notebook) =>
  notes.filter(({ kind }) => kind !== 'access').map(({ what, became }) => `${what} -> ${became}`);

describe('scaffold import db', () => {
  test('reads a file, and writes both files', async () => {
    const cwd = await scratchFolder('import-db');
    const file = new DatabaseSync(join(cwd, 'library.db'));
    file.exec(library);
    file.close();
    const run = (source: string) => commandLine(['import', 'db', source, '--force'], { cwd });
    expect(await run('library.db')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 models'),
    });
    expect(await run('nowhere.db')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('SCF652'),
    });
  });

  test('reads a server, and keeps its password to itself', async () => {
    const cwd = await scratchFolder('import-server');
    const url = await freshDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(django);
    await client.end();
    const run = (source: string) => commandLine(['import', 'db', source], { cwd });
    expect(await run(url)).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'schema.yaml'), 'utf8')).toContain('ShopOrder');
    const { stderr } = await run('postgres://reader:secret@127.0.0.1:1/shop');
    expect(stderr).toContain('SCF652');
    expect(stderr).not.toContain('secret');
  });
});

describe('a database of another tool', () => {
  test('that Rails has made', async () => {
    const { text, notes } = await imported('postgres', rails);
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./.scaffold/schema.v1.json
      version: 1
      app: { name: imported }
      database: postgres
      storage: { times: timestamp(6), texts: default, indexes: bare }
      auth: { name: optional }
      models:
        CategoriesPost:
          timestamps: false
          fields:
            category_id: bigint
            post_id: bigint
          access: { read: admin }

        Post:
          owner: author
          fields:
            title: string
            body: text?
            status: int = 0
            tags: { type: "string[]?", default: [] }
            price: decimal(8,2)?
            settings: { type: json, default: {} }
            deleted_at: datetime?
            published_on: date?
          relations:
            author: User
          unique:
            - { fields: [title], where: status = 1 }
          indexes:
            - [status, -published_on]
          access: { read: owner }

        Tagging:
          timestamps: false
          fields:
            taggable_type: string
            taggable_id: bigint
          unique:
            - [taggable_type, taggable_id]
          access: { read: admin }

        User:
          fields:
            encrypted_password: { type: string, default: "", readonly: true, hidden: true }
      "
    `);
    expect(whatBecame(notes)).toMatchInlineSnapshot(`
      [
        "view published_posts -> it stays in the database",
        "table ar_internal_metadata -> it belongs to another tool",
        "table schema_migrations -> it belongs to another tool",
        "categories_posts, no primary key -> an \`id\` of its own",
        "posts.search tsvector -> no field type holds it",
        "index index_posts_on_lower_title -> a schema has no such index; it stays in the database",
        "index index_posts_on_search -> a schema has no such index; it stays in the database",
        "check (((price >= (0)::numeric) OR ((title)::text ~~ 'Gift%'::text))) -> it stays in the database",
        "users, no password, role -> added to every user",
        "users.encrypted_password character varying -> \`string\`: hidden, and \`password\` takes its place",
      ]
    `);
    expect(() => appOf(text)).not.toThrow();
  });

  test('that Prisma has made', async () => {
    const { text, notes } = await imported('postgres', prismaDatabase.postgres);
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./.scaffold/schema.v1.json
      version: 1
      app: { name: imported }
      database: postgres
      naming: camel
      storage: { times: timestamp, keys: int, texts: default, enums: type, on_update: cascade }
      auth: { roles: [EDITOR], name: optional }
      enums:
        Status: [DRAFT, PUBLISHED]
      models:
        Post:
          table: Post
          owner: author
          fields:
            title: text
            body: text?
            status: Status = DRAFT
          relations:
            author: { to: User, index: false }
            tags: Tag[]
          access: { read: owner }

        Tag:
          table: Tag
          id: text
          timestamps: false
          fields:
            name: string(..40) unique
          access: { read: admin }

        User:
          table: User
          id: cuid
      "
    `);
    expect(whatBecame(notes)).toMatchInlineSnapshot(`
      [
        "table _prisma_migrations -> it belongs to another tool",
        "table _PostToTag -> many-to-many, \`tags\`; its join table has other names",
        "User.password text -> built in, and required",
        "User.role Role -> built in; \`user\` and \`admin\` are written in lower case",
      ]
    `);
    expect(() => appOf(text)).not.toThrow();
  });

  test.each(engines)('has the pairs of two models twice, on %s', async (engine) => {
    const { text } = await imported(
      engine,
      `create table "Post" (id integer primary key); create table "Tag" (id integer primary key);
      create table "_PostToTag" ("A" integer not null references "Post" (id), "B" integer not null references "Tag" (id), primary key ("A", "B"));
      create table "_HiddenTags" ("A" integer not null references "Post" (id), "B" integer not null references "Tag" (id));
      create unique index hidden_tags on "_HiddenTags" ("A", "B");`,
    );
    const tables = appOf(text).joinTables.map(({ table }) => table);
    expect(tables.toSorted()).toEqual(['Post_postToTag', 'Post_tags']);
  });

  test.each(engines)('lists numbers, which no enum has, on %s', async (engine) => {
    const { text, notes } = await imported(
      engine,
      `create table jobs (id integer primary key, level integer not null check (level in (1, 2, 3)), kind text not null check (kind = 'night'));`,
    );
    expect(appOf(text).enums.map(({ values }) => values.map(({ value }) => value))).toEqual([
      ['user', 'admin'],
      ['night'],
    ]);
    expect(whatBecame(notes)).toContainEqual(expect.stringMatching(/^check .*level.* stays/));
  });

  test('asks for an order that a schema does not know', async () => {
    const { text, notes } = await imported(
      'postgres',
      `create type state as enum ('new', 'paid');
      create type "Level2" as enum ('low');
      create table orders (id bigserial primary key, state state not null, low text, high text, few integer, many bigint, meta jsonb, levels "Level2"[] not null default array['low'::"Level2"],
        check (low < high), check (few < many));
      create index late on orders (few) where state > 'new';
      create index told on orders (few) where meta is not null;
      create index known on orders (few) where state = 'paid' and many > 3;`,
    );
    const [, order] = appOf(text).models;
    expect(text).toContain('levels: { type: "string[]", default: [low] }');
    expect(order?.indexes.map(({ where }) => where)).toEqual([expect.anything()]);
    expect(whatBecame(notes)).toEqual([
      'orders.levels "Level2"[] -> `string[]`: a list of any texts',
      'index late -> a schema has no such index; it stays in the database',
      'index told -> a schema has no such index; it stays in the database',
      'check (low < high) -> it stays in the database',
      'check (few < many) -> it stays in the database',
    ]);
  });

  test('has types of other names than enums, and two that have the same values', async () => {
    const { text } = await imported(
      'postgres',
      `create type state as enum ('on', 'off');
      create type "Light" as enum ('on', 'off');
      create type "it's" as enum ('so');
      create table lamps (id bigserial primary key, state state, light "Light", why "it's");`,
    );
    expect(text).toContain('storage: { enums: { State: state, ItS: text } }');
    expect(appOf(text).enums.map(({ type }) => type)).toEqual([
      undefined,
      'state',
      'Light',
      undefined,
    ]);
  });

  test('has more checks of values than types', async () => {
    const { text } = await imported(
      'postgres',
      `create type mood as enum ('good');
      create table lamps (id bigserial primary key, mood mood, state text check (state in ('on', 'off')));`,
    );
    expect(text).toContain('storage: { texts: default }');
  });

  test.each(engines)('has a key of so many letters, on %s', async (engine) => {
    const { text } = await imported(
      engine,
      'create table codes (id varchar(30) primary key, word text);',
    );
    expect(text).toContain('id: { type: text, max: 30 }');
    expect(() => appOf(text)).not.toThrow();
  });

  test.each(engines)('has users whose hashes nobody is to read, on %s', async (engine) => {
    const { text } = await imported(
      engine,
      `create table users (id integer primary key, email varchar(200) not null unique, "passwordHash" varchar(60) not null);`,
    );
    const [user] = appOf(text).models;
    expect(user?.fields.find(({ name }) => name === 'passwordHash')).toMatchObject({
      hidden: true,
      source: 'server',
      nullable: true,
    });
  });

  test('that Django has made', async () => {
    const { text, notes } = await imported('postgres', django);
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./.scaffold/schema.v1.json
      version: 1
      app: { name: imported }
      database: postgres
      storage: { times: timestamptz(6), texts: default, indexes: bare }
      auth: { name: optional }
      enums:
        State: [new, paid, sent]
      models:
        User:
          table: auth_user
          fields:
            last_login: datetime?
            is_superuser: bool
            username: string(..150) unique
            date_joined: datetime

        ShopOrder:
          table: shop_order
          timestamps: false
          owner: buyer
          fields:
            number: uuid unique
            quantity: int(0..)
            starts: date
            ends: date
            state: State
          relations:
            buyer: User
          checks:
            - ends > starts
          access: { read: owner }
      "
    `);
    expect(whatBecame(notes)).toMatchInlineSnapshot(`
      [
        "table django_migrations -> it belongs to another tool",
        "auth_user.id integer -> a 64-bit number",
        "auth_user, no role -> added to every user",
      ]
    `);
    expect(() => appOf(text)).not.toThrow();
  });

  test.each(engines)(
    'has a column that is called id, and another one as its key, on %s',
    async (engine) => {
      const { text } = await imported(
        engine,
        `create table labels (id text, slug varchar(40) primary key, name text not null);
       create table notes (id integer primary key, slug varchar(40) references labels (slug));`,
      );
      const label = modelOf('Label', appOf(text));
      expect(label?.fields.map(({ name, column }) => [name, column])).toEqual([
        ['id', 'slug'],
        ['id_value', 'id'],
        ['name', 'name'],
      ]);
      expect(text).toContain('slug: { to: Label, optional: true, index: false, column: slug');
    },
  );

  test.each(engines)('has users without an address, on %s', async (engine) => {
    const { text, notes } = await imported(
      engine,
      `create table "user" (user_id varchar(40) primary key, username varchar(255) not null unique);`,
    );
    expect(() => appOf(text)).not.toThrow();
    expect(text).toMatch(/User:\n +table: user\n/);
    expect(notes.notes.map(({ what }) => what)).toContain('user, no email, password, role');
  });

  test('has rules and indexes that no schema says', async () => {
    const { text, notes } = await imported(
      'postgres',
      `create table shelves (id bigserial primary key);
       create table books (id bigserial primary key, shelf_id bigint not null references shelves (id), place int not null, code text not null,
         unique (shelf_id, place) deferrable initially deferred);
       create index books_shelf on books using hash (shelf_id);
       create index books_code on books (code);
       create index books_place on books (place);
       create index books_place_id on books (place, id);`,
    );
    expect(text).toContain('shelf: { to: Shelf, index: false }');
    expect(text).toContain('indexes: bare');
    expect(text).toContain('- [place, id]');
    expect(text).not.toContain('unique');
    expect(notes.notes.map(({ what }) => what)).toContain('index books_shelf_id_place_key');
  });

  test.each(engines)('may say twice that an id is unique, on %s', async (engine) => {
    const { text } = await imported(
      engine,
      `create table labels (id text primary key, name text not null);
       create unique index labels_id_key on labels (id);`,
    );
    expect(text).not.toContain('unique');
  });

  test('that is a file with keys of two columns, views and full text search', async () => {
    const { text, notes } = await imported('sqlite', library);
    expect(text).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./.scaffold/schema.v1.json
      version: 1
      app: { name: imported }
      database: sqlite
      naming: camel
      models:
        Book:
          table: Book
          id: { type: text, max: 13, column: isbn }
          timestamps: false
          fields:
            bookTitle: string(..80)
            pages: int?
            price: decimal(8,2)?
            addedAt: datetime? = now
            cover: bytes?
            isRead: bool = false
          indexes:
            - { fields: [bookTitle], where: isRead = false }
          access: { read: admin }

        Placed:
          table: placed
          timestamps: false
          fields:
            room: text?
            number: int?
            place: int? unique
          relations:
            isbn: { to: Book, optional: true, index: false, column: isbn }
          access: { read: admin }

        Shelf:
          table: shelf
          timestamps: false
          fields:
            room: text
            number: int
            height: float?
            area: float?
          unique:
            - [room, number]
          access: { read: admin }
      "
    `);
    expect(whatBecame(notes)).toMatchInlineSnapshot(`
      [
        "virtual table book_text -> it stays in the database",
        "view tall -> it stays in the database",
        "trigger placed.counted -> it stays in the database",
        "Book.bookTitle nvarchar(80) -> \`string(..80)\`: it becomes case-sensitive",
        "Book.pages integer -> \`int?\`: of 32 bits",
        "index by_half_title -> a schema has no such index; it stays in the database",
        "foreign key (room, number) to shelf -> its key has several columns; its columns are kept as fields",
        "placed.number int -> \`int?\`: of 32 bits",
        "placed.place int -> \`int?\`: of 32 bits",
        "shelf, primary key (room, number) -> an \`id\` of its own",
        "shelf.number int -> \`int\`: of 32 bits",
        "shelf.area real -> \`float?\`: it is no longer computed",
      ]
    `);
    expect(() => appOf(text)).not.toThrow();
  });
});
