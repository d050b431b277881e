import type { ForeignKey, Table } from '../tables/table.ts';

export interface SplitTable {
  readonly table: Table;
  /** Keys that the table can have from the start, and those that wait for a later table. */
  readonly now: readonly ForeignKey[];
  readonly later: readonly ForeignKey[];
}

/** By whether the table that a key names is there, given the ids of those that were made before or with it. */
export function splitKeys(
  tables: readonly Table[],
  isThere: (key: ForeignKey, made: ReadonlySet<string>) => boolean,
): readonly SplitTable[] {
  const made = new Set<string>();
  return tables.map((table) => {
    made.add(table.id);
    return {
      table,
      now: table.foreignKeys.filter((key) => isThere(key, made)),
      later: table.foreignKeys.filter((key) => !isThere(key, made)),
    };
  });
}
