import type { ColumnSource } from '../columns/column-source.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import { renameSteps, type RenameStep } from '../rename-steps.ts';
import { isSameRule } from '../columns/same-rule.ts';
import type { Check, ForeignKey, TableIndex } from '../tables/table.ts';

export interface Differences<Thing> {
  /** As they were before. */
  readonly dropped: readonly Thing[];
  readonly added: readonly Thing[];
  readonly renamed: readonly RenameStep[];
}

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

interface Sides<Thing> {
  readonly before: readonly Thing[];
  readonly after: readonly Thing[];
  readonly isSame: (was: Thing, is: Thing, source: ColumnSource) => boolean;
}

function compare<Thing extends { readonly column: string; readonly name: string }>(
  { columns }: KeptTable,
  { before, after, isSame }: Sides<Thing>,
): Differences<Thing> {
  const kept = after.flatMap((is) => {
    const source = columns.find((it) => it.after.name === is.column);
    const was = before.find(({ column }) => column === source?.before?.name);
    return source !== undefined && was !== undefined && isSame(was, is, source)
      ? [{ was, is }]
      : [];
  });
  return {
    dropped: before.filter((thing) => !kept.some(({ was }) => was === thing)),
    added: after.filter((thing) => !kept.some(({ is }) => is === thing)),
    renamed: kept.map(({ was, is }) => ({ from: was.name, to: is.name })),
  };
}

/** An index over a column that is made anew goes with it. */
export function indexDifferences({ before, after, columns }: KeptTable): Differences<TableIndex> {
  const present = new Map(
    columns
      .filter(({ rekeyed }) => rekeyed === undefined)
      .map((it) => [it.before?.name, it.after.name]),
  );
  const kept = after.indexes.flatMap((is) => {
    const was = before.indexes.find(
      (it) => meaning(it, (column) => present.get(column)) === meaning(is, (column) => column),
    );
    return was === undefined ? [] : [{ was, is }];
  });
  return {
    dropped: before.indexes.filter((index) => !kept.some(({ was }) => was === index)),
    added: after.indexes.filter((index) => !kept.some(({ is }) => is === index)),
    renamed: kept.map(({ was, is }) => ({ from: was.name, to: is.name })),
  };
}

function meaning(index: TableIndex, nameOf: (column: string) => string | undefined): string {
  const keys = index.keys.map(({ column, descending }) => [nameOf(column) ?? null, descending]);
  return JSON.stringify([index.unique, index.where ?? '', keys]);
}

export function renamesOf(differences: readonly Differences<unknown>[]): readonly RenameStep[] {
  return renameSteps(differences.flatMap(({ renamed }) => renamed));
}
