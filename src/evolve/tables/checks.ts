import type { App, Field, Model } from '../../model/app.ts';
import { findEnum, getField, listEnumValues } from '../../model/lookups.ts';
import { databaseName } from '../../naming/database-name.ts';
import { fieldTypes } from '../../types/all.ts';
import { textSql } from '../../types/sql.ts';
import { type Bounds, type Dialect, storageOf } from '../dialect.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { EngineApps } from './column-source.ts';
import type { TableCheck, Column } from './table.ts';
import type { FieldType } from '../../types/field-type.ts';

/** The check of a field's values, if it has one, named after the column. */
export function fieldChecks(table: string, field: Field, app: App, dialect: Dialect): TableCheck[] {
  // An enum type checks its values itself.
  if (findEnum(field, app)?.type !== undefined) return [];
  const expression = ruleSql(field, app, dialect)(identifierSql(field.column));
  if (expression === undefined) return [];
  return [
    { columns: [field.column], name: databaseName([table, field.column], 'check'), expression },
  ];
}

/** Checks that compare two fields; they pass if either is NULL. */
export function orderChecks(model: Model): readonly TableCheck[] {
  return model.checks.map(({ name, left, operator, right }) => {
    const columns = [left, right].map((one) => getField(model, one).column);
    const expression = columns.map(identifierSql).join(` ${operator} `);
    return { columns, operator, name, expression };
  });
}

/** The rule for a value of the field: NULL or false for one that breaks it. */
export function ruleSql(field: Field, app: App, dialect: Dialect, bounds = dialect.bounds) {
  const isFound = field.stored !== undefined;
  return (value: string): string | undefined => {
    // Keys hold the values of their target, and ids of another program follow its own rules.
    if (field.role === 'key' || (field.role === 'id' && isFound)) return undefined;
    const terms = [
      isFound ? undefined : storageOf(field.type, dialect).shape?.(value),
      enumTerm(value, field, app),
      boundsTerm(value, field.type, bounds(field), dialect),
    ].filter((term) => term !== undefined);
    return terms.length === 0 ? undefined : terms.join(' AND ');
  };
}

function enumTerm(value: string, field: Field, app: App): string | undefined {
  if (field.type.kind !== 'enum') return undefined;
  const values = listEnumValues(field, app).map((it) => textSql(it.value));
  return `${value} IN (${values.join(', ')})`;
}

function boundsTerm(value: string, type: FieldType, { min, max }: Bounds, dialect: Dialect) {
  const { range } = fieldTypes[type.kind];
  if (range === undefined) return undefined;
  if (range !== 'value') {
    return between(`${dialect.length[range]}(${value})`, min === 0 ? undefined : min, max);
  }
  const { literal } = storageOf(type, dialect);
  const [least, most] = [min, max].map((it) => (it === undefined ? undefined : literal(it)));
  return between(value, least, most);
}

type Bound = string | number | undefined;

function between(expression: string, min: Bound, max: Bound): string | undefined {
  if (min !== undefined && max !== undefined) return `${expression} BETWEEN ${min} AND ${max}`;
  if (min !== undefined) return `${expression} >= ${min}`;
  return max === undefined ? undefined : `${expression} <= ${max}`;
}

/** Whether the check of a column means the same, whatever its name. */
export function isSameRule(before: Column, after: Column, { apps, dialect }: EngineApps): boolean {
  const former = listEnumValues(before.field, apps.before).map(({ value }) => value);
  const present = new Set(listEnumValues(after.field, apps.after).map(({ value }) => value));
  // The order of the list does not matter.
  if (former.length > 0 && present.size > 0) {
    return former.length === present.size && former.every((value) => present.has(value));
  }
  const column = identifierSql(after.name);
  return (
    ruleSql(before.field, apps.before, dialect)(column) ===
    ruleSql(after.field, apps.after, dialect)(column)
  );
}
