import { present } from '../../present.ts';
import type { App, Field } from '../../model/app.ts';
import { idColumn, findModel } from '../../model/lookups.ts';
import { findDefaultValue } from '../../model/writing.ts';
import { databaseName } from '../../naming/database-name.ts';
import { type Dialect, storageOf } from '../dialect.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { findEnumType } from './enum-types.ts';
import type { ForeignKey, Column, TableIndex } from './table.ts';

export function fieldColumn(field: Field, app: App, dialect: Dialect): Column {
  const made = findEnumType(field, app);
  return {
    field,
    name: field.column,
    type: made ? identifierSql(made.name) : storageOf(field.type, dialect).column(field),
    nullable: field.nullable,
    ...(field.role === 'id' && field.type.kind === 'id' ? { generated: true } : {}),
    ...present({
      values: made?.values.map((it) => it.value),
      default: printDefault(field, dialect),
      note: storageOf(field.type, dialect).note?.(field.type),
    }),
  };
}

/** Another program leaves optional times to the database, so these have a default. */
function printDefault(field: Field, dialect: Dialect) {
  const { type, default: initial, nullable, stored } = field;
  const { literal, made } = storageOf(type, dialect);
  if (initial?.kind === 'now' && nullable && stored !== undefined) return made;
  const value = findDefaultValue(field) ?? null;
  return value === null ? undefined : literal(value);
}

export function foreignKey(
  { table, column }: Pick<ForeignKey, 'table' | 'column'>,
  model: string,
  rules: Pick<ForeignKey, 'onDelete' | 'onUpdate'>,
  app: App,
): ForeignKey {
  const target = findModel(model, app);
  return {
    name: databaseName([table, column], 'fkey'),
    column,
    table: target?.table ?? model,
    target: target?.id ?? model,
    to: target ? idColumn(target) : 'id',
    ...rules,
  };
}

export function ascendingKeys(columns: readonly string[]): TableIndex['keys'] {
  return columns.map((column) => ({ column, descending: false }));
}
