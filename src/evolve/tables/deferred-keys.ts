import type { ForeignKey, Table } from './table.ts';

/**
 * A key restricts when a delete, with all its cascades, would leave rows that point nowhere. PostgreSQL looks before
 * the cascades of cascades have run, so a key whose two rows may go in one delete waits for the end of it.
 */
export function deferKeys(tables: readonly Table[]): readonly Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return tables.map((table) => {
    const above = namesAbove(table, byName);
    const mayGoTogether = (key: ForeignKey) => {
      const target = byName.get(key.table);
      const sources = target === undefined ? [] : [key.table, ...namesAbove(target, byName)];
      return sources.some((source) => above.has(source));
    };
    const foreignKeys = table.foreignKeys.map((key) =>
      key.onDelete === 'restrict' && mayGoTogether(key) ? { ...key, deferred: true } : key,
    );
    return { ...table, foreignKeys };
  });
}

/** The tables whose rows take rows of this one with them. */
function namesAbove(table: Table, byName: ReadonlyMap<string, Table>): ReadonlySet<string> {
  const above = new Set<string>();
  const climb = ({ foreignKeys }: Table) => {
    for (const key of foreignKeys) {
      if (key.onDelete !== 'cascade' || above.has(key.table)) continue;
      above.add(key.table);
      const target = byName.get(key.table);
      if (target !== undefined) climb(target);
    }
  };
  climb(table);
  return above;
}
