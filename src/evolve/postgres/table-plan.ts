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
import { checkDifferences, indexDifferences, keyDifferences } from '../tables/differences.ts';
import { alterColumns, exchangeValues, fillRows, newlyRequired } from './columns.ts';

export type TablePlan = ReturnType<typeof planTable>;

/** Statements about one table, by the phase of the migration. */
export function planTable(table: KeptTable, tableChanges: TableChanges) {
  const { before, after } = table;
  const { name } = after;
  const checks = checkDifferences(table, tableChanges);
  const keys = keyDifferences(table);
  const indexes = indexDifferences(table);
  const { demands, enforced, ofExchanged, settle } = newRules(table, checks.added);
  const { fill, fillAgain } = fillRows(table);
  const isFilled = fill.length > 0;
  return {
    table,
    /** Takes away what would be in the way; by the former names. */
    loosen: [
      ...keys.dropped.map((key) => dropConstraint(before.name, key.name)),
      ...indexes.dropped.map(dropIndex),
    ],
    alter: [...reshape(table, checks, keys), ...(isFilled ? [] : enforced)],
    /** Refers to other tables. */
    tighten: keys.added.map((key) =>
      alterTable(name, `ADD ${foreignKeySql(key, tableChanges.dialect)} NOT VALID`),
    ),
    /** Touches rows, in batches where that may be done again. */
    fill,
    /** The rules that the rows were filled for: until then old and new values are both accepted. */
    enforce: isFilled ? enforced : [],
    /** For rows that were written between the two. */
    fillAgain: enforced.length > 0 ? fillAgain : [],
    /** Touches rows for good, and makes their rules hold, at one moment for all who write. */
    exchange: exchangeValues(table, ofExchanged),
    /** Makes sure that the rows that were there before keep the new rules. */
    validate: [...demands, ...keys.added].map((rule) =>
      alterTable(name, `VALIDATE CONSTRAINT ${identifierSql(rule.name)}`),
    ),
    /** Follows from that at once; together with the look at the rows it would lock everybody out. */
    settle,
    /** Builds indexes while others work. */
    indexes: indexes.added.map((index) => buildIndex(after, index)),
  };
}

/** Rules for rows from now on; for values that change places, only afterwards. */
function newRules({ after: { name }, columns }: KeptTable, added: readonly TableCheck[]) {
  const required = newlyRequired(columns);
  const demands = [...added, ...required];
  const exchanged = new Set(columns.filter(({ isOnce }) => isOnce).map((it) => it.after.name));
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
