import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { emit, writeFiles } from '../support/emit.ts';
import { failuresOfOwnTests } from '../support/failures-of-own-tests.ts';
import { install } from '../support/install.ts';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';

/** Tables and triggers that an owner adds by a migration: full text search, and a table that nobody may delete from. */
const migrations = {
  sqlite: `
create virtual table notes_search using fts5(text, content = 'notes', content_rowid = 'id');
create trigger notes_insert after insert on notes begin
  insert into notes_search (rowid, text) values (new.id, new.text);
end;
create trigger notes_delete after delete on notes begin
  insert into notes_search (notes_search, rowid, text) values ('delete', old.id, old.text);
end;
create virtual table papers using fts5(text);
create virtual table words using fts5(text, content = '');
create table ledger (id integer primary key, line text) strict;
create trigger ledger_stays before delete on ledger begin select raise(abort, 'the ledger stays'); end;
`,
  postgres: `
create schema archive;
create table archive.papers (text text);
create table ledger (line text);
create function keep() returns trigger language plpgsql as $$ begin raise 'the ledger stays'; end $$;
create trigger ledger_stays before delete on ledger for each row execute function keep();
`,
};

/** Only admins see its rows; for others they do not exist: 404, as the tests of the project expect. */
const closedModel = `
  Audit:
    fields: { line: string(1..80) }
    access: { read: admin }
`;

/** Each test runs twice: the second run would find what the first has left. */
const suites = {
  sqlite: suite(
    ["insert into papers values ('one')", "insert into words (rowid, text) values (1, 'one')"],
    [
      'select count(*) as count from papers',
      "select count(*) as count from words where words match 'one'",
      "select count(*) as count from notes_search where notes_search match 'snow'",
    ],
  ),
  postgres: suite(
    ["insert into archive.papers values ('one')"],
    ['select count(*)::int as count from archive.papers'],
  ),
};

function suite(writes: readonly string[], counts: readonly string[]): string {
  return `
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startTestApp } from './app.ts';

const { app, make } = await startTestApp();
const { database } = app;

describe('tables of the owner', () => {
  it.each(['once', 'and once more'])('are empty when a test begins, %s', async () => {
    for (const count of ${JSON.stringify([...counts, 'select count(*) as count from ledger'])}) {
      const { rows } = await sql<{ count: number }>\`\${sql.raw(count)}\`.execute(database);
      expect([count, Number(rows[0]?.count)]).toEqual([count, 0]);
    }
    await make.note({ text: 'The first snow' });
    for (const write of ${JSON.stringify([...writes, "insert into ledger (line) values ('one')"])}) {
      await sql.raw(write).execute(database);
    }
    await expect(sql.raw('delete from ledger').execute(database)).rejects.toThrow(/stays/);
  });
});
`;
}

test.each(['sqlite', 'postgres'] as const)(
  'on %s, virtual tables, triggers and schemas of the owner do not break the tests',
  async (engine) => {
    const file = 'minimal.yaml';
    const text = readFileSync(join(root, 'templates/examples', file), 'utf8') + closedModel;
    const folder = join(await scratchFolder(`own-tables-${engine}`), 'notes');
    await writeFiles(folder, [
      ...emit(withDatabase({ text, file }, engine).text),
      ownFile('migrations/0002_search/up.sql', migrations[engine]),
      ownFile('test/own-tables.test.ts', suites[engine]),
    ]);
    await install(folder);
    // With the PostgreSQL that the project brings along.
    expect(await failuresOfOwnTests(folder)).toBe('');
  },
);

const ownFile = (path: string, content: string) =>
  ({ id: path, path, content, policy: 'yours', kind: 'text', mode: '644' }) as const;
