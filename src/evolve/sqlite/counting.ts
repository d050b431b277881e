import { identifier } from '../../model/identifier.ts';
import { rowCounts } from '../../schema/internal-tables.ts';
import { textSql } from '../../types/sql.ts';
import type { Counting } from '../dialect.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { Table } from '../tables/table.ts';

/** One writes at a time, so one row a table is enough, changed in the transaction of the write. */
export const countingInSqlite: Counting = {
  begin: [],
  end: [],
  start: (table) =>
    triggersOf(table).map(({ name, when, body }) =>
      [
        `CREATE TRIGGER ${name} AFTER ${when} BEGIN`,
        ...body.map((line) => `  ${line}`),
        'END;',
      ].join('\n'),
    ),
  stop: (table) => triggersOf(table).map(({ name }) => `DROP TRIGGER ${name};`),
  count: ({ name, counted }) => {
    const deleted = counted === 'with deleted' ? 'count(deleted_at)' : '0';
    return `INSERT OR REPLACE INTO ${rowCounts} (name, id, total, deleted) SELECT ${textSql(name)}, '', count(*), ${deleted} FROM ${identifierSql(name)};`;
  },
  followsNames: false,
};

function triggersOf({ name, counted }: Table) {
  const isKept = counted === 'with deleted';
  const trigger = (change: string) => identifierSql(identifier([name, rowCounts], change));
  const on = identifierSql(name);
  const row = `WHERE name = ${textSql(name)};`;
  const added = isKept ? 'new.deleted_at IS NOT NULL' : '0';
  const taken = isKept ? ', deleted = deleted - (old.deleted_at IS NOT NULL)' : '';
  const changes = [
    {
      name: trigger('insert'),
      when: `INSERT ON ${on}`,
      body: [
        `INSERT INTO ${rowCounts} (name, id, total, deleted) VALUES (${textSql(name)}, '', 1, ${added})`,
        '  ON CONFLICT (name, id) DO UPDATE SET total = total + 1, deleted = deleted + excluded.deleted;',
      ],
    },
    {
      name: trigger('delete'),
      when: `DELETE ON ${on}`,
      body: [`UPDATE ${rowCounts} SET total = total - 1${taken} ${row}`],
    },
  ];
  if (!isKept) return changes;
  const other = '(old.deleted_at IS NULL) <> (new.deleted_at IS NULL)';
  const more = 'deleted + (new.deleted_at IS NOT NULL) - (old.deleted_at IS NOT NULL)';
  return [
    ...changes,
    {
      name: trigger('update'),
      when: `UPDATE OF deleted_at ON ${on} WHEN ${other}`,
      body: [`UPDATE ${rowCounts} SET deleted = ${more} ${row}`],
    },
  ];
}
