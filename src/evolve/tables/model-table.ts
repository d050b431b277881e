import type { App, Field, Model, OrderKey, ToOne } from '../../model/app.ts';
import { tokenVersion } from '../../schema/internal-tables.ts';
import { present } from '../../schema/present.ts';
import { identifier } from '../../model/identifier.ts';
import { plainField } from '../../model/fields.ts';
import { fieldChecks } from './checks.ts';
import { type Dialect, storageOf } from '../dialect.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { Column, ForeignKey, Table, TableIndex } from './table.ts';

export function modelTable(model: Model, app: App, dialect: Dialect): Table {
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

export function fieldColumn(field: Field, dialect: Dialect): Column {
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
