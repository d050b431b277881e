import type { App } from '../../model/app.ts';
import { deferKeys } from './deferred-keys.ts';
import type { Dialect } from '../dialect.ts';
import { internalTables } from './internal-tables.ts';
import { joinTable } from './join-table.ts';
import { modelTable } from './model-table.ts';
import type { Table } from './table.ts';

/** Every table of the app, each after those it points to as far as circles allow. */
export function appTables(app: App, dialect: Dialect): readonly Table[] {
  const tables = [
    ...app.models.map((model) => modelTable(model, app, dialect)),
    ...app.joinTables.map((join) => joinTable(join, app, dialect)),
    ...internalTables(app, dialect),
  ];
  return inOrderOfReference(deferKeys(tables));
}

function inOrderOfReference(tables: readonly Table[]): readonly Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const visited = new Set<Table>();
  const visit = (table: Table) => {
    if (visited.has(table)) return;
    visited.add(table);
    for (const key of table.foreignKeys) {
      const target = byName.get(key.table);
      if (target !== undefined) visit(target);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
