import type { KeptTable } from '../evolution.ts';
import { type Differences, differencesOf } from './differences.ts';
import type { TableIndex } from './table.ts';

/** Columns are the same when their ids are. */
export function indexDifferences({ before, after, columns }: KeptTable): Differences<TableIndex> {
  const present = new Map(columns.map((it) => [it.before?.name, it.after.name]));
  const indexes = { before: before.indexes, after: after.indexes };
  const kept = indexes.after.flatMap((index) => {
    const meaning = meaningOf(index, (column) => column);
    const was = indexes.before.find(
      (it) => meaningOf(it, (column) => present.get(column)) === meaning,
    );
    return was === undefined ? [] : [{ before: was, after: index }];
  });
  return differencesOf(indexes, kept);
}

function meaningOf(index: TableIndex, nameOf: (column: string) => string | undefined): string {
  const keys = index.keys.map(({ column, descending }) => [nameOf(column) ?? null, descending]);
  return JSON.stringify([index.unique, index.where ?? '', keys]);
}
