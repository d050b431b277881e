import { present } from '../../present.ts';
import {
  type App,
  type Field,
  isUser,
  type JoinTable,
  type Model,
  type OrderKey,
} from '../../model/app.ts';
import { hasAccounts, hasPasswords } from '../../model/app-features.ts';
import { findFieldByRole, getField, idColumn } from '../../model/lookups.ts';
import { fieldDefaults } from '../../model/base-fields.ts';
import { typeOfKey } from '../../model/fields.ts';
import {
  tokenVersion,
  tablesByVersion,
  tablesNeeded,
  rowCounts,
} from '../../schema/internal-tables.ts';
import { rememberPer } from '../../remember.ts';
import { type Dialect, dialects } from '../dialect.ts';
import { fieldChecks, orderChecks } from './checks.ts';
import { withCondition, resolveIndexCondition, nullCondition } from './index-conditions.ts';
import type { Table, ForeignKey, Column, TableIndex } from './table.ts';
import { internalTable } from './internal-tables.ts';
import { fieldColumn, foreignKey, ascendingKeys } from './table-parts.ts';

/** Every table of the app, each after those it points to as far as circles allow. */
export const appTables = rememberPer((app: App): readonly Table[] => {
  const dialect = dialects[app.database];
  const internal = tablesNeeded(tablesByVersion[app.layout - 1], {
    accounts: hasAccounts(app),
    passwords: hasPasswords(app),
  });
  const isCounting = internal.some(({ name }) => name === rowCounts);
  const tables = [
    ...app.models.map((model) => ({
      ...makeModelTable(model, app, dialect),
      ...(isCounting && { counted: { deletedAt: findFieldByRole(model, 'deleted_at')?.column } }),
    })),
    ...app.joinTables.map((join) => makeJoinTable(join, app, dialect)),
    ...internal.map((it) => internalTable(it, app, dialect)),
  ];
  return inOrderOfReference(deferKeys(tables));
});

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
 * A key restricts a delete that, with all its cascades, would leave dangling rows. PostgreSQL checks before nested
 * cascades have run, so a key whose two rows may be deleted together waits for the end.
 */
function deferKeys(tables: readonly Table[]): readonly Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return tables.map((table) => {
    const above = namesAbove(table.name, byName);
    const mayGoTogether = (key: ForeignKey) =>
      [key.table, ...namesAbove(key.table, byName)].some((name) => above.has(name));
    const foreignKeys = table.foreignKeys.map((key) =>
      key.onDelete === 'restrict' && mayGoTogether(key) ? { ...key, deferred: true } : key,
    );
    return { ...table, foreignKeys };
  });
}

/** The tables from which deletes cascade to this one. */
function namesAbove(
  name: string,
  byName: ReadonlyMap<string, Table>,
  above = new Set<string>(),
): ReadonlySet<string> {
  for (const key of byName.get(name)?.foreignKeys ?? []) {
    if (key.onDelete !== 'cascade' || above.has(key.table)) continue;
    above.add(key.table);
    namesAbove(key.table, byName, above);
  }
  return above;
}

/** Pairs of keys; a pair is deleted with either side. */
function makeJoinTable(join: JoinTable, app: App, dialect: Dialect): Table {
  const { id, table: name, left, right } = join;
  const keyField = (side: 'left' | 'right'): Field => ({
    ...fieldDefaults(id, join[side].column),
    id: `${id}.${side}`,
    role: 'key',
    ...typeOfKey(join[side].model, app),
  });
  return {
    id,
    name,
    columns: [
      fieldColumn(keyField('left'), app, dialect),
      fieldColumn(keyField('right'), app, dialect),
    ],
    primaryKey: [left.column, right.column],
    checks: [],
    foreignKeys: [left, right].map(({ column, model }) =>
      foreignKey({ table: name, column }, model, { onDelete: 'cascade' }, app),
    ),
    indexes: [{ name: join.index, unique: false, keys: ascendingKeys([right.column]) }],
  };
}

function makeModelTable(model: Model, app: App, dialect: Dialect): Table {
  const { table, fields } = model;
  return {
    id: model.id,
    name: table,
    ...present({ comment: model.description }),
    columns: [
      ...fields.map((field) => fieldColumn(field, app, dialect)),
      ...(isUser(model) ? [tokenVersionColumn(app, dialect)] : []),
    ],
    primaryKey: [idColumn(model)],
    checks: [
      ...fields.flatMap((field) => fieldChecks(table, field, app, dialect)),
      ...orderChecks(model),
    ],
    foreignKeys: model.relations
      .filter((relation) => relation.kind === 'one')
      .map(({ key, target, onDelete, onUpdate }) =>
        foreignKey(
          { table, column: getField(model, key).column },
          target,
          { onDelete, ...present({ onUpdate }) },
          app,
        ),
      ),
    indexes: [...uniqueIndexes(model, dialect), ...plainIndexes(model, dialect)],
  };
}

function tokenVersionColumn(app: App, dialect: Dialect): Column {
  const field = {
    ...fieldDefaults('User', tokenVersion),
    role: 'base',
    source: 'server',
    type: { kind: 'int' },
    default: { kind: 'literal', value: 0 },
  } as const;
  return fieldColumn(field, app, dialect);
}

/** A rule of the schema as a unique index: unlike a constraint it can leave out the deleted rows. */
function uniqueIndexes(model: Model, dialect: Dialect): readonly TableIndex[] {
  const deletedAt = findFieldByRole(model, 'deleted_at');
  const living = deletedAt ? [nullCondition(deletedAt.column)] : [];
  return model.unique.map(({ name, fields, where = [] }) => ({
    name,
    unique: true,
    keys: ascendingKeys(fields.map((field) => getField(model, field).column)),
    ...withCondition([...living, ...where.map((it) => resolveIndexCondition(it, model, dialect))]),
  }));
}

function plainIndexes(model: Model, dialect: Dialect): readonly TableIndex[] {
  const key = ({ field, descending }: OrderKey) => ({
    column: getField(model, field).column,
    descending,
  });
  return model.indexes.map(({ name, keys, where = [] }) => ({
    name,
    unique: false,
    keys: keys.map(key),
    ...withCondition(where.map((it) => resolveIndexCondition(it, model, dialect))),
  }));
}
