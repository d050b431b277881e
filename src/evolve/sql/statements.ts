import type { Dialect } from '../dialect.ts';
import { commentSql, identifierSql, identifiersSql } from './sql-text.ts';
import {
  type Column,
  type ForeignKey,
  keyOn,
  type Table,
  type TableIndex,
} from '../tables/table.ts';

/** The table with its comment; `foreignKeys` are those that it can name already. */
export function createTable(
  table: Table,
  foreignKeys: readonly ForeignKey[],
  dialect: Dialect,
): string {
  const columns = table.columns.map((column) => ({
    sql: columnSql(column, table, dialect),
    note: column.note,
  }));
  const rules = [
    ...table.checks.map(({ name, expression }) => constraint(name, `CHECK (${expression})`)),
    ...foreignKeys.map((key) => constraint(key.name, foreignKeySql(key, dialect))),
    ...(table.primaryKey.length > 1 ? [`PRIMARY KEY (${identifiersSql(table.primaryKey)})`] : []),
  ].map((sql) => ({ sql, note: undefined }));
  const comment = table.comment === undefined ? [] : [commentSql(table.comment)];
  return [
    ...comment,
    `CREATE TABLE ${identifierSql(table.name)} (`,
    ...listed([...columns, ...rules]),
    `)${dialect.tableOptions};`,
  ].join('\n');
}

/** A comma follows each line but the last, and comes before the note. */
function listed(lines: readonly { readonly sql: string; readonly note: string | undefined }[]) {
  return lines.map(({ sql, note }, index) => {
    const comma = index === lines.length - 1 ? '' : ',';
    return `  ${sql}${comma}${note === undefined ? '' : ` -- ${note}`}`;
  });
}

export function createIndex(table: Table, index: TableIndex): string {
  const keys = index.keys.map(
    ({ column, descending }) => identifierSql(column) + (descending ? ' DESC' : ''),
  );
  const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
  const on = `${identifierSql(table.name)} (${keys.join(', ')})`;
  const where = index.where === undefined ? '' : ` WHERE ${index.where}`;
  return `CREATE ${kind} ${identifierSql(index.name)} ON ${on}${where};`;
}

export function dropIndex({ name }: TableIndex): string {
  return `DROP INDEX ${identifierSql(name)};`;
}

export function renameTable(from: string, to: string): string {
  return `ALTER TABLE ${identifierSql(from)} RENAME TO ${identifierSql(to)};`;
}

export function renameColumn(table: string, from: string, to: string): string {
  const names = `${identifierSql(from)} TO ${identifierSql(to)}`;
  return `ALTER TABLE ${identifierSql(table)} RENAME COLUMN ${names};`;
}

export function dropColumn(table: string, column: string): string {
  return `ALTER TABLE ${identifierSql(table)} DROP COLUMN ${identifierSql(column)};`;
}

/** With the rules that name this column alone. */
export function addColumn(table: Table, column: Column, dialect: Dialect): string {
  const check = table.checks.find((it) => it.column === column.name);
  const key = keyOn(table, column.name);
  const words = [
    columnSql(column, table, dialect),
    ...(check ? [constraint(check.name, `CHECK (${check.expression})`)] : []),
    ...(key ? [constraint(key.name, referenceSql(key, dialect))] : []),
  ];
  return `ALTER TABLE ${identifierSql(table.name)} ADD COLUMN ${words.join(' ')};`;
}

export function addForeignKey(table: Table, key: ForeignKey, dialect: Dialect): string {
  const name = identifierSql(table.name);
  return `ALTER TABLE ${name} ADD ${constraint(key.name, foreignKeySql(key, dialect))};`;
}

export function dropForeignKey(table: Table, key: ForeignKey): string {
  return `ALTER TABLE ${identifierSql(table.name)} DROP CONSTRAINT ${identifierSql(key.name)};`;
}

export function dropTable(table: Table): string {
  return `DROP TABLE ${identifierSql(table.name)};`;
}

function columnSql(column: Column, table: Table, dialect: Dialect): string {
  const name = identifierSql(column.name);
  if (column.generated) return `${name} ${dialect.generatedId}`;
  const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.name;
  const words = [name, column.type];
  if (isKey) words.push('PRIMARY KEY');
  else if (!column.nullable) words.push('NOT NULL');
  if (column.default !== undefined) words.push(`DEFAULT ${column.default}`);
  return words.join(' ');
}

function constraint(name: string, rule: string): string {
  return `CONSTRAINT ${identifierSql(name)} ${rule}`;
}

/** To restrict is SQL's default, NO ACTION, which unlike RESTRICT lets a cascade take both rows. */
const onDelete = { restrict: '', cascade: ' ON DELETE CASCADE', set_null: ' ON DELETE SET NULL' };

function foreignKeySql(key: ForeignKey, dialect: Dialect): string {
  return `FOREIGN KEY (${identifierSql(key.column)}) ${referenceSql(key, dialect)}`;
}

function referenceSql(key: ForeignKey, dialect: Dialect): string {
  const rule = onDelete[key.onDelete] + (key.deferred ? dialect.deferred : '');
  return `REFERENCES ${identifierSql(key.table)} (id)${rule}`;
}
