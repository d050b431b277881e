import { type App, type Field, valuesOf } from '../../model/app.ts';
import { identifier } from '../../model/identifier.ts';
import { present } from '../../schema/present.ts';
import { fieldTypes } from '../../types/all.ts';
import { textSql } from '../../types/sql.ts';
import { type Dialect, storageOf, type Bounds, type ColumnFacts } from '../dialect.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { World } from './column-source.ts';
import type { Check, Column } from './table.ts';

/** What the database itself refuses of a field's values: at most one check, named after the column. */
export function fieldChecks(table: string, field: Field, app: App, dialect: Dialect): Check[] {
  const expression = ruleSql(field, app, dialect)(identifierSql(field.column));
  if (expression === undefined) return [];
  return [{ column: field.column, name: identifier([table, field.column], 'check'), expression }];
}

/** The rule that holds for a value of the field: NULL or false for one that breaks it. */
export function ruleSql(field: Field, app: App, dialect: Dialect) {
  return (value: string): string | undefined => {
    // What a key may hold is what its target has.
    if (field.role === 'key') return undefined;
    const terms = [
      storageOf(field.type, dialect).shape?.(value),
      enumTerm(value, field, app),
      boundsTerm(value, field, dialect),
    ].filter((term) => term !== undefined);
    return terms.length === 0 ? undefined : terms.join(' AND ');
  };
}

function enumTerm(value: string, field: Field, app: App): string | undefined {
  if (field.type.kind !== 'enum') return undefined;
  const values = valuesOf(field, app).map((it) => textSql(it.value));
  return `${value} IN (${values.join(', ')})`;
}

function boundsTerm(value: string, field: Field, dialect: Dialect): string | undefined {
  const { range } = fieldTypes[field.type.kind];
  if (range === undefined) return undefined;
  const { min, max } = dialect.bounds(field);
  if (range !== 'value') {
    const length = `${dialect.length[range]}(${value})`;
    return between(length, min === 0 ? undefined : min, max);
  }
  const { literal } = storageOf(field.type, dialect);
  return between(
    value,
    min === undefined ? undefined : literal(min),
    max === undefined ? undefined : literal(max),
  );
}

type Bound = string | number | undefined;

function between(expression: string, min: Bound, max: Bound): string | undefined {
  if (min !== undefined && max !== undefined) return `${expression} BETWEEN ${min} AND ${max}`;
  if (min !== undefined) return `${expression} >= ${min}`;
  return max === undefined ? undefined : `${expression} <= ${max}`;
}

/** The bounds that are written, and for the rest those of the type itself where its columns hold more. */
export function everyBound({ type, min, max }: ColumnFacts): Bounds {
  const limits = fieldTypes[type.kind].limits?.(type);
  const widest = limits?.isColumn ? undefined : limits;
  return present({ min: min ?? widest?.min, max: max ?? widest?.max });
}

/** Whether the check of a column says what it said, whatever it is called: its name may have stayed behind. */
export function isSameRule(before: Column, after: Column, { apps, dialect }: World): boolean {
  const column = identifierSql(after.name);
  return (
    ruleSql(before.field, apps.before, dialect)(column) ===
    ruleSql(after.field, apps.after, dialect)(column)
  );
}
