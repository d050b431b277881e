import { expect, test } from 'vitest';
import { django, library, prismaDatabase, rails } from './databases.ts';
import { appOf, importedFrom, whatBecame } from './import-database.ts';

test('a database that Rails has made', async () => {
  const { text, notes } = await importedFrom('postgres', rails);
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
      "posts.search tsvector -> no field type can hold it",
      "index index_posts_on_lower_title -> a schema cannot describe it; it stays in the database",
      "index index_posts_on_search -> a schema cannot describe it; it stays in the database",
      "check (((price >= (0)::numeric) OR ((title)::text ~~ 'Gift%'::text))) -> it stays in the database",
      "users, no password, role -> added to every user",
      "users.encrypted_password character varying -> \`string\`: hidden, and \`password\` takes its place",
    ]
  `);
  expect(() => appOf(text)).not.toThrow();
});

test('a database that Prisma has made', async () => {
  const { text, notes } = await importedFrom('postgres', prismaDatabase.postgres);
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

test('a database that Django has made', async () => {
  const { text, notes } = await importedFrom('postgres', django);
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

test('a file with two-column keys, views and full-text search', async () => {
  const { text, notes } = await importedFrom('sqlite', library);
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
      "index by_half_title -> a schema cannot describe it; it stays in the database",
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
