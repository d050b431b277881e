import { tablePlace } from '../changes/table-place.ts';
import type { ColumnSource } from '../columns/column-source.ts';
import { countDuplicates } from './counts.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import { hazard, type Hazard } from './hazard.ts';
import type { TableIndex } from '../tables/table.ts';

/** Rows that have to differ from now on: the rule is new, or holds for more rows, or the values become others. */
export function uniqueHazards({ kept, apps }: Evolution): readonly Hazard[] {
  return kept.flatMap((table) =>
    table.after.indexes
      .filter((index) => index.unique && mayFail(index, table))
      .map((index): Hazard => {
        const columns = index.keys.map(({ column }) => column);
        const names = columns.map((column) => sourceOf(table, column)?.after.field.name ?? column);
        const target = `${tablePlace(table.after, apps.after)}.${names.join('+')}`;
        const message = `Rows with the same \`${target}\` have to be changed first.`;
        const count = countDuplicates(table, columns);
        return { ...hazard('SCF423', message, { count, stops: true }), target };
      }),
  );
}

function mayFail(index: TableIndex, table: KeptTable): boolean {
  const sources = index.keys.map(({ column }) => sourceOf(table, column));
  // What is NULL, or drawn by chance, is like nothing else.
  if (sources.some((it) => it !== undefined && it.before === undefined && !isAlike(it)))
    return false;
  return isNew(index, table) || sources.some((it) => it === undefined || !staysApart(it));
}

function isNew(index: TableIndex, { before, columns }: KeptTable): boolean {
  const present = new Map(columns.map((it) => [it.before?.name, it.after.name]));
  const names = index.keys.map(({ column }) => column).join();
  return !before.indexes.some(
    (was) =>
      was.unique &&
      was.keys.map(({ column }) => present.get(column) ?? '').join() === names &&
      (was.where === undefined || index.where !== undefined),
  );
}

/** Ids that become others are as different as they were. */
function staysApart({ isCopied, rekeyed }: ColumnSource): boolean {
  return isCopied || rekeyed !== undefined;
}

function isAlike(source: ColumnSource): boolean {
  return source.fill !== undefined && source.isDrawn !== true;
}

function sourceOf({ columns }: KeptTable, name: string): ColumnSource | undefined {
  return columns.find(({ after }) => after.name === name);
}
