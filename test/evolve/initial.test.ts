import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { initialMigration } from '../../src/evolve/initial.ts';
import type { Migration } from '../../src/evolve/migration.ts';
import { buildApp } from '../../src/model/build.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { gardenSchema } from '../model/garden.ts';
import { at, enumOf, field, model, relation, schemaOf } from '../model/schema-values.ts';
import { openDatabase, type TestDatabase } from './database.ts';

const engines = ['sqlite', 'postgres'] as const;
const now = `'2026-01-02T03:04:05.678Z'`;

const member = (id: number, email: string) =>
  `INSERT INTO members (id, name, email, password, created_at, updated_at)
   VALUES (${id}, 'Ann', '${email}', 'x', ${now}, ${now})`;
const bed = (id: number, name: string, keeper = 1, deletedAt = 'NULL') =>
  `INSERT INTO beds (id, name, keeper_id, created_at, updated_at, deleted_at)
   VALUES (${id}, '${name}', ${keeper}, ${now}, ${now}, ${deletedAt})`;
const plant = (id: string, latin: string, bedId: number, parent = 'NULL') =>
  `INSERT INTO plants (id, latin_name, bed_id, parent_id)
   VALUES ('${id}', '${latin}', ${bedId}, ${parent})`;
const uuid = (digit: number) => `0000000${digit}-0000-7000-8000-000000000000`;

