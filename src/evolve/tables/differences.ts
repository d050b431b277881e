import type { KeptTable } from '../evolution.ts';
import type { Pair } from '../pairs.ts';
import type { TableIndex, Table, ForeignKey } from './table.ts';

/** What means the same before and after, though its name may differ; and the rest. */
export interface Differences<Thing> {
  readonly dropped: readonly Thing[];
  readonly added: readonly Thing[];
  readonly kept: readonly Pair<Thing>[];
}

export function differencesOf<Thing>(
  { before, after }: Pair<readonly Thing[]>,
  kept: readonly Pair<Thing>[],
): Differences<Thing> {
  return {
    dropped: before.filter((thing) => !kept.some((pair) => pair.before === thing)),
    added: after.filter((thing) => !kept.some((pair) => pair.after === thing)),
    kept,
  };
}

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

/** Whether a table has to be changed at all. */
export function isTouched({ before, after }: Pair<Table>): boolean {
  return shapeOf(before) !== shapeOf(after);
}

/** What a database knows of a table: equal texts for tables that are alike, in whatever order their columns stand. */
export function shapeOf({
  name,
  columns,
  primaryKey,
  checks,
  foreignKeys,
  indexes,
}: Table): string {
  const facts = columns.map((it) => [it.name, it.type, it.nullable, it.generated, it.default]);
  return JSON.stringify([
    name,
    primaryKey,
    ...[facts, checks, foreignKeys.map(factsOf), indexes].map(inOrder),
  ]);
}

function factsOf({ name, column, table, onDelete, deferred }: ForeignKey): readonly unknown[] {
  return [name, column, table, onDelete, deferred];
}

function inOrder(things: readonly unknown[]): readonly string[] {
  return things.map((thing) => JSON.stringify(thing)).toSorted();
}
