import { textSql } from '../../types/sql.ts';
import { idsTable, storageOf } from '../dialect.ts';
import type { TableChanges, KeptTable } from '../table-changes.ts';
import type { Pair } from '../pairs.ts';
import { identifierSql, identifiersSql } from '../sql/sql-text.ts';
import {
  addColumn,
  createIndex,
  createTable,
  countingComment,
  createTables,
  dropColumn,
  dropIndex,
  dropTables,
} from '../sql/statements.ts';
import { linkingBlocks } from '../sql/linked-keys.ts';
import { renameColumns, renameTables } from '../sql/renames.ts';
import type { Block } from '../sql/steps.ts';
import { keptColumns } from '../tables/column-source.ts';
import { countingChanges } from '../tables/counting.ts';
import { compareIndexes } from '../tables/differences.ts';
import type { Column } from '../tables/table.ts';
import { needsRebuild } from './needs-rebuild.ts';

/**
 * The statements that take a SQLite database from one app to the next, for one transaction with foreign keys off.
 * Names change first, by ALTER TABLE, so that the owner's views and triggers follow.
 */
export function listSqliteBlocks(tableChanges: TableChanges): readonly Block[] {
  const { kept, added, dropped, dialect } = tableChanges;
  const rebuilt = new Set(kept.filter((table) => needsRebuild(table, tableChanges)));
  const rekeyed = kept.filter(({ newId }) => newId !== undefined);
  const counting = countingChanges(tableChanges, (table) => rebuilt.has(table));
  const { keep, link } = linkingBlocks(tableChanges);
  return [
    { statements: counting.stop },
    { statements: [...dropTables(dropped), ...counting.follow] },
    {
      statements: [
        ...kept.flatMap((table) => indexChanges(table).dropped).map(dropIndex),
        ...renameTables(kept),
      ],
    },
    ...(rebuilt.size > 0 ? [carryBlock] : []),
    ...rekeyed.map((table) => newIdsBlock(table, tableChanges)),
    ...keep,
    ...kept.map((table) => ({
      statements: (rebuilt.has(table) ? rebuildTable : alterKeptTable)(table, tableChanges),
    })),
    { statements: rekeyed.map(({ after }) => `DROP TABLE ${idsTable(after.name)};`) },
    ...createTables(added, dialect),
    ...link,
    { comments: [countingComment], statements: [...counting.start, ...counting.count] },
  ];
}

/** `DROP TABLE` also drops the owner's indexes and triggers on the table. */
const carryBlock: Block = {
  comments: [
    'Tables below are rebuilt. Your own indexes and triggers are kept here until the runner has created them again.',
  ],
  statements: ['CREATE TEMP TABLE IF NOT EXISTS carried__objects (sql text NOT NULL);'],
};

function newIdsBlock({ after, newId }: KeptTable, { dialect }: TableChanges): Block {
  const ids = idsTable(after.name);
  const isCounted = newId?.after.generated;
  const made = isCounted ? 'rowid' : storageOf({ kind: 'uuid' }, dialect).made;
  return {
    comments: [`The new id for each old id of ${after.name}.`],
    statements: [
      `CREATE TEMP TABLE ${ids} (old__id PRIMARY KEY, new__id UNIQUE NOT NULL);`,
      `INSERT INTO ${ids} SELECT ${identifierSql(newId?.before.name ?? '')}, ${made} FROM ${identifierSql(after.name)};`,
    ],
  };
}

/** For tables that need no rebuild; the table and its indexes have their new names already. */
function alterKeptTable(table: KeptTable, { dialect }: TableChanges): readonly string[] {
  const { after, columns, dropped } = table;
  const added = columns.filter(({ before }) => before === undefined);
  return [
    ...dropped.map((column) => dropColumn(after.name, column)),
    ...renameColumns(after.name, keptColumns(columns)),
    ...added.map((source) => addColumn(after, source.after, dialect)),
    ...indexChanges(table).made.map((index) => createIndex(after, index)),
  ];
}

