import type { Evolution, KeptTable } from '../evolution.ts';
import type { Notes } from '../notes.ts';
import type { Pairs } from '../pairs.ts';
import { identifierSql, identifiersSql } from '../sql/sql-text.ts';
import {
  alterTable,
  checkSql,
  createIndex,
  countingComment,
  createTables,
  dropColumn,
  dropConstraint,
  dropIndex,
  dropTables,
  foreignKeySql,
} from '../sql/statements.ts';
import { linkingBlocks } from '../sql/linked-keys.ts';
import { renameAll, renameColumns, renameTables } from '../sql/renames.ts';
import { alone, inTransaction, type Step, together } from '../sql/steps.ts';
import { keptColumns } from '../tables/column-source.ts';
import { countingChanges } from '../tables/counting.ts';
import type { Check, ForeignKey, Table, TableIndex } from '../tables/table.ts';
import {
  checkDifferences,
  indexDifferences,
  isTouched,
  keyDifferences,
} from '../tables/differences.ts';
import { alterColumns, exchangeValues, fillRows, newlyRequired } from './columns.ts';
import { typeChanges } from './enum-types.ts';
import { dropNewIds, newIds } from './new-ids.ts';

/**
 * The steps that take a PostgreSQL database from one app to the next. The first makes room, holding each table for a
 * moment only; then rows are filled in, before the rule holds that they are filled in for; then they are checked, and
 * indexes built, while others work.
 */
export function postgresSteps(evolution: Evolution, notes: Notes): readonly Step[] {
  const { kept, dropped, added, dialect } = evolution;
  const plans = kept.map((table) => planTable(table, evolution));
  const types = typeChanges(evolution);
  const counting = countingChanges(evolution, () => false);
  const { keep, link } = linkingBlocks(evolution);
  const noted = new Map(plans.map((plan) => [plan, noteAt(plan)]));
  const notesAt = (part: Part) => (plan: TablePlan) =>
    noted.get(plan) === part ? notes(plan.table.after) : [];
  return [
    together('Types get values, and names of values, which takes a moment.', types.values),
    inTransaction([
      {
        comments: plans.flatMap(notesAt('loosen')),
        statements: plans.flatMap((it) => it.loosen),
      },
      { statements: [...counting.stop, ...dropKeysAmong(evolution)] },
      ...dropTables(dropped, notes),
      { statements: counting.end },
      {
        comments: plans.flatMap(notesAt('names')),
        statements: [...renameTables(kept), ...renameIndexes(kept), ...counting.follow],
      },
      { statements: types.make },
      ...newIds(evolution),
      ...keep,
      ...plans.map((plan) => ({ comments: notesAt('alter')(plan), statements: plan.alter })),
      { statements: [...dropNewIds(evolution), ...types.drop] },
      ...createTables(added, dialect, notes),
      ...link,
      { comments: [countingComment], statements: counting.start },
      ...tightenBlocks(plans, notesAt('tighten')),
    ]),
    together('Counts the rows that are there, while others read and write.', counting.count),
    ...plans.flatMap((plan) => under(notesAt('fill')(plan), plan.fill)),
    together(
      'Every row that is there has its value. From here on code that leaves it out fails.',
      plans.flatMap(({ enforce }) => enforce),
    ),
    ...plans.flatMap(({ fillAgain }) => fillAgain),
    ...plans.flatMap((plan) => under(notesAt('exchange')(plan), plan.exchange)),
    together(
      'Looks at every row, while others read and write.',
      plans.flatMap(({ validate }) => validate),
    ),
    together(
      'The checks have shown that every row has a value: this takes a moment.',
      plans.flatMap(({ settle }) => settle),
    ),
    ...plans.flatMap((plan) => under(notesAt('indexes')(plan), plan.indexes)),
  ];
}

const parts = ['alter', 'tighten', 'fill', 'exchange', 'indexes', 'loosen'] as const;
type Part = (typeof parts)[number] | 'names';

