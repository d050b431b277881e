import type { ForeignKey, Table } from './table.ts';

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
