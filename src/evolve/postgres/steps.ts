import type { Block } from '../sql/block.ts';
import type { Evolution } from '../evolution.ts';
import type { Notes } from '../notes.ts';
import { indexDifferences } from '../tables/indexes.ts';
import { renamesOf } from './constraints.ts';
import { newIds } from './ids.ts';
import { planTable } from './table.ts';
import { renameSteps } from '../sql/rename-steps.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { splitKeys } from '../sql/split-keys.ts';
import {
  addForeignKey,
  createIndex,
  createTable,
  dropForeignKey,
  dropTable,
  renameTable,
} from '../sql/statements.ts';
import { type Step, together } from '../sql/step.ts';

/**
 * The steps that take a PostgreSQL database from one app to the next. The first makes room, holding each table for a
 * moment only; then rows are filled in and checked, and indexes built, while others work.
 */
export function postgresSteps(evolution: Evolution, notes: Notes): readonly Step[] {
  const plans = evolution.kept.map((table) => planTable(table, evolution));
  return [
    {
      isAlone: false,
      blocks: [
        { comments: [], statements: plans.flatMap(({ loosen }) => loosen) },
        ...dropBlocks(evolution, notes),
        { comments: [], statements: renames(evolution) },
        ...newIds(evolution),
        ...plans.map(({ table, alter }) => ({ comments: notes(table.after), statements: alter })),
        ...addBlocks(evolution),
        { comments: [], statements: plans.flatMap(({ tighten }) => tighten) },
      ],
    },
    ...plans.flatMap(({ fill }) => fill),
    together(
      'Looks at every row, while others read and write.',
      plans.flatMap(({ validate }) => validate),
    ),
    together(
      'The checks have shown that every row has a value: this takes a moment.',
      plans.flatMap(({ settle }) => settle),
    ),
    ...plans.flatMap(({ indexes }) => indexes),
  ];
}

function dropBlocks({ dropped }: Evolution, notes: Notes): readonly Block[] {
  const ids = new Set(dropped.map(({ id }) => id));
  const keys = dropped.flatMap((table) =>
    table.foreignKeys.filter((key) => ids.has(key.target)).map((key) => dropForeignKey(table, key)),
  );
  return [
    { comments: [], statements: keys },
    ...dropped
      .toReversed()
      .map((table) => ({ comments: notes(table), statements: [dropTable(table)] })),
  ];
}

function renames({ kept }: Evolution): readonly string[] {
  const tables = renameSteps(kept.map((it) => ({ from: it.before.name, to: it.after.name })));
  const indexes = renamesOf(kept.map(indexDifferences));
  return [
    ...tables.map(({ from, to }) => renameTable(from, to)),
    ...indexes.map(
      ({ from, to }) => `ALTER INDEX ${identifierSql(from)} RENAME TO ${identifierSql(to)};`,
    ),
  ];
}

function addBlocks({ added, dialect }: Evolution): readonly Block[] {
  const ids = new Set(added.map(({ id }) => id));
  const split = splitKeys(added, (key, made) => made.has(key.target) || !ids.has(key.target));
  return [
    ...split.map(({ table, now }) => ({
      comments: [],
      statements: [
        createTable(table, now, dialect),
        ...table.indexes.map((index) => createIndex(table, index)),
      ],
    })),
    {
      comments: [],
      statements: split.flatMap(({ table, later }) =>
        later.map((key) => addForeignKey(table, key, dialect)),
      ),
    },
  ];
}
