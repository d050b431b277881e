import { storageOf } from '../dialect.ts';
import type { Block } from '../sql/block.ts';
import { idsTable, rekeyedId } from '../columns/column-source.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import type { Notes } from '../notes.ts';
import { needsRebuild } from './rebuild.ts';
import { renameSteps } from '../sql/rename-steps.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { alterTable, indexesDropped, rebuildTable } from './table.ts';
import { createIndex, createTable, dropIndex, dropTable, renameTable } from '../sql/statements.ts';
import { isTouched } from '../tables/is-touched.ts';
import type { Table } from '../tables/table.ts';

/**
 * The statements that take a SQLite database from one app to the next, for one transaction with foreign keys off.
 * Names change first, by ALTER TABLE, so that views and triggers of the owner's follow.
 */
export function sqliteBlocks(evolution: Evolution, notes: Notes): readonly Block[] {
  const rebuilt = new Set(evolution.kept.filter((table) => needsRebuild(table, evolution)));
  const kept = evolution.kept.map((table) => ({
    table,
    comments: notes(table.after),
    statements: rebuilt.has(table) ? rebuildTable(table, evolution) : alterTable(table, evolution),
  }));
  const named = kept.filter(({ table, statements }) => isTouched(table) && statements.length === 0);
  return [
    ...evolution.dropped
      .toReversed()
      .map((table) => ({ comments: notes(table), statements: [dropTable(table)] })),
    { comments: named.flatMap(({ comments }) => comments), statements: names(evolution) },
    ...(rebuilt.size > 0 ? [carryBlock] : []),
    ...rekeyedTables(evolution).map((table) => newIdsBlock(table, evolution)),
    ...kept,
    {
      comments: [],
      statements: rekeyedTables(evolution).map(
        ({ after }) => `DROP TABLE ${identifierSql(idsTable(after.name))};`,
      ),
    },
    ...evolution.added.map((table) => ({
      comments: notes(table),
      statements: addTable(table, evolution),
    })),
  ];
}

function names({ kept }: Evolution): readonly string[] {
  const renames = renameSteps(
    kept.map(({ before, after }) => ({ from: before.name, to: after.name })),
  );
  return [
    ...kept.flatMap(indexesDropped).map(dropIndex),
    ...renames.map(({ from, to }) => renameTable(from, to)),
  ];
}

/** `DROP TABLE` takes along what the owner has made on the table. */
const carryBlock: Block = {
  comments: [
    'Tables below are made again. Indexes and triggers of yours are kept here until the runner has made them again.',
  ],
  statements: ['CREATE TEMP TABLE IF NOT EXISTS carried__objects (sql text NOT NULL);'],
};

function rekeyedTables({ kept }: Evolution): readonly KeptTable[] {
  return kept.filter(({ columns }) => rekeyedId(columns) !== undefined);
}

function newIdsBlock({ after, columns }: KeptTable, { dialect }: Evolution): Block {
  const ids = identifierSql(idsTable(after.name));
  const isCounted = rekeyedId(columns)?.after.generated;
  const newId = isCounted ? 'rowid' : storageOf({ kind: 'uuid' }, dialect).made;
  return {
    comments: [`What becomes of each id of ${after.name}.`],
    statements: [
      `CREATE TEMP TABLE ${ids} (old_id PRIMARY KEY, new_id UNIQUE NOT NULL);`,
      `INSERT INTO ${ids} SELECT id, ${newId} FROM ${identifierSql(after.name)};`,
    ],
  };
}

function addTable(table: Table, { dialect }: Evolution): readonly string[] {
  return [
    createTable(table, table.foreignKeys, dialect),
    ...table.indexes.map((index) => createIndex(table, index)),
  ];
}
