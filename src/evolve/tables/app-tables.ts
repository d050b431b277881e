import type { App, JoinTable, Model, Field, OrderKey, ToOne } from '../../model/app.ts';
import { keyType, plainField } from '../../model/fields.ts';
import { identifier } from '../../model/identifier.ts';
import { tokenVersion, type Layout, layouts } from '../../schema/internal-tables.ts';
import { present } from '../../schema/present.ts';
import { type Dialect, storageOf } from '../dialect.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { fieldChecks } from './checks.ts';
import type { Table, ForeignKey, Column, TableIndex } from './table.ts';

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

function modelTable(model: Model, app: App, dialect: Dialect): Table {
  const { table, fields } = model;
  const isUser = model.id === 'model:User';
  return {
    id: model.id,
    name: table,
    ...present({ comment: model.description }),
    columns: [
      ...fields.map((field) => fieldColumn(field, dialect)),
      ...(isUser ? [tokenVersionColumn(dialect)] : []),
    ],
    primaryKey: ['id'],
    checks: fields.flatMap((field) => fieldChecks(table, field, app, dialect)),
    foreignKeys: model.relations
      .filter((relation) => relation.kind === 'one')
      .map((relation) => foreignKey(model, relation, app)),
    indexes: [...uniqueIndexes(model), ...plainIndexes(model)],
  };
}

function fieldColumn(field: Field, dialect: Dialect): Column {
  const value = field.default?.kind === 'literal' ? field.default.value : null;
  return {
    field,
    name: field.column,
    type: storageOf(field.type, dialect).column(field),
    nullable: field.nullable,
    ...(field.role === 'id' && field.type.kind === 'id' ? { generated: true } : {}),
    ...present({
      default: value === null ? undefined : storageOf(field.type, dialect).literal(value),
      note: storageOf(field.type, dialect).note?.(field.type),
    }),
  };
}

function tokenVersionColumn(dialect: Dialect): Column {
  const field = {
    ...plainField('User', tokenVersion),
    role: 'base',
    source: 'server',
    type: { kind: 'int' },
    default: { kind: 'literal', value: 0 },
  } as const;
  return fieldColumn(field, dialect);
}

function foreignKey(model: Model, relation: ToOne, app: App): ForeignKey {
  const column = columnOf(model, relation.key);
  const target = app.models.find(({ names }) => names.type === relation.target);
  return {
    name: identifier([model.table, column], 'fkey'),
    column,
    table: target?.table ?? relation.target,
    target: target?.id ?? relation.target,
    onDelete: relation.onDelete,
  };
}

/** A rule of the schema as a unique index: unlike a constraint it can leave out the deleted rows. */
function uniqueIndexes(model: Model): readonly TableIndex[] {
  const deletedAt = model.fields.find((field) => field.role === 'deleted_at');
  return model.unique.map(({ name, fields }) => ({
    name,
    unique: true,
    keys: fields.map((field) => ({ column: columnOf(model, field), descending: false })),
    ...(deletedAt ? { where: `${identifierSql(deletedAt.column)} IS NULL` } : {}),
  }));
}

function plainIndexes(model: Model): readonly TableIndex[] {
  const key = ({ field, descending }: OrderKey) => ({ column: columnOf(model, field), descending });
  return model.indexes.map(({ name, keys }) => ({ name, unique: false, keys: keys.map(key) }));
}

function columnOf(model: Model, field: string): string {
  return model.fields.find(({ name }) => name === field)?.column ?? field;
}

/** What authentication and mail keep for themselves. */
function internalTables(app: App, dialect: Dialect): readonly Table[] {
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