/** What happens to a table is noted once, above the statements that say most of it. */
function noteAt(plan: TablePlan): Part | undefined {
  const part = parts.find((it) => plan[it].length > 0);
  return part ?? (isTouched(plan.table) ? 'names' : undefined);
}

function tightenBlocks(plans: readonly TablePlan[], notes: (plan: TablePlan) => readonly string[]) {
  const blocks = plans.map((plan) => ({ comments: notes(plan), statements: plan.tighten }));
  const noted = blocks.filter(({ comments }) => comments.length > 0);
  const others = blocks.filter(({ comments }) => comments.length === 0);
  return [...noted, { statements: others.flatMap(({ statements }) => statements) }];
}

function under(notes: readonly string[], [first, ...others]: readonly Step[]): readonly Step[] {
  if (first === undefined) return [];
  const [head, ...blocks] = first.blocks;
  const noted = {
    comments: [...notes, ...(head?.comments ?? [])],
    statements: head?.statements ?? [],
  };
  return [{ ...first, blocks: [noted, ...blocks] }, ...others];
}

/** Tables that point to each other go in any order then. */
function dropKeysAmong({ dropped }: Evolution): readonly string[] {
  const ids = new Set(dropped.map(({ id }) => id));
  return dropped.flatMap(({ name, foreignKeys }) =>
    foreignKeys.filter((key) => ids.has(key.target)).map((key) => dropConstraint(name, key.name)),
  );
}

function renameIndexes(tables: readonly KeptTable[]): readonly string[] {
  const kept = tables.flatMap((table) => indexDifferences(table).kept);
  return renameAll(kept, (from, to) => `ALTER INDEX ${from} RENAME TO ${to};`);
}

type TablePlan = ReturnType<typeof planTable>;

/** What happens to one table, by the phase of the migration. */
function planTable(table: KeptTable, evolution: Evolution) {
  const { before, after } = table;
  const { name } = after;
  const checks = checkDifferences(table, evolution);
  const keys = keyDifferences(table);
  const indexes = indexDifferences(table);
  const required = newlyRequired(table);
  const demands = [...checks.added, ...required];
  const exchanged = new Set(
    table.columns.filter(({ isOnce }) => isOnce).map((source) => source.after.name),
  );
  const enforce = (rules: readonly Check[]) =>
    rules.map((it) => alterTable(name, `ADD ${checkSql(it)} NOT VALID`));
  const isExchanged = ({ columns }: Check) => columns.some((column) => exchanged.has(column));
  const enforced = enforce(demands.filter((it) => !isExchanged(it)));
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
      alterTable(name, `ADD ${foreignKeySql(key, evolution.dialect)} NOT VALID`),
    ),
    /** Touches rows, in batches where that may be done again. */
    fill,
    /** The rules that the rows were filled for: until then old and new values are both accepted. */
    enforce: isFilled ? enforced : [],
    /** What was written between the two. */
    fillAgain: enforced.length > 0 ? fillAgain : [],
    /** Touches rows for good, and makes their rules hold, at one moment for all who write. */
    exchange: exchangeValues(table, enforce(demands.filter(isExchanged))),
    /** Makes sure that the rows that were there before keep the new rules. */
    validate: [...demands, ...keys.added].map((rule) =>
      alterTable(name, `VALIDATE CONSTRAINT ${identifierSql(rule.name)}`),
    ),
    /** What follows from that at once; together with the look at the rows it would lock everybody out. */
    settle: required.flatMap((rule) => [
      alterTable(name, `ALTER COLUMN ${identifiersSql(rule.columns)} SET NOT NULL`),
      dropConstraint(name, rule.name),
    ]),
    /** Builds indexes while others work. */
    indexes: indexes.added.map((index) => buildIndex(after, index)),
  };
}

function reshape(
  table: KeptTable,
  checks: Pairs<Check>,
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

function buildIndex(table: Table, index: TableIndex): Step {
  return alone('Built while others write; what an interrupted attempt has left goes first.', [
    `DROP INDEX CONCURRENTLY IF EXISTS ${identifierSql(index.name)};`,
    createIndex(table, index, ' CONCURRENTLY'),
  ]);
}
