import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prisma from '@prisma/prisma-schema-wasm';
import { describe, expect, test } from 'vitest';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { notebook } from '../../src/import/notes.ts';
import { convertPrisma } from '../../src/import/prisma/convert.ts';
import { readPrisma } from '../../src/import/prisma/read.ts';
import { writeSchema } from '../../src/import/write-schema.ts';
import type { App } from '../../src/model/app.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { commandLine } from '../cli/in-process.ts';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';
import { imported, importFixtures } from './import-fixtures.ts';
import { asItIs, ownSchemas, ownWithOtherKeys } from './own-schemas.ts';
import { prismaOf } from './prisma-of.ts';

describe.each(importFixtures)('the Prisma schema of a %s', (name) => {
  const { folder, files, notes } = imported(name);

  test.each(Object.keys(files))('becomes this %s', async (file) => {
    expect(files[file]).toBe(await readFile(join(folder, file), 'utf8'));
  });

  test('becomes a schema without a problem', () => {
    expect(parseSchema(files['schema.yaml'] ?? '').problems).toEqual([]);
  });

  test('has no element, as Prisma itself reads it, that is neither in the schema nor in the report', async () => {
    const app = appOf(files['schema.yaml'] ?? '');
    const said = new Set(notes.notes.map(({ what }) => what.split(' ')[0]));
    const views = notes.notes.flatMap(({ what }) => /^view (\w+)/.exec(what)?.[1] ?? []);
    const { models } = await dmmf(folder);
    const lost = models.flatMap((model) => {
      if (views.includes(model.name)) return [];
      const ours = app.models.find(
        (it) => it.names.type.toLowerCase() === model.name.toLowerCase(),
      );
      const names = new Set([
        'id',
        ...(ours?.fields.map((it) => it.name) ?? []),
        ...(ours?.relations.map((it) => it.name) ?? []),
      ]);
      const keys = model.fields.flatMap((field) => field.relationFromFields ?? []);
      return model.fields
        .filter(({ name: field }) => !names.has(field) && !keys.includes(field))
        .map((field) => `${model.name}.${field.name}`)
        .filter((what) => !said.has(what));
    });
    expect(lost).toEqual([]);
  });
});

describe('an app of ours, written for Prisma and imported again,', () => {
  test.each([...ownSchemas.map((path) => [path, asItIs] as const), ...ownWithOtherKeys])(
    'is the same as far as Prisma has words for it: %s, %o',
    async (path, revise) => {
      const text = prismaOf(await ownApp(path, revise));
      expect(() => prisma.get_dmmf(JSON.stringify({ prismaSchema: text }))).not.toThrow();
      const file = join(await scratchFolder('written-for-prisma'), 'schema.prisma');
      await writeFile(file, text);
      const notes = notebook();
      const again = writeSchema(convertPrisma(readPrisma(file), notes), 'imported');
      expect(prismaOf(appOf(again))).toBe(text);
      const others = notes.notes.filter(
        ({ kind, became }) => kind !== 'access' && !became.startsWith('many-to-many;'),
      );
      expect(others).toEqual([]);
    },
  );
});

/** On PostgreSQL, where every key has an index: Prisma's keys get one. */
async function ownApp(path: string, revise: (text: string) => string): Promise<App> {
  const file = join(root, path);
  const written = await readFile(file, 'utf8');
  const { text } = withDatabase({ text: written, file }, 'postgres');
  return appOf(revise(text.replace(' index: false,', '')));
}

