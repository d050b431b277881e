import type { Block } from '../sql/block.ts';
import { idsTable, rekeyedId } from '../columns/column-source.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import type { Notes } from '../notes.ts';
import { needsRebuild } from './rebuild.ts';
import { renameSteps } from '../sql/rename-steps.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { alterTable, indexesDropped, rebuildTable } from './table.ts';
import { createIndex, createTable, dropIndex, dropTable, renameTable } from '../sql/statements.ts';
import type { Table } from '../tables/table.ts';

/**
 * The statements that take a SQLite database from one app to the next, for one transaction with foreign keys off.
 * Names change first, by ALTER TABLE, so that views and triggers of the owner's follow.
 */
export function sqliteBlocks(evolution: Evolution, notes: Notes): readonly Block[] {
  const rebuilt = new Set(evolution.kept.filter((table) => needsRebuild(table, evolution)));
  return [
    ...evolution.dropped
      .toReversed()
      .map((table) => ({ comments: notes(table), statements: [dropTable(table)] })),
    namesBlock(evolution),
    ...(rebuilt.size > 0 ? [carryBlock] : []),
    ...rekeyedTables(evolution).map((table) => newIdsBlock(table, evolution)),
    ...evolution.kept.map((table) => ({
      comments: notes(table.after),
      statements: rebuilt.has(table)
        ? rebuildTable(table, evolution)
        : alterTable(table, evolution),
    })),
    {
      comments: [],
      statements: rekeyedTables(evolution).map(
        ({ after }) => `DROP TABLE ${identifierSql(idsTable(after.name))};`,
      ),
    },
    ...evolution.added.map((table) => addedBlock(table, evolution)),
  ];
}

function namesBlock({ kept }: Evolution): Block {
  const renames = renameSteps(
    kept.map(({ before, after }) => ({ from: before.name, to: after.name })),
  );
  const indexes = kept.flatMap(indexesDropped);
  return {
    comments: [],
    statements: [
      ...indexes.map(dropIndex),
      ...renames.map(({ from, to }) => renameTable(from, to)),
    ],
  };
}

/** `DROP TABLE` takes along what the owner has made on the table. The second table can never hold a row. */
const carryBlock: Block = {
  comments: [
    'Tables below are made anew. Indexes and triggers of yours are kept here until the runner has made them again; a column that the schema does not know stops the migration.',
  ],
  statements: [
    'CREATE TEMP TABLE IF NOT EXISTS carried__objects (sql text NOT NULL);',
    'CREATE TEMP TABLE IF NOT EXISTS unknown__columns (',
    '  name text CONSTRAINT the_schema_does_not_know_a_column_of_this_table CHECK (name IS NULL)',
    ');',
  ],
};

function rekeyedTables({ kept }: Evolution): readonly KeptTable[] {
  return kept.filter(({ columns }) => rekeyedId(columns) !== undefined);
}

function newIdsBlock({ after, columns }: KeptTable, { dialect }: Evolution): Block {
  const ids = identifierSql(idsTable(after.name));
  const isCounted = rekeyedId(columns)?.after.generated;
  const newId = isCounted ? 'row_number() OVER (ORDER BY rowid)' : dialect.generated.uuid;
  return {
    comments: [`What becomes of each id of ${after.name}.`],
    statements: [
      `CREATE TEMP TABLE ${ids} (old_id PRIMARY KEY, new_id UNIQUE NOT NULL);`,
      `INSERT INTO ${ids} SELECT id, ${newId} FROM ${identifierSql(after.name)};`,
    ],
  };
}

function addedBlock(table: Table, { dialect }: Evolution): Block {
  return {
    comments: [],
    statements: [
      createTable(table, table.foreignKeys, dialect),
      ...table.indexes.map((index) => createIndex(table, index)),
    ],
  };
}
