import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStatements } from '../../runner/statements.ts';
import { say } from '../support/say.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { evolved, historyOf } from './support/history.ts';
import { openAny } from './support/open-any.ts';
import type { Engine } from '../../src/types/field-type.ts';

const plain =
  'auth: none\nmodels: { Tree: { timestamps: false, fields: { title: string(1..9) } } }';

async function open(engine: Engine) {
  const project = await openAny(engine, historyOf(engine, [plain]));
  const schema = {
    sqlite: 'SELECT name FROM sqlite_schema',
    postgres: 'SELECT relname AS name FROM pg_class',
  };
  const put = async (id: string, sql: string) => {
    await mkdir(join(project.folder, id), { recursive: true });
    await writeFile(join(project.folder, id, 'up.sql'), sql);
  };
  return {
    /** Applies these migrations of the owner, all in one run. */
    async up(...scripts: readonly string[]): Promise<void> {
      for (const [index, sql] of scripts.entries()) await put(`000${index + 2}_own`, sql);
      await project.up();
    },
    run: project.run,
    rows: project.rows,
    tables: () =>
      project.rows(
        `SELECT * FROM (${schema[engine]}) AS all_of WHERE name LIKE 'mine%' ORDER BY 1`,
      ),
  };
}

test.each(['sqlite', 'postgres'] as const)(
  'an added comment keeps the checks of generated SQL, an added statement drops them, on %s',
  async (engine) => {
    const start = historyOf(engine, [plain]);
    const next = evolved(start, plain.replace('1..9', '1..3'));
    const project = await openAny(engine, start);
    await project.run(`INSERT INTO trees (title) VALUES ('willow')`);
    const file = join(project.folder, String(next.migrations.at(-1)?.id), 'up.sql');
    const up = String(next.migrations.at(-1)?.files['up.sql']);
    await project.put(next);
    await writeFile(file, `-- Reviewed.\n${up}\n  \n-- So.\n`);
    await expect(project.up()).rejects.toThrow(/SCF424 Tree.title, 1 row/);
    await writeFile(
      file,
      up.replace(/^(ALTER|CREATE TEMP)/m, `UPDATE trees SET title = 'oak';\n$1`),
    );
    expect(await project.up()).toContainEqual(expect.stringContaining('SCF424 Tree.title, 1 row'));
  },
);

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
  ])('may contain words that would end it: %j', async (sql) => {
    const written = await open(engine);
    await written.up(sql);
    expect(await written.tables()).toEqual([['mine']]);
  });

  test('is refused when it contains a character that would cut it off silently', async () => {
    const written = await open(engine);
    await expect(written.up('create table mine (a int);\0 drop table mine;')).rejects.toThrow(
      'holds a NUL character',
    );
    expect(await written.tables()).toEqual([]);
  });

  test('may begin with a byte order mark, as some editors write it', async () => {
    const written = await open(engine);
    await written.up('\uFEFFcreate table mine (a int);');
    expect(await written.tables()).toEqual([['mine']]);
  });

  test('leaves none of its session settings to the next one', async () => {
    const session = {
      sqlite: 'pragma ignore_check_constraints = on;',
      postgres: `create schema other; set search_path = other, public; set session_replication_role = replica;
        grant all on schema other to pg_monitor; set role pg_monitor;`,
    };
    const scratch = `create temp table scratch as select 'Oak' as title; insert into trees (title) select title from scratch;`;
    const written = await open(engine);
    await written.up(`${scratch} ${session[engine]} create table mine (a int);`, scratch);
    expect(await written.rows('SELECT title FROM trees')).toEqual([['Oak'], ['Oak']]);
    expect(await written.tables()).toEqual([['mine']]);

    const other = await open(engine);
    const empty = `insert into trees (title) values ('');`;
    await expect(other.up(session[engine], empty)).rejects.toThrow(/0003_own.*trees_title_check/);
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

/** A part of what owners write: the rows that it leaves in `mine`, or that it is refused. */
interface Part {
  readonly sql: string;
  readonly rows?: readonly string[];
  readonly isRefused?: true;
}

const texts = [
  'COMMIT;',
  'x; END',
  "it''s",
  '$$',
  '$a$',
  '-- no',
  '/* no',
  '*/',
  '2024-02-29',
  'a\nb',
];
const shared: readonly Part[] = [
  ...texts.map((text) => ({
    sql: `INSERT INTO mine VALUES ('${text}')`,
    rows: [text.replaceAll("''", "'")],
  })),
  { sql: "-- COMMIT; BEGIN\nINSERT INTO mine /* ROLLBACK; */ VALUES ('c')", rows: ['c'] },
  { sql: 'SAVEPOINT s; DELETE FROM mine; ROLLBACK TO s; RELEASE s' },
  { sql: "INSERT INTO mine SELECT CASE WHEN 1 = 1 THEN 'case' ELSE 'END' END", rows: ['case'] },
  ...['COMMIT', 'end', 'Rollback', 'BEGIN', '/* x */ commit -- y\n', 'END TRANSACTION'].map(
    (sql) => ({ sql, isRefused: true }) as const,
  ),
  { sql: "INSERT INTO mine VALUES ('\0')", isRefused: true },
];
const parts: Readonly<Record<Engine, readonly Part[]>> = {
  sqlite: [
    ...shared,
    {
      sql: 'CREATE TRIGGER IF NOT EXISTS own AFTER DELETE ON mine BEGIN SELECT CASE WHEN 1 THEN 2 END; SELECT 1; END',
    },
  ],
  postgres: [
    ...shared,
    { sql: "DO $$ BEGIN INSERT INTO mine VALUES ('do; COMMIT;'); END $$", rows: ['do; COMMIT;'] },
    { sql: "INSERT INTO mine VALUES ($q$it's; END;$q$)", rows: ["it's; END;"] },
    { sql: "INSERT INTO mine VALUES (E'\\';COMMIT;')", rows: ["';COMMIT;"] },
    { sql: "INSERT INTO mine VALUES ('infinity'::timestamptz::text)", rows: ['infinity'] },
    {
      sql: 'CREATE OR REPLACE FUNCTION own() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END',
    },
  ],
};

const scripts = (engine: Engine) =>
  fc.record({
    parts: fc.array(fc.constantFrom(...parts[engine]), { minLength: 1, maxLength: 6 }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  });

interface Script {
  readonly parts: readonly Part[];
  readonly lineEnd: string;
}

/** Compares what a script has to leave with what it has left: nothing where it is refused. */
async function tryScript(engine: Engine, script: Script, isGuarded = true) {
  const written = await open(engine);
  await written.run('CREATE TABLE mine (a text)');
  const sql = script.parts.map((part) => `${part.sql};\n`).join('');
  const text = sql.replaceAll('\n', script.lineEnd);
  const isRefused = script.parts.some((part) => part.isRefused);
  if (isGuarded) {
    const error: unknown = await written.up(text).catch((cause: unknown) => cause);
    if (isRefused) expect(String(error)).toMatch(/Nothing was changed\.$|holds a NUL character/);
    else if (error !== undefined) throw error;
  } else
    await written
      .run(`BEGIN;\n${text}\nCOMMIT;`)
      .catch(() => written.run('ROLLBACK').catch(() => {}));
  const left = (await written.rows('SELECT a FROM mine')).map(String);
  expect(left).toEqual(isRefused ? [] : script.parts.flatMap(({ rows = [] }) => rows));
}

describe.each(['sqlite', 'postgres'] as const)('any SQL of the owner on %s', (engine) => {
  const options = { seed: searchSeed(), endOnFailure: true };

  test('is applied as written, or refused as a whole', async () => {
    const numRuns = trials({ quick: 6, full: 30, deep: 1000 });
    const property = fc.asyncProperty(scripts(engine), (script) => tryScript(engine, script));
    await fc.assert(property, { ...options, numRuns });
    say(`${numRuns} scripts on ${engine}`);
  });

  test('would not be if it were not checked first', async () => {
    const property = fc.asyncProperty(scripts(engine), (it) => tryScript(engine, it, false));
    await expect(fc.assert(property, { ...options, numRuns: 60 })).rejects.toThrow(
      'Property failed',
    );
  });
});

test('a migration that has ended its transaction unnoticed does not count as applied', async () => {
  const written = await open('sqlite');
  const hidden = `create table mine ([it's] int); commit; create table mine_too (a int); --'`;
  await expect(written.up(hidden)).rejects.toThrow(
    'Migration 0002_own has ended its transaction: what it did until then stays',
  );
  expect(await written.rows('SELECT id FROM schema_migrations')).toEqual([['0001_initial']]);
});

test('a SQLite trigger and a PostgreSQL function count as one statement each', () => {
  const trigger = `CREATE TEMP TRIGGER t AFTER UPDATE ON a BEGIN UPDATE a SET b = CASE b WHEN 1 THEN 2 END; DELETE FROM c; END;`;
  const cases = `CREATE TRIGGER u AFTER UPDATE ON a BEGIN DELETE FROM c; SELECT CASE WHEN 1 THEN 2 END; END;`;
  const atomic = 'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;';
  const quoted = `DO $a$ BEGIN COMMIT; END $a$;`;
  const column = "CREATE TABLE c (\"begin\" int, e text DEFAULT E'\\';END;');";
  const script = [trigger, cases, atomic, quoted, column, 'SELECT 1'];
  expect(readStatements(script.join('\n')).map(({ text }) => text.trim())).toEqual(script);
});
