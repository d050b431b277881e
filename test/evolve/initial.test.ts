import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeInitialMigration } from '../../src/evolve/initial.ts';
import { buildApp } from '../../src/model/build.ts';
import type { Schema } from '../../src/schema/keys/top.ts';
import { gardenSchema } from '../model/garden.ts';
import { at, enumOf, field, model, relation, schemaOf } from '../model/schema-values.ts';
import { insert, openDatabase, stamps } from './database.ts';

describe.each(['sqlite', 'postgres'] as const)('the first migration on %s', (engine) => {
  const garden = migrationOf(gardenSchema(engine));

  test('makes the tables of models, joins, authentication and mail', async () => {
    const database = await openDatabase(engine);
    await database.migrate(garden.files['up.sql']);
    expect((await database.tables()).join(' ')).toBe(
      'auth_known_addresses auth_limits auth_mailed_tokens auth_sessions beds beds_tags mail_outbox members notes plants row_counts tags visits',
    );
    await database.close();
  });

  test('is described, with the checksum of its SQL', () => {
    const meta: unknown = JSON.parse(garden.files['meta.json']);
    expect(meta).toMatchObject({
      id: '0001_initial',
      parent: null,
      engine,
      hazards: [],
      checksums: { 'up.sql': sumOf(garden.files['up.sql']) },
    });
  });

  test('creates tables that refer to each other', async () => {
    const schema = schemaOf(
      [
        model('Author', { relations: [relation('favourite', 'Book', { optional: true })] }),
        model('Book', { relations: [relation('author', 'Author')] }),
        model('User', { relations: [relation('author', 'Author', { optional: true })] }),
      ],
      { database: at(engine) },
    );
    const circle = migrationOf(schema);
    const database = await openDatabase(engine);
    await database.migrate(circle.files['up.sql']);
    await database.run(insert('authors', { id: 1, ...stamps }));
    await database.run(insert('books', { id: 1, author_id: 1, ...stamps }));
    await expect(database.run('UPDATE authors SET favourite_id = 2')).rejects.toThrow(
      /foreign key/i,
    );
    await database.run('UPDATE authors SET favourite_id = 1');
    await database.close();
  });

  test('keeps text from the schema as text', async () => {
    const hostile = `a'b"c\`\${d}*/--\n;DROP TABLE users;\\'`;
    const schema = schemaOf(
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
    );
    const database = await openDatabase(engine);
    await database.migrate(migrationOf(schema).files['up.sql']);
    expect(await database.tables()).not.toContain('evil');
    await database.run(insert('notes', stamps));
    const [row] = await database.rows('SELECT kind, text, meta FROM notes');
    expect(row).toMatchObject({ kind: hostile, text: hostile });
    const meta = row?.['meta'];
    expect(typeof meta === 'string' ? JSON.parse(meta) : meta).toEqual({ [hostile]: hostile });
    await database.close();
  });
});

function migrationOf(schema: Schema) {
  return makeInitialMigration(buildApp(schema), 'version: 1');
}

function sumOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
