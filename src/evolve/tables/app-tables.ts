import type { App, JoinTable, Model } from '../../model/app.ts';
import type { Dialect } from '../dialect.ts';
import { internalTables } from './internal-tables.ts';
import { modelTable, fieldColumn } from './model-table.ts';
import type { Table, ForeignKey, Column } from './table.ts';
import { identifier } from '../../model/identifier.ts';
import { keyType, plainField } from '../../model/fields.ts';

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

/**
 * A key restricts when a delete, with all its cascades, would leave rows that point nowhere. PostgreSQL looks before
 * the cascades of cascades have run, so a key whose two rows may go in one delete waits for the end of it.
 */
function deferKeys(tables: readonly Table[]): readonly Table[] {
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

/** Pairs of keys; a pair goes when either side does. */
function joinTable(join: JoinTable, app: App, dialect: Dialect): Table {
  const sides = (['left', 'right'] as const).map((side) => ({
    ...join[side],
    side,
    target: app.models.find(({ names }) => names.type === join[side].model),
  }));
  return {
    id: join.id,
    name: join.table,
    columns: sides.map(({ side, target }) => keyColumn(join, side, target, dialect)),
    primaryKey: [join.left.column, join.right.column],
    checks: [],
    foreignKeys: sides.map(({ column, model, target }): ForeignKey => ({
      name: identifier([join.table, column], 'fkey'),
      column,
      table: target?.table ?? model,
      target: target?.id ?? model,
      onDelete: 'cascade',
    })),
    indexes: [
      {
        name: join.index,
        unique: false,
        keys: [{ column: join.right.column, descending: false }],
      },
    ],
  };
}

function keyColumn(
  join: JoinTable,
  side: 'left' | 'right',
  target: Model | undefined,
  dialect: Dialect,
): Column {
  const field = {
    ...plainField(join.id, join[side].column),
    id: `${join.id}.${side}`,
    role: 'key',
    type: keyType(target?.idType ?? 'int'),
  } as const;
  return fieldColumn(field, dialect);
}
