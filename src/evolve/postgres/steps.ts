import type { TableChanges, KeptTable } from '../table-changes.ts';
import type { Notes } from '../notes.ts';
import { countingComment, createTables, dropConstraint, dropTables } from '../sql/statements.ts';
import { linkingBlocks } from '../sql/linked-keys.ts';
import { renameAll, renameTables } from '../sql/renames.ts';
import { type Block, runInTransaction, type SqlStep, runTogether } from '../sql/steps.ts';
import { countingChanges } from '../tables/counting.ts';
import { indexDifferences, isTouched } from '../tables/differences.ts';
import { typeChanges } from './enum-types.ts';
import { dropNewIds, newIds } from './new-ids.ts';
import { type TablePlan, planTable } from './table-plan.ts';

/**
 * The steps that take a PostgreSQL database from one app to the next. The first changes the tables, locking each only
 * for a moment; then rows are filled in, before rules require it; then rows are checked and indexes built while reads
 * and writes go on.
 */
export function postgresSteps(tableChanges: TableChanges, notes: Notes): readonly SqlStep[] {
  const plans = tableChanges.kept.map((table) => planTable(table, tableChanges));
  const types = typeChanges(tableChanges);
  const counting = countingChanges(tableChanges, () => false);
  const noted = new Map(plans.map((plan) => [plan, noteAt(plan)]));
  const notesAt = (part: NotePlace) => (plan: TablePlan) =>
    noted.get(plan) === part ? notes(plan.table.after) : [];
  return [
    runTogether('Adds and renames enum values; this is quick.', types.values),
    runInTransaction(formBlocks(tableChanges, { plans, types, counting, notes, notesAt })),
    runTogether('Counts the existing rows; reads and writes go on.', counting.count),
    ...rowSteps(plans, notesAt),
  ];
}

interface FormChanges {
  readonly plans: readonly TablePlan[];
  readonly types: ReturnType<typeof typeChanges>;
  readonly counting: ReturnType<typeof countingChanges>;
  readonly notes: Notes;
  readonly notesAt: NotesAt;
}

/** The notes on a table, if they belong to this part. */
type NotesAt = (part: NotePlace) => (plan: TablePlan) => readonly string[];

/** The tables, in one transaction. */
function formBlocks(
  tableChanges: TableChanges,
  { plans, types, counting, notes, notesAt }: FormChanges,
): readonly Block[] {
  const { kept, dropped, added, dialect } = tableChanges;
  const { keep, link } = linkingBlocks(tableChanges);
  return [
    {
      comments: plans.flatMap(notesAt('loosen')),
      statements: plans.flatMap((it) => it.loosen),
    },
    { statements: [...counting.stop, ...dropKeysAmong(tableChanges)] },
    ...dropTables(dropped, notes),
    { statements: counting.end },
    {
      comments: plans.flatMap(notesAt('names')),
      statements: [...renameTables(kept), ...renameIndexes(kept), ...counting.follow],
    },
    { statements: types.make },
    ...newIds(tableChanges),
    ...keep,
    ...plans.map((plan) => ({ comments: notesAt('alter')(plan), statements: plan.alter })),
    { statements: [...dropNewIds(tableChanges), ...types.drop] },
    ...createTables(added, dialect, notes),
    ...link,
    { comments: [countingComment], statements: counting.start },
    ...tightenBlocks(plans, notesAt('tighten')),
  ];
}

/** The rows and their rules, while reads and writes go on. */
function rowSteps(plans: readonly TablePlan[], notesAt: NotesAt): readonly SqlStep[] {
  return [
    ...plans.flatMap((plan) => under(notesAt('fill')(plan), plan.fill)),
    runTogether(
      'All existing rows are filled in. From now on, code that omits the value fails.',
      plans.flatMap(({ enforce }) => enforce),
    ),
    ...plans.flatMap(({ fillAgain }) => fillAgain),
    ...plans.flatMap((plan) => under(notesAt('exchange')(plan), plan.exchange)),
    runTogether(
      'Checks every row; reads and writes go on.',
      plans.flatMap(({ validate }) => validate),
    ),
    runTogether(
      'The checks have shown that every row has a value: this takes a moment.',
      plans.flatMap(({ settle }) => settle),
    ),
    ...plans.flatMap((plan) => under(notesAt('indexes')(plan), plan.indexes)),
  ];
}

const parts = ['alter', 'tighten', 'fill', 'exchange', 'indexes', 'loosen'] as const;
type NotePlace = (typeof parts)[number] | 'names';

/** A table's notes appear once, above the statements that they are most about. */
function noteAt(plan: TablePlan): NotePlace | undefined {
  const part = parts.find((it) => plan[it].length > 0);
  return part ?? (isTouched(plan.table) ? 'names' : undefined);
}

function tightenBlocks(plans: readonly TablePlan[], notes: (plan: TablePlan) => readonly string[]) {
  const blocks = plans.map((plan) => ({ comments: notes(plan), statements: plan.tighten }));
  const noted = blocks.filter(({ comments }) => comments.length > 0);
  const others = blocks.filter(({ comments }) => comments.length === 0);
  return [...noted, { statements: others.flatMap(({ statements }) => statements) }];
}

function under(
  notes: readonly string[],
  [first, ...others]: readonly SqlStep[],
): readonly SqlStep[] {
  if (first === undefined) return [];
  const [head, ...blocks] = first.blocks;
  const noted = {
    comments: [...notes, ...(head?.comments ?? [])],
    statements: head?.statements ?? [],
  };
  return [{ ...first, blocks: [noted, ...blocks] }, ...others];
}

/** Without these keys, tables that refer to each other can be dropped in any order. */
function dropKeysAmong({ dropped }: TableChanges): readonly string[] {
  const ids = new Set(dropped.map(({ id }) => id));
  return dropped.flatMap(({ name, foreignKeys }) =>
    foreignKeys.filter((key) => ids.has(key.target)).map((key) => dropConstraint(name, key.name)),
  );
}

function renameIndexes(tables: readonly KeptTable[]): readonly string[] {
  const kept = tables.flatMap((table) => indexDifferences(table).kept);
  return renameAll(kept, (from, to) => `ALTER INDEX ${from} RENAME TO ${to};`);
}
