import type { Evolution, KeptTable } from '../evolution.ts';
import type { Notes } from '../notes.ts';
import { identifierSql } from '../sql/sql-text.ts';
import {
  type Block,
  renameSteps,
  splitKeys,
  inTransaction,
  type Step,
  together,
  alone,
  atOnce,
  inBatches,
  addForeignKey,
  createIndex,
  createTable,
  dropForeignKey,
  dropTable,
  renameTable,
  dropColumn,
  dropIndex,
  renameColumn,
} from '../sql/steps.ts';
import type { ColumnSource } from '../tables/column-source.ts';
import { indexDifferences, isTouched } from '../tables/differences.ts';
import type { Column } from '../tables/table.ts';
import {
  renamesOf,
  checkDifferences,
  keyDifferences,
  dropNewIds,
  newIds,
  countIds,
  uncountIds,
} from './constraints.ts';

/**
 * The steps that take a PostgreSQL database from one app to the next. The first makes room, holding each table for a
 * moment only; then rows are filled in, before the rule holds that they are filled in for; then they are checked, and
 * indexes built, while others work.
 */
export function postgresSteps(evolution: Evolution, notes: Notes): readonly Step[] {
  const plans = evolution.kept.map((table) => planTable(table, evolution));
  const notesAt = (part: Part) => (plan: TablePlan) =>
    noteAt(plan) === part ? notes(plan.table.after) : [];
  return [
    inTransaction([
      {
        comments: plans.flatMap(notesAt('loosen')),
        statements: plans.flatMap((it) => it.loosen),
      },
      ...dropBlocks(evolution, notes),
      { comments: plans.flatMap(notesAt('names')), statements: renames(evolution) },
      ...newIds(evolution),
      ...plans.map((plan) => ({ comments: notesAt('alter')(plan), statements: plan.alter })),
      { comments: [], statements: dropNewIds(evolution) },
      ...addBlocks(evolution, notes),
      ...tightenBlocks(plans, notesAt('tighten')),
    ]),
    ...plans.flatMap((plan) => under(notesAt('fill')(plan), plan.fill)),
    together(
      'Every row that is there has its value. From here on code that leaves it out fails.',
      plans.flatMap(({ enforce }) => enforce),
    ),
    ...plans.flatMap(({ fillAgain }) => fillAgain),
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

const parts = ['alter', 'tighten', 'fill', 'indexes', 'loosen'] as const;
type Part = (typeof parts)[number] | 'names';

/** What happens to a table is noted once, above the statements that say most of it. */
function noteAt(plan: TablePlan): Part | undefined {
  const part = parts.find((it) => plan[it].length > 0);
  return part ?? (isTouched(plan.table) ? 'names' : undefined);
}

function tightenBlocks(plans: readonly TablePlan[], notes: (plan: TablePlan) => readonly string[]) {
  const blocks = plans.map((plan) => ({ comments: notes(plan), statements: plan.tighten }));
  const rest = blocks.filter((it) => !hasNotes(it)).flatMap(({ statements }) => statements);
  return [...blocks.filter(hasNotes), { comments: [], statements: rest }];
}

function hasNotes({ comments }: Block): boolean {
  return comments.length > 0;
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

function addBlocks({ added: tables, dialect }: Evolution, notes: Notes): readonly Block[] {
  const ids = new Set(tables.map(({ id }) => id));
  const split = splitKeys(tables, (key, made) => made.has(key.target) || !ids.has(key.target));
  return [
    ...split.map(({ table, now }) => ({
      comments: notes(table),
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

/** What happens to one table, by the phase of the migration. */
interface TablePlan {
  readonly table: KeptTable;
  /** Takes away what would be in the way; by the former names. */
  readonly loosen: readonly string[];
  readonly alter: readonly string[];
  /** Refers to other tables. */
  readonly tighten: readonly string[];
  /** Touches rows, in batches where that may be done again. */
  readonly fill: readonly Step[];
  /** The rules that the rows were filled for: until then old and new values are both accepted. */
  readonly enforce: readonly string[];
  /** What was written between the two. */
  readonly fillAgain: readonly Step[];
  /** Makes sure that the rows that were there before keep the new rules. */
  readonly validate: readonly string[];
  /** What follows from that at once; together with the look at the rows it would lock everybody out. */
  readonly settle: readonly string[];
  /** Builds indexes while others work. */
  readonly indexes: readonly Step[];
}

function planTable(table: KeptTable, evolution: Evolution): TablePlan {
  const { before, after } = table;
  const name = identifierSql(after.name);
  const checks = checkDifferences(table, evolution);
  const keys = keyDifferences(table);
  const indexes = indexDifferences(table);
  const required = table.columns.filter(isNewlyRequired);
  const demands = [
    ...checks.added.map((it) => ({ name: it.name, rule: it.expression })),
    ...required.map((it) => ({
      name: demandName(it.after),
      rule: `${identifierSql(it.after.name)} IS NOT NULL`,
    })),
  ];
  const enforced = demands.map(
    (it) =>
      `ALTER TABLE ${name} ADD CONSTRAINT ${identifierSql(it.name)} CHECK (${it.rule}) NOT VALID;`,
  );
  const { fill, fillAgain } = fillRows(table);
  const isFilled = fill.length > 0;
  return {
    table,
    loosen: [
      ...keys.dropped.map((key) => dropForeignKey(before, key)),
      ...indexes.dropped.map(dropIndex),
    ],
    alter: [
      ...checks.dropped.map(
        (it) => `ALTER TABLE ${name} DROP CONSTRAINT ${identifierSql(it.name)};`,
      ),
      ...table.dropped.map((column) => dropColumn(after.name, column.name)),
      ...renameSteps(columnNames(table)).map(({ from, to }) => renameColumn(after.name, from, to)),
      ...renamesOf([checks, keys]).map(
        ({ from, to }) =>
          `ALTER TABLE ${name} RENAME CONSTRAINT ${identifierSql(from)} TO ${identifierSql(to)};`,
      ),
      ...uncountIds(table),
      ...alterColumns(table),
      ...countIds(table),
      ...settleDefaults(table),
      ...(isFilled ? [] : enforced),
    ],
    tighten: keys.added.map((key) =>
      addForeignKey(after, key, evolution.dialect).replace(/;$/, ' NOT VALID;'),
    ),
    fill,
    enforce: isFilled ? enforced : [],
    fillAgain: enforced.length > 0 ? fillAgain : [],
    validate: [...demands, ...keys.added].map(
      (it) => `ALTER TABLE ${name} VALIDATE CONSTRAINT ${identifierSql(it.name)};`,
    ),
    settle: required.flatMap(({ after: column }) => [
      `ALTER TABLE ${name} ALTER COLUMN ${identifierSql(column.name)} SET NOT NULL;`,
      `ALTER TABLE ${name} DROP CONSTRAINT ${identifierSql(demandName(column))};`,
    ]),
    indexes: indexes.added.map((index) =>
      alone('Built while others write; what an interrupted attempt has left goes first.', [
        `DROP INDEX CONCURRENTLY IF EXISTS ${identifierSql(index.name)};`,
        createIndex(after, index).replace('INDEX', 'INDEX CONCURRENTLY'),
      ]),
    ),
  };
}

function columnNames({ columns }: KeptTable) {
  return columns.flatMap(({ before, after }) =>
    before === undefined ? [] : [{ from: before.name, to: after.name }],
  );
}

/** A check that holds is what spares `SET NOT NULL` its look at every row. */
function isNewlyRequired(source: ColumnSource): boolean {
  const { before, after, rekeyed } = source;
  if (after.nullable || rekeyed !== undefined) return false;
  return before === undefined ? !hasConstant(source) : before.nullable;
}

/** A new column costs nothing, however many rows there are, when all of them get the same value. */
function hasConstant({ fill, isDrawn }: ColumnSource): boolean {
  return fill !== undefined && isDrawn !== true;
}

function demandName({ name }: Column): string {
  return `${name}__required`;
}

/** All that touches the table's form at once: it is rewritten once at most. */
function alterColumns({ after, columns }: KeptTable): readonly string[] {
  const actions = columns.flatMap((source) =>
    source.before === undefined ? adding(source) : altered(source),
  );
  if (actions.length === 0) return [];
  const name = identifierSql(after.name);
  if (actions.length === 1) return [`ALTER TABLE ${name} ${actions.join()};`];
  return [`ALTER TABLE ${name}\n  ${actions.join(',\n  ')};`];
}

function adding(source: ColumnSource): readonly string[] {
  const { name, type, nullable } = source.after;
  const required = nullable ? '' : ' NOT NULL';
  const filling = hasConstant(source) ? `${required} DEFAULT ${source.fill}` : '';
  return [`ADD COLUMN ${identifierSql(name)} ${type}${filling}`];
}

/** What filled the rows of a new column was its default for a moment. */
function settleDefaults({ after, columns }: KeptTable): readonly string[] {
  return columns
    .filter((source) => source.before === undefined && hasConstant(source))
    .filter((source) => source.fill !== source.after.default)
    .map(({ after: { name, default: value } }) => {
      const column = `ALTER TABLE ${identifierSql(after.name)} ALTER COLUMN ${identifierSql(name)}`;
      return value === undefined ? `${column} DROP DEFAULT;` : `${column} SET DEFAULT ${value};`;
    });
}

function altered(source: ColumnSource): readonly string[] {
  const { before, after } = source;
  if (before === undefined) return [];
  const column = identifierSql(after.name);
  const value = source.value(column);
  const isRetyped = before.type !== after.type;
  const using = value === column ? '' : ` USING ${value}`;
  const isDefaultGone = before.default !== undefined && (isRetyped || after.default === undefined);
  const isDefaultNew =
    after.default !== undefined && (isRetyped || before.default !== after.default);
  const isLoose = !before.nullable && after.nullable;
  return [
    ...(isDefaultGone ? [`ALTER COLUMN ${column} DROP DEFAULT`] : []),
    ...(isLoose ? [`ALTER COLUMN ${column} DROP NOT NULL`] : []),
    ...(isRetyped ? [`ALTER COLUMN ${column} TYPE ${after.type}${using}`] : []),
    ...(isDefaultNew ? [`ALTER COLUMN ${column} SET DEFAULT ${after.default}`] : []),
  ];
}

/** In one statement for all columns, so that each row is written once. */
function fillRows({ after, columns }: KeptTable) {
  const filled = columns.filter(isFilledIn);
  if (filled.length === 0) return { fill: [], fillAgain: [] };
  const table = identifierSql(after.name);
  const fills = filled.map((source) => {
    const column = identifierSql(source.after.name);
    const { fill } = source;
    const isMissing =
      source.before === undefined || source.value(column) === `coalesce(${column}, ${fill})`;
    const value = isMissing ? `coalesce(${column}, ${fill})` : source.value(column);
    const test = isMissing ? `${column} IS NULL` : `${column} IS DISTINCT FROM (${value})`;
    return { set: `${column} = ${value}`, test };
  });
  const set = `UPDATE ${table} SET ${fills.map((it) => it.set).join(', ')}`;
  const test = fills.map((it) => it.test).join(' OR ');
  if (filled.some(({ isOnce }) => isOnce)) {
    const step = atOnce(table, 'Rows get their new values.', `${set}\n  WHERE ${test};`);
    return { fill: [step], fillAgain: [] };
  }
  const update = `${set}\n  WHERE id BETWEEN $1 AND $2 AND (${test});`;
  return {
    fill: [inBatches(table, 'Rows get their new values; others can work meanwhile.', update)],
    fillAgain: [inBatches(table, 'Rows that were written meanwhile get theirs.', update)],
  };
}

/** Whether rows have to be touched: a column of another type is filled in as it is converted. */
function isFilledIn(source: ColumnSource): boolean {
  const { before, after, rekeyed } = source;
  if (rekeyed !== undefined) return false;
  if (before === undefined) return source.isDrawn === true;
  const column = identifierSql(after.name);
  return before.type === after.type && source.value(column) !== column;
}