describe.each(engines)('the first migration on %s', (engine) => {
  const garden = migrationOf(gardenSchema(engine));
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openDatabase(engine);
    await database.migrate(garden.files['up.sql']);
  });
  afterAll(() => database.close());

  test('reads like this', async () => {
    await expect(garden.files['up.sql']).toMatchFileSnapshot(`garden.${engine}.sql`);
  });

  test('makes the tables of models, joins, authentication and mail', async () => {
    expect((await database.tables()).join(' ')).toBe(
      'auth_rate_limits auth_reset_tokens auth_sessions beds beds_tags mail_outbox members notes plants tags visits',
    );
  });

  test('goes down to nothing', async () => {
    const other = await openDatabase(engine);
    await other.migrate(garden.files['up.sql']);
    await other.migrate(garden.files['down.sql']);
    expect(await other.tables()).toEqual([]);
    await other.close();
  });

  test('is described, with the sums of its files', () => {
    const meta: unknown = JSON.parse(garden.files['meta.json']);
    expect(meta).toMatchObject({
      id: '0001_initial',
      parent: null,
      engine,
      hazards: [],
      checksums: {
        'up.sql': sumOf(garden.files['up.sql']),
        'down.sql': sumOf(garden.files['down.sql']),
      },
    });
    expect(meta).toHaveProperty('operations[0]', { kind: 'create_table', table: 'members' });
  });

  test('is the same text at every run', () => {
    expect(migrationOf(gardenSchema(engine))).toEqual(garden);
  });

  describe('makes a database that', () => {
    beforeAll(async () => {
      await database.run(member(1, 'ann@example.test'));
      await database.run(bed(1, 'Roses'));
    });

    test('fills in the literal defaults', async () => {
      await database.run(plant(uuid(9), 'Rosa', 1));
      expect(await database.rows('SELECT role, token_version FROM members')).toEqual([
        { role: 'user', token_version: engine === 'sqlite' ? 0n : 0 },
      ]);
      expect(await database.rows('SELECT season FROM beds')).toEqual([{ season: 'spring' }]);
      expect(await database.rows('SELECT price FROM plants')).toEqual([
        { price: engine === 'sqlite' ? 450n : '4.50' },
      ]);
      await database.run('DELETE FROM plants');
    });

    test.each([
      [
        'an enum’s other values',
        bed(2, 'x').replace('(id,', '(season, id,').replace('(2,', `('dry', 2,`),
        'beds_season_check',
      ],
      ['text that is too short', bed(2, ''), 'beds_name_check'],
      ['text that is too long', bed(2, 'x'.repeat(41)), /beds_name_check|character varying\(40\)/],
      [
        'a number below its bound',
        plant(uuid(1), 'Rosa', 1).replace('(id,', '(price, id,').replace(`('`, `(-1, '`),
        'plants_price_check',
      ],
      [
        'a number too large for its digits',
        plant(uuid(1), 'Rosa', 1).replace('(id,', '(price, id,').replace(`('`, `(123456789, '`),
        /plants_price_check|numeric field overflow/,
      ],
      ['an id that is no uuid', plant('rose', 'Rosa', 1), /plants_id_check|type uuid/],
      ['a missing value', bed(2, 'x', 1).replace(`'x'`, 'NULL'), /NOT NULL|not-null/],
      ['a key to nothing', bed(2, 'x', 7), /FOREIGN KEY|beds_keeper_id_fkey/],
      [
        'a second row of a one-to-one',
        `INSERT INTO notes (text, bed_id, created_at, updated_at) VALUES ('a', 1, ${now}, ${now}), ('b', 1, ${now}, ${now})`,
        /notes\.bed_id|notes_bed_id_unique/,
      ],
    ])('refuses %s', async (_, statement, reason) => {
      await expect(database.run(statement)).rejects.toThrow(reason);
    });

    test('counts characters as people do', async () => {
      await database.run(bed(3, '🌹'.repeat(40)));
      await database.run('DELETE FROM beds WHERE id = 3');
    });

    test('holds uniqueness among living rows only', async () => {
      await expect(database.run(bed(4, 'Roses'))).rejects.toThrow(
        /beds\.name|beds_keeper_id_name_unique/,
      );
      await database.run(bed(4, 'Roses', 1, now));
      await database.run(bed(5, 'Roses', 1, now));
      await expect(database.run('UPDATE beds SET deleted_at = NULL')).rejects.toThrow(/unique/i);
      await database.run('DELETE FROM beds WHERE id > 1');
    });

    test('cascades, sets null and restricts', async () => {
      await database.run(bed(6, 'Herbs'));
      await database.run(plant(uuid(1), 'Salvia', 6));
      await database.run(plant(uuid(2), 'Mentha', 1, `'${uuid(1)}'`));
      await expect(database.run('DELETE FROM members')).rejects.toThrow(
        /FOREIGN KEY|beds_keeper_id_fkey/,
      );
      await database.run('DELETE FROM beds WHERE id = 6');
      expect(await database.rows('SELECT latin_name, parent_id FROM plants')).toEqual([
        { latin_name: 'Mentha', parent_id: null },
      ]);
      await database.run('DELETE FROM plants');
    });

    test('drops the pairs of either side', async () => {
      await database.run(
        `INSERT INTO tags (id, name, created_at, updated_at) VALUES (1, 'a', ${now}, ${now}), (2, 'b', ${now}, ${now})`,
      );
      await database.run('INSERT INTO beds_tags (bed_id, tag_id) VALUES (1, 1), (1, 2)');
      await expect(
        database.run('INSERT INTO beds_tags (bed_id, tag_id) VALUES (1, 1)'),
      ).rejects.toThrow(/unique/i);
      await database.run('DELETE FROM tags WHERE id = 1');
      expect(await database.rows('SELECT * FROM beds_tags')).toHaveLength(1);
    });

    test('never gives out an id again', async () => {
      const add = `INSERT INTO tags (name, created_at, updated_at) VALUES ('c', ${now}, ${now}) RETURNING id`;
      const idOf = async () => Number((await database.rows(add))[0]?.['id']);
      await database.run(`DELETE FROM tags`);
      const first = await idOf();
      await database.run('DELETE FROM tags');
      expect(await idOf()).toBe(first + 1);
    });
  });

  test('restricts after all cascades, in whatever order they run', async () => {
    const other = await openWith(
      schemaOf(
        [
          model('Order', {
            relations: [relation('customer', 'User', { onDelete: at('cascade') })],
          }),
          model('Payment', {
            relations: [
              relation('customer', 'User'),
              relation('order', 'Order', { onDelete: at('cascade') }),
            ],
          }),
        ],
        { database: at(engine) },
      ),
    );
    const stamps = `${now}, ${now}`;
    await other.run(
      `INSERT INTO users (id, name, email, password, created_at, updated_at) VALUES (1, 'Ann', 'a@example.test', 'x', ${stamps})`,
    );
    await other.run(
      `INSERT INTO orders (id, customer_id, created_at, updated_at) VALUES (1, 1, ${stamps})`,
    );
    await other.run(
      `INSERT INTO payments (id, customer_id, order_id, created_at, updated_at) VALUES (1, 1, 1, ${stamps})`,
    );
    await other.run('DELETE FROM users');
    expect(await other.rows('SELECT * FROM payments')).toEqual([]);
    await other.close();
  });

  test('ties circles of tables', async () => {
    const schema = schemaOf(
      [
        model('Author', { relations: [relation('favourite', 'Book', { optional: true })] }),
        model('Book', { relations: [relation('author', 'Author')] }),
        model('User', { relations: [relation('author', 'Author', { optional: true })] }),
      ],
      { database: at(engine) },
    );
    const other = await openWith(schema);
    await other.run(`INSERT INTO authors (id, created_at, updated_at) VALUES (1, ${now}, ${now})`);
    await other.run(
      `INSERT INTO books (id, author_id, created_at, updated_at) VALUES (1, 1, ${now}, ${now})`,
    );
    await expect(other.run('UPDATE authors SET favourite_id = 2')).rejects.toThrow(/foreign key/i);
    await other.run('UPDATE authors SET favourite_id = 1');
    await expect(other.run('DELETE FROM books')).rejects.toThrow(/foreign key/i);
    await other.run('UPDATE authors SET favourite_id = NULL');
    await other.migrate(migrationOf(schema).files['down.sql']);
    expect(await other.tables()).toEqual([]);
    await other.close();
  });

  test('keeps text from the schema as text', async () => {
    const hostile = `a'b"c\`\${d}*/--\n;DROP TABLE users;\\'`;
    const other = await openWith(
      schemaOf(
        [
          model('Note', {
            description: `An article.\n*/ '; DROP TABLE notes; --\r\n\u2028CREATE TABLE evil (x int);`,
            fields: [
              field('kind', 'Kind', { default: at(hostile) }),
              field('text', 'string', { default: at(hostile) }),
              field('meta', 'json', { default: at({ [hostile]: hostile }) }),
            ],
          }),
        ],
        { database: at(engine), enums: [enumOf('Kind', hostile, 'plain')] },
      ),
    );
    await other.run(`INSERT INTO notes (created_at, updated_at) VALUES (${now}, ${now})`);
    const [row] = await other.rows('SELECT kind, text, meta FROM notes');
    expect(row).toMatchObject({ kind: hostile, text: hostile });
    const meta = row?.['meta'];
    expect(typeof meta === 'string' ? JSON.parse(meta) : meta).toEqual({ [hostile]: hostile });
    expect(await other.tables()).not.toContain('evil');
    await other.close();
  });

  async function openWith(schema: Schema): Promise<TestDatabase> {
    const opened = await openDatabase(engine);
    await opened.migrate(migrationOf(schema).files['up.sql']);
    return opened;
  }
});

function migrationOf(schema: Schema): Migration {
  return initialMigration(buildApp(schema));
}

function sumOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
