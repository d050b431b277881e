import type { Field } from '../../model/app.ts';
import { type Dialect, storageOf } from '../dialect.ts';
import type { TableChanges, KeptTable } from '../table-changes.ts';
import { isSameRule } from '../tables/checks.ts';
import type { ColumnSource } from '../tables/column-source.ts';
import { compareChecks } from '../tables/differences.ts';
import { type Column, findKeyOn, type Table } from '../tables/table.ts';

/** Whether the table has to be rebuilt because SQLite's ALTER TABLE cannot make the change. */
export function needsRebuild(table: KeptTable, tableChanges: TableChanges): boolean {
  return (
    table.columns.some((source) => !isAlterable(source, table, tableChanges)) ||
    table.dropped.some((column) => !isDroppable(column, table.before)) ||
    keyIds(table.before) !== keyIds(table.after) ||
    hasChangedChecks(table, tableChanges)
  );
}

/** Whether a check of two columns is added, dropped or renamed; error responses rely on its name. */
function hasChangedChecks(table: KeptTable, tableChanges: TableChanges): boolean {
  const { added, dropped, kept } = compareChecks(table, tableChanges);
  const renamed = kept.flatMap(({ before, after }) => (before.name === after.name ? [] : [after]));
  return [...added, ...dropped, ...renamed].some(({ operator }) => operator !== undefined);
}

function isAlterable(source: ColumnSource, table: KeptTable, tableChanges: TableChanges): boolean {
  const { before, after } = source;
  if (before === undefined) return isAddable(source, table.after, tableChanges);
  return (
    source.isCopied &&
    before.type === after.type &&
    before.nullable === after.nullable &&
    before.default === after.default &&
    before.generated === after.generated &&
    isSameRule(before, after, tableChanges) &&
    describeReference(table.before, before) === describeReference(table.after, after)
  );
}

/** In existing rows, a new column holds a constant, and a new key NULL. */
function isAddable(
  { after, fill }: ColumnSource,
  table: Table,
  { dialect }: TableChanges,
): boolean {
  if (fill !== after.default || isWorkedOut(after.field, dialect)) return false;
  if (describeReference(table, after) === '') return after.nullable || after.default !== undefined;
  return after.nullable && after.default === undefined;
}

/** ADD COLUMN does not accept an expression as default. */
function isWorkedOut({ type, default: initial }: Field, dialect: Dialect): boolean {
  if (initial?.kind !== 'literal') return false;
  return storageOf(type, dialect).isExpression?.(initial.value) === true;
}

/** SQLite cannot drop a column that a constraint of the table names. */
function isDroppable(column: Column, table: Table): boolean {
  return (
    describeReference(table, column) === '' &&
    !table.checks.some(({ columns }) => columns.includes(column.name)) &&
    !table.primaryKey.includes(column.name)
  );
}

function describeReference(table: Table, { name }: Column): string {
  const key = findKeyOn(table, name);
  return key === undefined ? '' : `${key.target} ${key.onDelete} ${key.onUpdate}`;
}

function keyIds({ primaryKey, columns }: Table): string {
  return primaryKey.map((key) => columns.find(({ name }) => name === key)?.field.id ?? key).join();
}
