import type { App, Field } from '../../model/app.ts';
import { plainField } from '../../model/base-fields.ts';
import { keyTo } from '../../model/fields.ts';
import { identifier } from '../../model/identifier.ts';
import type { TableLayout } from '../../schema/internal-tables.ts';
import type { Dialect } from '../dialect.ts';
import { amongSome, holdsNull } from './holds.ts';
import type { Table } from './table.ts';
import { fieldColumn, foreignKey, ascendingKeys } from './table-parts.ts';

const prefix = 'table:';

export const isInternal = (id: string) => id.startsWith(prefix);

/** A table of the server's own. */
export function internalTable(layout: TableLayout, app: App, dialect: Dialect): Table {
  const { name, comment, columns } = layout;
  const userKey = keyTo('User', app);
  const fields = Object.entries(columns).map(([column, { kind, nullable = false }]): Field => ({
    ...plainField(name, column),
    ...(kind === 'user' ? userKey : { type: { kind } }),
    nullable,
    source: 'server',
    role: 'declared',
  }));
  const pointers = Object.keys(columns).filter((column) => columns[column]?.kind === 'user');
  return {
    id: `${prefix}${name}`,
    name,
    comment,
    columns: fields.map((field) => fieldColumn(field, app, dialect)),
    primaryKey: layout.primaryKey,
    checks: [],
    foreignKeys: pointers.map((column) =>
      foreignKey({ table: name, column }, 'User', { onDelete: 'cascade' }, app),
    ),
    indexes: layout.indexes.map(({ column, unique = false, whereNull }) => ({
      name: identifier([name, column], unique ? 'unique' : 'index'),
      unique,
      keys: ascendingKeys([column]),
      ...amongSome(whereNull === undefined ? [] : [holdsNull(whereNull)]),
    })),
  };
}
