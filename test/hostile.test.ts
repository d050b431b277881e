import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { addFunctions } from '../runner/sqlite/functions.ts';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { emit } from './support/emit.ts';
import { hostile, schemaOf } from './support/hostile-schema.ts';
import { outline } from './support/outline.ts';
import { freshDatabase } from './support/postgres.ts';

const engines = ['sqlite', 'postgres'] as const;

/** Emitted tests search for a `%`: it is where a hostile text has one that they find. */
const harmless = (place: string) => (place === 'default' ? 'a default of 5 %' : `a ${place}`);

describe.each(engines)('texts of a schema are data in what is emitted for %s', (engine) => {
  const expected = emit(schemaOf(harmless, engine));
  const found = emit(schemaOf(hostile, engine));
  const harmlessFiles = new Map(expected.map(({ path, content }) => [path, content]));

  test('the same files are emitted', () => {
    expect(found.map(({ path }) => path)).toEqual(expected.map(({ path }) => path));
  });

  test.each(found.filter(({ path }) => path !== 'schema.yaml'))(
    '$path says the same',
    ({ path, content }) => {
      expect(outline(path, content)).toEqual(outline(path, harmlessFiles.get(path) ?? ''));
    },
  );

  test('the migration makes the same tables and nothing else', async () => {
    const sql = (files: typeof found) =>
      files.find(({ path }) => path.endsWith('/up.sql'))?.content ?? '';
    expect(await tablesOf(engine, sql(found))).toEqual(await tablesOf(engine, sql(expected)));
  });
});

describe('a comparison of outlines notices what breaks out', () => {
  test.each([
    ['post.ts', `const a = 'x'; process.exit(66); ('');`, `const a = 'x';`],
    ['post.ts', 'const a = `${process.exit(66)}`;', 'const a = `x`;'],
    ['post.ts', `const a = 'x'; /* */ run(); /* */`, `const a = 'x'; /* run() */`],
    ['a.json', '{"a": 1, "b": 1}', '{"a": 1}'],
    ['a.yaml', 'a: b\nc: d\n', 'a: "b\\nc: d"\n'],
    ['.env.example', 'A=b\nNODE_OPTIONS=c\n', 'A=b\n'],
    ['README.md', 'Text.\n\n# Title\n', 'Text.\n\n\\# Title\n'],
    ['README.md', 'See [a](javascript:b).\n', 'See \\[a](javascript:b).\n'],
    ['README.md', 'A <b>c.\n', 'A \\<b>c.\n'],
    ['README.md', 'A https://b.example.\n', 'A b.example.\n'],
    ['README.md', '| a | b |\n| --- | --- |\n| `c` | d | e |\n', '| a |\n| --- |\n| `c` |\n'],
    ['README.md', '```mermaid\na\nb\n```\n', '```mermaid\na\n```\n'],
    ['Dockerfile', 'FROM a\nRUN b\n', 'FROM a\n'],
    ['notes.txt', 'a', 'b'],
  ])('in %s: %s', (path, broken, whole) => {
    expect(outline(path, broken)).not.toEqual(outline(path, whole));
  });
});

async function tablesOf(engine: 'sqlite' | 'postgres', sql: string): Promise<unknown[]> {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(':memory:');
    addFunctions(database);
    database.exec(sql);
    const rows = database
      .prepare(`select type, name, tbl_name from sqlite_schema order by 1, 2, 3`)
      .all();
    database.close();
    return rows;
  }
  const client = new Client(await freshDatabase());
  await client.connect();
  await client.query(sql);
  const { rows } = await client.query(
    `select table_name, column_name, data_type, is_nullable from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
  );
  await client.end();
  return rows;
}