describe('scaffold import prisma', () => {
  test('writes both files, and replaces nothing unless it is told to', async () => {
    const cwd = await scratchFolder('import');
    const { folder } = imported('library');
    await writeFile(join(cwd, 'a.prisma'), await readFile(join(folder, 'schema.prisma')));
    const run = (...more: readonly string[]) =>
      commandLine(['import', 'prisma', 'a.prisma', ...more], { cwd });
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('10 models') });
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    expect(await run('--force')).toMatchObject({ code: 0 });
    expect(await commandLine(['check', 'schema.yaml'], { cwd })).toMatchObject({ code: 0 });
  });

  test('gives an enum another name where its own is taken', async () => {
    const cwd = await scratchFolder('import-enums');
    const enums = ['Url', 'status', 'Status', 'PostId', 'post', 'Posts', 'CreateUser'];
    const fields = enums.map((name, at) => `  f${at} ${name}`);
    const blocks = enums.map((name) => `enum ${name} {\n  a\n  b${name}\n}\n`);
    const model = ['model Post {', '  id Int @id', ...fields, '}', ''].join('\n');
    const head = 'datasource db {\n  provider = "postgresql"\n}\n';
    await writeFile(join(cwd, 'a.prisma'), [head, model, ...blocks].join('\n'));
    expect(await commandLine(['import', 'prisma', 'a.prisma'], { cwd })).toMatchObject({ code: 0 });
    const text = await readFile(join(cwd, 'schema.yaml'), 'utf8');
    expect(parseSchema(text).problems).toEqual([]);
    expect(text).toMatch(
      /enums:\s+\{\s+UrlValue: Url,\s+StatusValue: status,.*\s+PostValue: post,/s,
    );
    const [, post] = appOf(text).models;
    expect(post?.fields.flatMap(({ type }) => (type.kind === 'enum' ? [type.enum] : []))).toEqual([
      'UrlValue',
      'StatusValue',
      'Status',
      'PostIdValue',
      'PostValue',
      'PostsValue',
      'CreateUserValue',
    ]);
  });

  test('has the values of enums as the database has them', async () => {
    const cwd = await scratchFolder('import-values');
    const schema = `datasource db {
        provider = "postgresql"
      }
      enum State {
        OPEN     @map("open")
        ON_LOAN  @map("on loan")
        LOST
      }
      model Loan {
        id     Int     @id @default(autoincrement())
        state  State   @default(ON_LOAN)
      }`;
    await writeFile(join(cwd, 'a.prisma'), schema.replaceAll(/^ {6}/gm, ''));
    expect(await commandLine(['import', 'prisma', 'a.prisma'], { cwd })).toMatchObject({ code: 0 });
    const text = await readFile(join(cwd, 'schema.yaml'), 'utf8');
    expect(text).toContain('State: [open, on loan, LOST]');
    expect(text).toContain('state: { type: State, default: on loan }');
    expect(parseSchema(text).problems).toEqual([]);
  });

  test('keeps times, keys and indexes as the database has them', async () => {
    const cwd = await scratchFolder('import-as-found');
    const schema = `datasource db {
        provider = "postgresql"
      }
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
    await writeFile(join(cwd, 'a.prisma'), schema.replaceAll(/^ {6}/gm, ''));
    expect(await commandLine(['import', 'prisma', 'a.prisma'], { cwd })).toMatchObject({ code: 0 });
    const text = await readFile(join(cwd, 'schema.yaml'), 'utf8');
    expect(parseSchema(text).problems).toEqual([]);
    const [, , note] = appOf(text).models;
    expect(note?.table).toBe('all_notes');
    expect(note?.indexes.map(({ keys }) => keys.map(({ field }) => field))).toEqual([
      ['created_at'],
    ]);
    const columns = note?.fields.map(({ name, column, nullable, index }) => ({
      name,
      column,
      nullable,
      index,
    }));
    expect(columns).toEqual(
      expect.arrayContaining([
        { name: 'shelfId', column: 'shelfId', nullable: false, index: false },
        { name: 'userUid', column: 'userUid', nullable: false, index: false },
        { name: 'created_at', column: 'created_at', nullable: false, index: false },
      ]),
    );
    expect(text).toContain('shelf: { to: Shelf, inverse: sheets }');
  });

  test('keeps tables, keys, the rules of users and what is given by default', async () => {
    const cwd = await scratchFolder('import-tables');
    const schema = `datasource db {
        provider = "postgresql"
      }
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
    await writeFile(join(cwd, 'a.prisma'), schema.replaceAll('{', '{ '));
    expect(await commandLine(['import', 'prisma', 'a.prisma'], { cwd })).toMatchObject({ code: 0 });
    const [user, post] = appOf(await readFile(join(cwd, 'schema.yaml'), 'utf8')).models;
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
    const cwd = await scratchFolder('import-keys');
    const schema = `datasource db {
        provider = "postgresql"
      }
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
    await writeFile(join(cwd, 'a.prisma'), schema);
    expect(await commandLine(['import', 'prisma', 'a.prisma'], { cwd })).toMatchObject({ code: 0 });
    const text = await readFile(join(cwd, 'schema.yaml'), 'utf8');
    const keyed = appOf(text).models.map(({ table, fields: [id] }) => [table, id?.column]);
    expect(keyed).toEqual([
      ['User', 'id'],
      ['Website', 'website_id'],
      ['Session', 'sessionToken'],
      ['Visit', 'visit_id'],
    ]);
    expect(text).toContain('session: { to: Session,');
    expect(text).toContain('[id, user]');
    const report = await readFile(join(cwd, 'import-report.md'), 'utf8');
    expect(report).toContain('**`id`, in the same column**\n\n- Session.sessionToken');
    expect(report).toContain('**its column is called `id`**\n\n- User.id');
  });

  test('says that there is none, or that it is none', async () => {
    const cwd = await scratchFolder('import-none');
    const run = (path: string) => commandLine(['import', 'prisma', path], { cwd });
    expect(await run('nowhere.prisma')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('SCF651'),
    });
    await writeFile(join(cwd, 'b.prisma'), 'model {');
    expect(await run('b.prisma')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('`b.prisma`'),
    });
  });
});

function appOf(text: string) {
  const parsed = parseSchema(text);
  if (parsed.schema) return buildApp(parsed.schema);
  throw new Error(JSON.stringify(parsed.problems));
}

interface Dmmf {
  readonly models: readonly {
    readonly name: string;
    readonly fields: readonly {
      readonly name: string;
      readonly relationFromFields?: readonly string[];
    }[];
  }[];
}

/** The schema as Prisma's own parser knows it. */
async function dmmf(folder: string): Promise<Dmmf> {
  const text = await readFile(join(folder, 'schema.prisma'), 'utf8');
  const request = { prismaSchema: text.replace(/^\s*url\s*=.*$/m, '') };
  const { datamodel } = JSON.parse(prisma.get_dmmf(JSON.stringify(request)));
  return datamodel;
}
