import type { TableChanges, KeptTable } from '../table-changes.ts';
import { countingComment, createTables, dropConstraint, dropTables } from '../sql/statements.ts';
import { linkingBlocks } from '../sql/linked-keys.ts';
import { renameAll, renameTables } from '../sql/renames.ts';
import { runInTransaction, type SqlStep, runTogether } from '../sql/steps.ts';
import { countingChanges } from '../tables/counting.ts';
import { compareIndexes } from '../tables/differences.ts';
import { typeChanges } from './enum-types.ts';
import { dropNewIds, newIds } from './new-ids.ts';
import { type TablePlan, planTable } from './table-plan.ts';

/**
 * The steps of a PostgreSQL migration. The first one changes tables and locks each only briefly. Then rows are filled,
 * before constraints require it. Then rows are checked and indexes built, while reads and writes go on.
 */
export function listPostgresSteps(tableChanges: TableChanges): readonly SqlStep[] {
  const { kept, dropped, added, dialect } = tableChanges;
  const plans = kept.map((table) => planTable(table, tableChanges));
  const types = typeChanges(tableChanges);
  const counting = countingChanges(tableChanges, () => false);
  const { keep, link } = linkingBlocks(tableChanges);
  return [
    runTogether('Adds and renames enum values; this is quick.', types.values),
    runInTransaction([
      { statements: plans.flatMap(({ loosen }) => loosen) },
      { statements: [...counting.stop, ...dropKeysAmong(tableChanges)] },
      { statements: [...dropTables(dropped), ...counting.end] },
      { statements: [...renameTables(kept), ...renameIndexes(kept), ...counting.follow] },
      { statements: types.make },
      ...newIds(tableChanges),
      ...keep,
      ...plans.map(({ alter }) => ({ statements: alter })),
      { statements: [...dropNewIds(tableChanges), ...types.drop] },
      ...createTables(added, dialect),
      ...link,
      { comments: [countingComment], statements: counting.start },
      { statements: plans.flatMap(({ tighten }) => tighten) },
    ]),
    runTogether('Counts the existing rows; reads and writes go on.', counting.count),
    ...rowSteps(plans),
  ];
}

/** Fills and checks rows, while reads and writes go on. */
function rowSteps(plans: readonly TablePlan[]): readonly SqlStep[] {
  return [
    ...plans.flatMap(({ fill }) => fill),
    runTogether(
      'All existing rows are filled in. From now on, code that omits the value fails.',
      plans.flatMap(({ enforce }) => enforce),
    ),
    ...plans.flatMap(({ fillAgain }) => fillAgain),
    ...plans.flatMap(({ exchange }) => exchange),
    runTogether(
      'Checks every row; reads and writes go on.',
      plans.flatMap(({ validate }) => validate),
    ),
    runTogether(
      'The checks have shown that every row has a value: this takes a moment.',
      plans.flatMap(({ settle }) => settle),
    ),
    ...plans.flatMap(({ indexes }) => indexes),
  ];
}

/** Without these keys, tables that refer to each other can be dropped in any order. */
function dropKeysAmong({ dropped }: TableChanges): readonly string[] {
  const ids = new Set(dropped.map(({ id }) => id));
  return dropped.flatMap(({ name, foreignKeys }) =>
    foreignKeys.filter((key) => ids.has(key.target)).map((key) => dropConstraint(name, key.name)),
  );
}

function renameIndexes(tables: readonly KeptTable[]): readonly string[] {
  const kept = tables.flatMap((table) => compareIndexes(table).kept);
  return renameAll(kept, (from, to) => `ALTER INDEX ${from} RENAME TO ${to};`);
}
