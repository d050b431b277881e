import { describe, expect, test } from 'vitest';
import { keywords, commentSql, identifierSql } from '../../src/evolve/sql/sql-text.ts';
import { textSql } from '../../src/types/sql.ts';
import { openDatabase } from './database.ts';

describe('a name', () => {
  test.each([
    ['title', 'title'],
    ['created_at', 'created_at'],
    ['order', '"order"'],
    ['createdAt', '"createdAt"'],
    ['Größe', '"Größe"'],
    ['a"b', '"a""b"'],
  ])('%s is written %s', (name, written) => {
    expect(identifierSql(name)).toBe(written);
  });

  test('is quoted where a database reads it as a keyword', async () => {
    const postgres = await openDatabase('postgres');
    const sqlite = await openDatabase('sqlite');
    const rows = await postgres.rows('SELECT word FROM pg_get_keywords()');
    const words = [...new Set([...keywords, ...rows.map(({ word }) => String(word))])];
    expect(words.length).toBeGreaterThan(400);
    const columns = words.map(
      (word) => `${identifierSql(word)} text CHECK (${identifierSql(word)} <> '')`,
    );
    const tables = words.map((word) => `CREATE TABLE ${identifierSql(word)} (id int);`);
    const indexes = words.map(
      (word) => `CREATE INDEX ${identifierSql(`${word}_index`)} ON ${identifierSql(word)} (id);`,
    );
    for (const database of [postgres, sqlite]) {
      await database.run(`CREATE TABLE words_of_sql (${columns.join(', ')})`);
      await database.run([...tables, ...indexes].join('\n'));
      expect(await database.tables()).toHaveLength(words.length + 1);
      await database.close();
    }
  });
});

test('quotes in a text are escaped', () => {
  expect(textSql(`it's \\'`)).toBe(`'it''s \\'''`);
});

describe('a comment', () => {
  test('is one line, whatever line breaks it contains', () => {
    expect(commentSql('one\ntwo\r\nthree\u2028four\u2029five\vsix\fseven\u0085eight')).toBe(
      '-- one two three four five six seven eight',
    );
  });

  test('is cut between words, and never inside a character', () => {
    expect(commentSql(`${'word '.repeat(30)}`)).toBe(`-- ${'word '.repeat(19)}word…`);
    expect(commentSql('🌹'.repeat(99))).toBe(`-- ${'🌹'.repeat(50)}…`);
    expect(commentSql(`x${'🌹'.repeat(99)}`)).toBe(`-- x${'🌹'.repeat(49)}…`);
  });
});
