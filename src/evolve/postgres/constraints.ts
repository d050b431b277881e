import type { ColumnSource } from '../columns/column-source.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import { renameSteps, type RenameStep } from '../sql/steps.ts';
import { isSameRule } from '../columns/bounds.ts';
import type { Pair } from '../pairs.ts';
import { type Differences, differencesOf } from '../tables/differences.ts';
import type { Check, ForeignKey } from '../tables/table.ts';

/** What is dropped or added because its meaning differs, and what only has another name. */
export function checkDifferences(table: KeptTable, evolution: Evolution): Differences<Check> {
  return compare(table, {
    before: table.before.checks,
    after: table.after.checks,
    isSame: (_, __, { before, after }) =>
      before !== undefined && before.type === after.type && isSameRule(before, after, evolution),
  });
}

export function keyDifferences(table: KeptTable): Differences<ForeignKey> {
  return compare(table, {
    before: table.before.foreignKeys,
    after: table.after.foreignKeys,
    isSame: (was, is, { rekeyed }) =>
      rekeyed === undefined &&
      was.target === is.target &&
      was.onDelete === is.onDelete &&
      was.deferred === is.deferred,
  });
}

interface Sides<Thing> extends Pair<readonly Thing[]> {
  readonly isSame: (was: Thing, is: Thing, source: ColumnSource) => boolean;
}

function compare<Thing extends Pick<ForeignKey, 'column'>>(
  { columns }: KeptTable,
  { before, after, isSame }: Sides<Thing>,
): Differences<Thing> {
  const kept = after.flatMap((is) => {
    const source = columns.find((it) => it.after.name === is.column);
    const was = before.find(({ column }) => column === source?.before?.name);
    return source !== undefined && was !== undefined && isSame(was, is, source)
      ? [{ before: was, after: is }]
      : [];
  });
  return differencesOf({ before, after }, kept);
}

export function renamesOf(
  differences: readonly Differences<Pick<ForeignKey, 'name'>>[],
): readonly RenameStep[] {
  const kept = differences.flatMap((it) => it.kept);
  return renameSteps(kept.map(({ before, after }) => ({ from: before.name, to: after.name })));
}
