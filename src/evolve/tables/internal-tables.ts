import type { App, Field } from '../../model/app.ts';
import { fieldDefaults } from '../../model/base-fields.ts';
import { typeOfKey } from '../../model/fields.ts';
import { databaseName } from '../../naming/database-name.ts';
import type { InternalTable } from '../../schema/internal-tables.ts';
import type { Dialect } from '../dialect.ts';
import { withCondition, nullCondition } from './index-conditions.ts';
import type { Table } from './table.ts';
import { fieldColumn, foreignKey, ascendingKeys } from './table-parts.ts';

const prefix = 'table:';

export const isInternal = (id: string) => id.startsWith(prefix);

export function internalTable(internal: InternalTable, app: App, dialect: Dialect): Table {
  const { name, comment, columns } = internal;
  const userKey = typeOfKey('User', app);
  const fields = Object.entries(columns).map(([column, { kind, nullable = false }]): Field => ({
    ...fieldDefaults(name, column),
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
    primaryKey: internal.primaryKey,
    checks: [],
    foreignKeys: pointers.map((column) =>
      foreignKey({ table: name, column }, 'User', { onDelete: 'cascade' }, app),
    ),
    indexes: internal.indexes.map(({ column, unique = false, whereNull }) => ({
      name: databaseName([name, column], unique ? 'unique' : 'index'),
      unique,
      keys: ascendingKeys([column]),
      ...withCondition(whereNull === undefined ? [] : [nullCondition(whereNull)]),
    })),
  };
}
