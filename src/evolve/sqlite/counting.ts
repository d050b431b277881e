import { databaseName } from '../../naming/database-name.ts';
import { rowCounts } from '../../schema/internal-tables.ts';
import { textSql } from '../../types/sql.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { Counting, Table } from '../tables/table.ts';

/** SQLite has one writer at a time, so one row a table is enough, changed in the transaction of the write. */
export const countingInSqlite: Counting = {
  begin: [],
  end: [],
  start: (table) =>
    sqliteTriggers(table).map(({ name, event, body }) =>
      [`CREATE TRIGGER ${name} AFTER ${event} BEGIN`, ...body, 'END;'].join('\n'),
    ),
  stop: (table) => sqliteTriggers(table).map(({ name }) => `DROP TRIGGER ${name};`),
  count: ({ name, counted }) => {
    const deleted =
      counted?.deletedAt === undefined ? '0' : `count(${identifierSql(counted.deletedAt)})`;
    const found = `SELECT ${textSql(name)}, '', count(*), ${deleted} FROM ${identifierSql(name)}`;
    return `INSERT OR REPLACE INTO ${rowCounts} (name, id, total, deleted) ${found};`;
  },
  followsNames: false,
};

function sqliteTriggers({ name, counted }: Table) {
  const deletedAt = counted?.deletedAt;
  const on = `ON ${identifierSql(name)}`;
  const trigger = (change: string, event: string, body: readonly string[]) => ({
    name: identifierSql(databaseName([name, rowCounts], change)),
    event,
    body,
  });
  const markSql = (row: 'old' | 'new') =>
    deletedAt === undefined ? '0' : `(${row}.${identifierSql(deletedAt)} IS NOT NULL)`;
  const marks = (change: string) =>
    deletedAt === undefined ? '' : `, deleted = deleted ${change}`;
  const update = (changes: string) =>
    `  UPDATE ${rowCounts} SET ${changes} WHERE name = ${textSql(name)};`;
  const whole = [
    trigger('insert', `INSERT ${on}`, [
      `  INSERT INTO ${rowCounts} (name, id, total, deleted) VALUES (${textSql(name)}, '', 1, ${markSql('new')})`,
      `    ON CONFLICT (name, id) DO UPDATE SET total = total + 1${marks('+ excluded.deleted')};`,
    ]),
    trigger('delete', `DELETE ${on}`, [update(`total = total - 1${marks(`- ${markSql('old')}`)}`)]),
  ];
  if (deletedAt === undefined) return whole;
  const event = `UPDATE OF ${identifierSql(deletedAt)} ${on}`;
  const change = `deleted = deleted + ${markSql('new')} - ${markSql('old')}`;
  return [
    ...whole,
    trigger('update', `${event} WHEN ${markSql('old')} <> ${markSql('new')}`, [update(change)]),
  ];
}
