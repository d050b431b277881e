import type { KeptTable } from '../evolution.ts';
import type { TableIndex } from './table.ts';

export interface IndexChanges {
  readonly dropped: readonly TableIndex[];
  readonly added: readonly TableIndex[];
}

/** Indexes that are no longer what they were, or no longer called so. Columns are the same when their ids are. */
export function indexChanges({ before, after, columns }: KeptTable): IndexChanges {
  const present = new Map(columns.map((it) => [it.before?.name, it.after.name]));
  const former = before.indexes.map((index) => ({
    index,
    key: indexKey(index, (column) => present.get(column) ?? `${column} (dropped)`),
  }));
  const latter = after.indexes.map((index) => ({
    index,
    key: indexKey(index, (column) => column),
  }));
  const isIn = (list: typeof former, key: string) => list.some((it) => it.key === key);
  return {
    dropped: former.filter(({ key }) => !isIn(latter, key)).map(({ index }) => index),
    added: latter.filter(({ key }) => !isIn(former, key)).map(({ index }) => index),
  };
}

function indexKey(index: TableIndex, nameOf: (column: string) => string): string {
  const keys = index.keys.map(({ column, descending }) => [nameOf(column), descending]);
  return JSON.stringify([index.name, index.unique, keys, index.where ?? '']);
}
