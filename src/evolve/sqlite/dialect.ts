import type { Dialect } from '../dialect.ts';
import { idsTable } from '../columns/column-source.ts';
import { everyBound } from '../columns/bounds.ts';
import { identifierSql } from '../sql/sql-text.ts';

export const sqlite: Dialect = {
  engine: 'sqlite',
  title: 'SQLite',
  generatedId: 'integer PRIMARY KEY AUTOINCREMENT',
  tableOptions: ' STRICT',
  length: { characters: 'length', bytes: 'length' },
  forwardReferences: true,
  // Every key waits for the end of the statement.
  deferred: '',
  // An INTEGER column holds 64 bits, whatever the schema calls it.
  bounds: everyBound,
  // A key that leads nowhere stays: the look at every reference finds it then.
  newId: (table, old) =>
    `coalesce((SELECT new_id FROM ${identifierSql(idsTable(table))} WHERE old_id = ${old}), ${old})`,
};
