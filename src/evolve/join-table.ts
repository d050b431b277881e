import type { App, JoinTable } from '../model/app.ts';
import { identifier } from '../model/identifier.ts';
import { keyType } from '../model/key-type.ts';
import type { Dialect } from './dialect.ts';
import type { Column, ForeignKey, Table } from './table.ts';

/** Pairs of keys; a pair goes when either side does. */
export function joinTable(join: JoinTable, app: App, dialect: Dialect): Table {
  const sides = [join.left, join.right].map((side) => ({
    ...side,
    target: app.models.find(({ names }) => names.type === side.model),
  }));
  return {
    name: join.table,
    columns: sides.map(({ column, target }): Column => ({
      name: column,
      type: dialect.columnType({ type: keyType(target?.idType ?? 'int') }),
      nullable: false,
    })),
    primaryKey: [join.left.column, join.right.column],
    checks: [],
    foreignKeys: sides.map(({ column, model, target }): ForeignKey => ({
      name: identifier([join.table, column], 'fkey'),
      column,
      table: target?.table ?? model,
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
