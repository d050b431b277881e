import type { App, Field } from '../../model/app.ts';
import { identifier } from '../../model/identifier.ts';
import { keyType, plainField } from '../../model/fields.ts';
import type { Dialect } from '../dialect.ts';
import { type Layout, layouts } from '../../schema/internal-tables.ts';
import { fieldColumn } from './model-table.ts';
import type { Table } from './table.ts';

/** What authentication and mail keep for themselves. */
export function internalTables(app: App, dialect: Dialect): readonly Table[] {
  return (layouts[app.layout - 1] ?? []).map((layout) => internalTable(layout, app, dialect));
}

const prefix = 'table:';

export function isInternal(id: string): boolean {
  return id.startsWith(prefix);
}

function internalTable(layout: Layout, app: App, dialect: Dialect): Table {
  const { name, comment, columns } = layout;
  const users = app.models.find((model) => model.id === 'model:User');
  const userKey = keyType(users?.idType ?? 'int');
  const fields = Object.entries(columns).map(([column, { kind, nullable = false }]): Field => ({
    ...plainField(name, column),
    type: kind === 'user' ? userKey : { kind },
    nullable,
    source: 'server',
    role: 'declared',
  }));
  const pointers = Object.keys(columns).filter((column) => columns[column]?.kind === 'user');
  return {
    id: `${prefix}${name}`,
    name,
    comment,
    columns: fields.map((field) => fieldColumn(field, dialect)),
    primaryKey: [layout.primaryKey],
    checks: [],
    foreignKeys: pointers.map((column) => ({
      name: identifier([name, column], 'fkey'),
      column,
      table: users?.table ?? 'users',
      target: users?.id ?? 'model:User',
      onDelete: 'cascade',
    })),
    indexes: layout.indexes.map(({ column, unique = false, ...rest }) => ({
      name: identifier([name, column], unique ? 'unique' : 'index'),
      unique,
      keys: [{ column, descending: false }],
      ...rest,
    })),
  };
}
