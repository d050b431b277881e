import { expect, test } from 'vitest';
import { importedPrisma } from './import-prisma.ts';

test('keeps times, keys and indexes as the database has them', async () => {
  const schema = `
    model User {
      uid    String  @id @default(cuid())
      email  String  @unique
      notes  Note[]
    }
    model Shelf {
      id        Int       @id @default(autoincrement())
      fullName  String
      notes     Note[]
      sheets    Sheet[]
    }
    model Note {
      id         Int       @id @default(autoincrement())
      createdAt  DateTime  @default(now()) @map(name: "created_at")
      shelfId    Int
      shelf      Shelf?    @relation(fields: [shelfId], references: [id])
      userUid    String
      user       User      @relation(fields: [userUid], references: [uid])
      @@index([createdAt])
      @@index([shelfId], type: Hash)
      @@map(name: "all_notes")
    }
    model Sheet {
      id       Int    @id @default(autoincrement())
      shelfId  Int
      shelf    Shelf  @relation(fields: [shelfId], references: [id])
      @@index([shelfId, id])
    }`;
  const { text, problems, app } = await importedPrisma(schema);
  expect(problems).toEqual([]);
  const [, , note] = app.models;
  expect(note?.table).toBe('all_notes');
  expect(note?.indexes.map(({ keys }) => keys.map(({ field }) => field))).toEqual([['created_at']]);
  const columns = note?.fields.map(({ name, column, nullable }) => ({
    name,
    column,
    nullable,
  }));
  expect(columns).toEqual(
    expect.arrayContaining([
      { name: 'shelfId', column: 'shelfId', nullable: false },
      { name: 'userUid', column: 'userUid', nullable: false },
      { name: 'created_at', column: 'created_at', nullable: false },
    ]),
  );
  expect(text).toContain('shelf: { to: Shelf, inverse: sheets }');
});

test('keeps tables, keys, the rules for users and defaults', async () => {
  const schema = `
    model User {
      id    String @id @default(cuid())
      name  String @unique
      email String @unique
      posts Post[]
      @@index([email, name(sort: Desc)])
      @@map("accounts")
    }
    model Post {
      id       String   @id @db.VarChar(30)
      day      DateTime @default("2024-02-03T00:00:00Z") @db.Date
      hour     DateTime @default("1970-01-01T09:30:00+00:00") @db.Time(3)
      authorId String
      author   User     @relation(fields: [authorId], references: [id])
    }`;
  const { app } = await importedPrisma(schema.replaceAll('{', '{ '));
  const [user, post] = app.models;
  expect([user?.table, post?.table]).toEqual(['accounts', 'Post']);
  expect(user?.unique.map(({ fields }) => fields)).toContainEqual(['name']);
  expect(user?.indexes.map(({ keys }) => keys.slice(0, 2))).toEqual([
    [
      { field: 'email', descending: false },
      { field: 'name', descending: true },
    ],
  ]);
  expect(post?.fields.find(({ name }) => name === 'id')).toMatchObject({ max: 30 });
  expect(post?.fields.flatMap((it) => it.default ?? [])).toEqual([
    { kind: 'literal', value: '2024-02-03' },
    { kind: 'literal', value: '09:30:00.000' },
  ]);
});

test('keeps keys in the columns that they are in', async () => {
  const schema = `
    model User {
      id       Int       @id @default(autoincrement()) @map("user_id")
      email    String    @unique
      sessions Session[]
    }
    model Website {
      id     Int     @id @default(autoincrement()) @map("website_id")
      visits Visit[]
    }
    model Session {
      sessionToken String  @id @db.VarChar(80)
      id           String?
      userId       Int
      user         User    @relation(fields: [userId], references: [id])
      visits       Visit[]
      @@index([sessionToken, userId])
    }
    model Visit {
      visitId   String  @id @default(uuid()) @map("visit_id") @db.Uuid
      websiteId Int
      website   Website @relation(fields: [websiteId], references: [id])
      token     String
      session   Session @relation(fields: [token], references: [sessionToken])
    }`;
  const { text, report, app } = await importedPrisma(schema);
  const keyed = app.models.map(({ table, fields: [id] }) => [table, id?.column]);
  expect(keyed).toEqual([
    ['User', 'id'],
    ['Website', 'website_id'],
    ['Session', 'sessionToken'],
    ['Visit', 'visit_id'],
  ]);
  expect(text).toContain('session: { to: Session,');
  expect(text).toContain('[id, user]');
  expect(report).toContain('**`id`, in the same column**\n\n- Session.sessionToken');
  expect(report).toContain('**its column is called `id`**\n\n- User.id');
});

test('keeps values that the database makes, and the order of indexes', async () => {
  const { text, report } = await importedPrisma(`
    model Setting {
      id      String    @db.Uuid
      room    Int
      code    String    @default(dbgenerated("gen_random_uuid()")) @db.Uuid
      unit    String    @db.Char(2)
      seenAt  DateTime  @default(now())
      doneAt  DateTime  @updatedAt
      triedAt DateTime  @updatedAt
      @@id([id, room])
      @@index([seenAt(sort: Desc)])
    }`);
  expect(text).toContain('code: uuid = uuid\n');
  expect(text).toContain('triedAt: datetime = now\n');
  expect(text).toContain('- [-seenAt]\n');
  expect(text).toContain('- [id, room]\n');
  expect(report).toContain('**the key by itself**\n\n- Setting.id String');
  expect(report).toContain('trailing spaces are significant**\n\n- Setting.unit String');
  expect(report).toContain('not on every change**\n\n- Setting.triedAt DateTime');
});

test('does not mistake a schema for one of ours because of a column of its users', async () => {
  const { text, problems } = await importedPrisma(`
    model User {
      id            String  @id
      email         String  @unique
      token_version Int     @default(0)
    }
    model Code {
      id    String  @id
    }`);
  expect(text).toMatch(/Code:\n +table: Code\n +id: text\n/);
  expect(problems).toEqual([]);
});

test('keeps the defaults of lists with their types', async () => {
  const { app } = await importedPrisma(`
    model Shelf {
      id      Int       @id @default(autoincrement())
      widths  Float[]   @default([1.5, 2])
      open    Boolean[] @default([true])
      tags    String[]  @default(["2", "new"])
      sizes   Int[]     @default([3])
    }`);
  const [, shelf] = app.models;
  const defaults = shelf?.fields.map(({ name, default: given }) => [name, given]);
  expect(defaults).toEqual(
    expect.arrayContaining([
      ['widths', { kind: 'literal', value: [1.5, 2] }],
      ['open', { kind: 'literal', value: [true] }],
      ['tags', { kind: 'literal', value: ['2', 'new'] }],
      ['sizes', { kind: 'literal', value: [3] }],
    ]),
  );
});

test('has nothing to report about counted ids on SQLite', async () => {
  const models = `
    model Shelf {
      id  Int  @id @default(autoincrement())
    }`;
  const { report } = await importedPrisma(models, 'sqlite');
  expect(report).not.toContain('Shelf.id');
});
