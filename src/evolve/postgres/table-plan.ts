import type { TableChanges, KeptTable } from '../table-changes.ts';
import type { Pairs } from '../pairs.ts';
import { identifierSql, identifiersSql } from '../sql/sql-text.ts';
import {
  alterTable,
  checkSql,
  createIndex,
  dropColumn,
  dropConstraint,
  dropIndex,
  foreignKeySql,
} from '../sql/statements.ts';
import { renameAll, renameColumns } from '../sql/renames.ts';
import { runAlone, type SqlStep } from '../sql/steps.ts';
import { keptColumns } from '../tables/column-source.ts';
import type { TableCheck, ForeignKey, Table, TableIndex } from '../tables/table.ts';
import { compareChecks, compareIndexes, compareKeys } from '../tables/differences.ts';
import { alterColumns, exchangeValues, fillRows, newlyRequired } from './columns.ts';

export type TablePlan = ReturnType<typeof planTable>;

/** Statements about one table, by the phase of the migration. */
export function planTable(table: KeptTable, tableChanges: TableChanges) {
  const { before, after } = table;
  const { name } = after;
  const checks = compareChecks(table, tableChanges);
  const keys = compareKeys(table);
  const indexes = compareIndexes(table);
  const { demands, enforced, ofExchanged, settle } = newRules(table, checks.added);
  const { fill, fillAgain } = fillRows(table);
  const isFilled = fill.length > 0;
  return {
    /** Drops what would be in the way, by its former name. */
    loosen: [
      ...keys.dropped.map((key) => dropConstraint(before.name, key.name)),
      ...indexes.dropped.map(dropIndex),
    ],
    alter: [...reshape(table, checks, keys), ...(isFilled ? [] : enforced)],
    /** Adds keys to other tables. */
    tighten: keys.added.map((key) =>
      alterTable(name, `ADD ${foreignKeySql(key, tableChanges.dialect)} NOT VALID`),
    ),
    /** Fills rows, in batches that may be repeated. */
    fill,
    /** Adds constraints for filled rows. Until then, old and new values are accepted. */
    enforce: isFilled ? enforced : [],
    /** Fills rows that were written since `fill`. */
    fillAgain: enforced.length > 0 ? fillAgain : [],
    /** Swaps values and adds their constraints, while writes wait. */
    exchange: exchangeValues(table, ofExchanged),
    /** Checks existing rows. */
    validate: [...demands, ...keys.added].map((rule) =>
      alterTable(name, `VALIDATE CONSTRAINT ${identifierSql(rule.name)}`),
    ),
    /** Quick once the rows are checked. In one statement with the check, it would lock everybody out. */
    settle,
    /** Builds indexes while reads and writes go on. */
    indexes: indexes.added.map((index) => buildIndex(after, index)),
  };
}

/** Constraints for new rows. For swapped values, they come later. */
function newRules({ after: { name }, columns }: KeptTable, added: readonly TableCheck[]) {
  const required = newlyRequired(columns);
  const demands = [...added, ...required];
  const exchanged = new Set(
    columns.filter(({ isOneTime }) => isOneTime).map((it) => it.after.name),
  );
  const isExchanged = (check: TableCheck) => check.columns.some((column) => exchanged.has(column));
  const enforce = (rules: readonly TableCheck[]) =>
    rules.map((it) => alterTable(name, `ADD ${checkSql(it)} NOT VALID`));
  return {
    demands,
    enforced: enforce(demands.filter((it) => !isExchanged(it))),
    ofExchanged: enforce(demands.filter(isExchanged)),
    settle: required.flatMap((rule) => [
      alterTable(name, `ALTER COLUMN ${identifiersSql(rule.columns)} SET NOT NULL`),
      dropConstraint(name, rule.name),
    ]),
  };
}

function reshape(
  table: KeptTable,
  checks: Pairs<TableCheck>,
  keys: Pairs<ForeignKey>,
): readonly string[] {
  const { name } = table.after;
  return [
    ...checks.dropped.map((check) => dropConstraint(name, check.name)),
    ...table.dropped.map((column) => dropColumn(name, column)),
    ...renameColumns(name, keptColumns(table.columns)),
    ...renameAll([...checks.kept, ...keys.kept], (from, to) =>
      alterTable(name, `RENAME CONSTRAINT ${from} TO ${to}`),
    ),
    ...alterColumns(table),
  ];
}

function buildIndex(table: Table, index: TableIndex): SqlStep {
  return runAlone(
    'Built while others write; an index left by an interrupted attempt is dropped first.',
    [
      `DROP INDEX CONCURRENTLY IF EXISTS ${identifierSql(index.name)};`,
      createIndex(table, index, ' CONCURRENTLY'),
    ],
  );
}
