import {
  type Block,
  renameSteps,
  splitKeys,
  inTransaction,
  type Step,
  together,
} from '../sql/steps.ts';
import type { Evolution } from '../evolution.ts';
import type { Notes } from '../notes.ts';
import { indexDifferences, isTouched } from '../tables/differences.ts';
import { renamesOf } from './constraints.ts';
import { dropNewIds, newIds } from './ids.ts';
import { planTable, type TablePlan } from './table.ts';
import { identifierSql } from '../sql/sql-text.ts';
import {
  addForeignKey,
  createIndex,
  createTable,
  dropForeignKey,
  dropTable,
  renameTable,
} from '../sql/statements.ts';

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

function addBlocks({ added, dialect }: Evolution, notes: Notes): readonly Block[] {
  const ids = new Set(added.map(({ id }) => id));
  const split = splitKeys(added, (key, made) => made.has(key.target) || !ids.has(key.target));
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