/** SQLite cannot rename an index, so it is dropped and made again. */
function indexChanges(table: KeptTable) {
  const { dropped, added, kept } = compareIndexes(table);
  const renamed = kept.filter(({ before, after }) => before.name !== after.name);
  return {
    dropped: [...dropped, ...renamed.map(({ before }) => before)],
    made: [...added, ...renamed.map(({ after }) => after)],
  };
}

/**
 * A new table that takes the rows of the old one and then its name (https://sqlite.org/lang_altertable.html, section
 * 7). Other tables, views and triggers keep referring to that name: the legacy way of renaming leaves them alone.
 */
function rebuildTable(table: KeptTable, { dialect }: TableChanges): readonly string[] {
  const { after, columns } = table;
  const rebuilt = `${after.name}__rebuilt`;
  const [name, newName] = [identifierSql(after.name), identifierSql(rebuilt)];
  const rowId = copyRowId(table);
  const columnNames = [...rowId, ...columns.map((it) => it.after.name)];
  const values = columns.map(({ after: column, before, value }) =>
    value(before === undefined ? 'NULL' : identifierSql(column.name)),
  );
  return [
    ...renameColumns(after.name, [...keptColumns(columns), ...droppedAside(table)]),
    createTable({ ...after, name: rebuilt }, after.foreignKeys, dialect),
    `INSERT INTO ${newName} (${identifiersSql(columnNames)})`,
    `SELECT${printSqlList([...rowId, ...values])}FROM ${name};`,
    ...carrySequence(table, rebuilt),
    ...carryOwn(table),
    `DROP TABLE ${name};`,
    '-- Views, triggers and keys keep referring to this table by name.',
    'PRAGMA legacy_alter_table = ON;',
    `ALTER TABLE ${newName} RENAME TO ${name};`,
    'PRAGMA legacy_alter_table = OFF;',
    ...after.indexes.map((index) => createIndex(after, index)),
  ];
}

/** SQLite's own number of a row, by which the owner's search index may refer to it; a counted id is that number. */
function copyRowId({ before, after }: KeptTable): readonly string[] {
  const isCounted = after.columns.some(({ generated }) => generated);
  const isTaken = [before, after].some(({ columns }) =>
    columns.some(({ name }) => name.toLowerCase() === 'rowid'),
  );
  return isCounted || isTaken ? [] : ['rowid'];
}

/** A dropped column may have the name that another one gets. */
function droppedAside({ dropped, columns }: KeptTable): readonly Pair<Pick<Column, 'name'>>[] {
  const renamed = keptColumns(columns).filter(({ before, after }) => before.name !== after.name);
  const wanted = new Set(renamed.map(({ after }) => after.name.toLowerCase()));
  return dropped
    .filter(({ name }) => wanted.has(name.toLowerCase()))
    .map((before) => ({ before, after: { name: `${before.name}__dropped` } }));
}

/** Ids of deleted rows are never used again. */
function carrySequence({ before, after }: KeptTable, rebuilt: string): readonly string[] {
  const isCounted = [before, after].every(({ columns }) => columns.some((it) => it.generated));
  if (!isCounted) return [];
  return [
    '-- Ids of deleted rows are not used again.',
    `DELETE FROM sqlite_sequence WHERE name = ${textSql(rebuilt)};`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${textSql(rebuilt)}, seq FROM sqlite_sequence WHERE name = ${textSql(after.name)};`,
  ];
}

function carryOwn({ before, after }: KeptTable): readonly string[] {
  const names = [...before.indexes, ...after.indexes].map(({ name }) => textSql(name));
  const known = [...new Set(names)].join(', ');
  const others = known === '' ? '' : ` AND name NOT IN (${known})`;
  return [
    'INSERT INTO carried__objects SELECT sql FROM sqlite_master',
    `  WHERE tbl_name = ${textSql(after.name)} AND type IN ('index', 'trigger') AND sql IS NOT NULL${others};`,
  ];
}

const longestList = 80;

function printSqlList(values: readonly string[]): string {
  const line = values.join(', ');
  return line.length <= longestList ? ` ${line} ` : `\n  ${values.join(',\n  ')}\n`;
}
