import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/model/app.ts';
import { readStatements } from '../../fixtures/apps/minimal/sqlite/src/database/migrations/read.ts';
import { evolved, historyOf } from './support/history.ts';
import { openAny } from './support/open-any.ts';

const plain = 'models: { Tree: { fields: { title: string } } }';

async function open(engine: Engine) {
  const project = await openAny(engine, historyOf(engine, [plain]));
  const schema = {
    sqlite: 'SELECT name FROM sqlite_schema',
    postgres: 'SELECT relname AS name FROM pg_class',
  };
  return {
    /** Applies a folder of one's own. */
    async up(sql: string): Promise<void> {
      await mkdir(join(project.folder, '0002_own'), { recursive: true });
      await writeFile(join(project.folder, '0002_own/up.sql'), sql);
      await project.up();
    },
    tables: () =>
      project.rows(
        `SELECT * FROM (${schema[engine]}) AS all_of WHERE name LIKE 'mine%' ORDER BY 1`,
      ),
  };
}

describe.each(['sqlite', 'postgres'] as const)('SQL that somebody has written, on %s', (engine) => {
  test.each([
    'create table mine (a int);\nEND;\ncreate table mine_too (a int);',
    'create table mine (a int); commit; create table mine_too (a int)',
    'create table mine (a int);\n/* so; */ RollBack -- no\n;',
    'BEGIN TRANSACTION; create table mine (a int)',
    `create table mine (a text default ';'); end transaction;`,
  ])('may not end its transaction: %j', async (sql) => {
    const written = await open(engine);
    await expect(written.up(sql)).rejects.toThrow(
      /^Migration 0002_own says `\w+.*Nothing was changed\.$/,
    );
    expect(await written.tables()).toEqual([]);
    await written.up('create table mine (a int);');
    expect(await written.tables()).toEqual([['mine']]);
  });

  test.each([
    `create table mine (a text default 'COMMIT;');`,
    `-- COMMIT;\ncreate table mine (a text); /* END; */`,
    `savepoint here; create table mine (a int); rollback to here; create table mine (a int); release here;`,
  ])('may speak of it: %j', async (sql) => {
    const written = await open(engine);
    await written.up(sql);
    expect(await written.tables()).toEqual([['mine']]);
  });

  test('is refused when it holds what would end it in silence', async () => {
    const written = await open(engine);
    await expect(written.up('create table mine (a int);\0 drop table mine;')).rejects.toThrow(
      'holds a NUL character',
    );
    expect(await written.tables()).toEqual([]);
  });

  test('keeps the line ends of a value that the schema has', async () => {
    const first = 'models: { Note: { timestamps: false, fields: { title: string } } }';
    const history = evolved(
      historyOf(engine, [first]),
      'models: { Note: { timestamps: false, fields: { title: string, body: { type: text, backfill: "a\\r\\nb\\\\n\'\\rc" } } } }',
    );
    const up = history.migrations.at(-1)?.files['up.sql'] ?? '';
    expect(up).not.toContain('\r');
    expect(up).toMatch(engine === 'sqlite' ? /char\(13\)/ : /E'a\\r\n/);
  });
});

test('a trigger of SQLite and a function of PostgreSQL are one statement each', () => {
  const trigger = `CREATE TEMP TRIGGER t AFTER UPDATE ON a BEGIN UPDATE a SET b = CASE b WHEN 1 THEN 2 END; DELETE FROM c; END;`;
  const atomic = 'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;';
  const quoted = `DO $a$ BEGIN COMMIT; END $a$;`;
  const column = "CREATE TABLE c (\"begin\" int, e text DEFAULT E'\\';END;');";
  const script = [trigger, atomic, quoted, column, 'SELECT 1'];
  expect(readStatements(script.join('\n')).map(({ text }) => text.trim())).toEqual(script);
});
