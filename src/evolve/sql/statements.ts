import { rowCounts } from '../../schema/internal-tables.ts';
import { textSql } from '../../types/sql.ts';
import type { Dialect } from '../dialect.ts';
import type { EnumType } from '../tables/enum-types.ts';
import { conditionSql } from '../tables/index-conditions.ts';
import {
  type TableCheck,
  findCheckOn,
  type Column,
  type ForeignKey,
  findKeyOn,
  type Table,
  type TableIndex,
} from '../tables/table.ts';
import { commentSql, identifierSql, identifiersSql } from './sql-text.ts';
import type { Block } from './steps.ts';

/** Each table with its indexes in a block, and at the end the keys to tables that come later than their own. */
export function createTables(tables: readonly Table[], dialect: Dialect): readonly Block[] {
  const order = new Map(tables.map(({ id }, index) => [id, index]));
  const waits = (key: ForeignKey, index: number) =>
    !dialect.forwardReferences && (order.get(key.target) ?? 0) > index;
  return [
    ...tables.map((table, index) => ({
      statements: [
        createTable(
          table,
          table.foreignKeys.filter((key) => !waits(key, index)),
          dialect,
        ),
        ...table.indexes.map((it) => createIndex(table, it)),
      ],
    })),
    {
      statements: tables.flatMap((table, index) =>
        table.foreignKeys
          .filter((key) => waits(key, index))
          .map((key) => alterTable(table.name, `ADD ${foreignKeySql(key, dialect)}`)),
      ),
    },
    ...keepCounts(tables, dialect),
  ];
}

function keepCounts(tables: readonly Table[], { counting }: Dialect): readonly Block[] {
  const isBegun = tables.some(({ name }) => name === rowCounts);
  const counted = tables.filter((table) => table.counted !== undefined);
  return [
    { statements: isBegun ? counting.begin : [] },
    { comments: [countingComment], statements: counted.flatMap(counting.start) },
  ];
}

export const countingComment = "Triggers keep each table's row count up to date.";

export function createType({ name, values }: Pick<EnumType, 'name' | 'values'>): string {
  const labels = values.map(({ value }) => textSql(value)).join(', ');
  return `CREATE TYPE ${identifierSql(name)} AS ENUM (${labels});`;
}

/** Each before the tables that it refers to. */
export function dropTables(tables: readonly Table[]): readonly string[] {
  return tables.toReversed().map(({ name }) => `DROP TABLE ${identifierSql(name)};`);
}

/** The table with its comment; `foreignKeys`: those whose targets exist already. */
export function createTable(
  table: Table,
  foreignKeys: readonly ForeignKey[],
  dialect: Dialect,
): string {
  const lines = [
    ...table.columns.map((it) => ({ sql: columnSql(it, table, dialect), note: it.note })),
    ...table.checks.map((it) => ({ sql: checkSql(it) })),
    ...foreignKeys.map((it) => ({ sql: foreignKeySql(it, dialect) })),
    ...(table.primaryKey.length > 1
      ? [{ sql: `PRIMARY KEY (${identifiersSql(table.primaryKey)})` }]
      : []),
  ];
  return [
    ...(table.comment === undefined ? [] : [commentSql(table.comment)]),
    `CREATE TABLE ${identifierSql(table.name)} (`,
    ...withCommas(lines),
    `)${dialect.tableOptions};`,
  ].join('\n');
}

/** A comma follows each line but the last, and comes before the note. */
function withCommas(
  lines: readonly { readonly sql: string; readonly note?: string | undefined }[],
) {
  return lines.map(({ sql, note }, index) => {
    const comma = index === lines.length - 1 ? '' : ',';
    return `  ${sql}${comma}${note === undefined ? '' : ` -- ${note}`}`;
  });
}

export function createIndex(table: Table, index: TableIndex, way = ''): string {
  const keys = index.keys.map(
    ({ column, descending }) => identifierSql(column) + (descending ? ' DESC' : ''),
  );
  const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
  const on = `${identifierSql(table.name)} (${keys.join(', ')})`;
  const conditions = index.where?.map((it) => `${identifierSql(it.column)} ${conditionSql(it)}`);
  const where = conditions === undefined ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return `CREATE ${kind}${way} ${identifierSql(index.name)} ON ${on}${where};`;
}

export const dropIndex = ({ name }: TableIndex) => `DROP INDEX ${identifierSql(name)};`;

/** All changes to the table's form in one statement, so that it is rewritten at most once. */
export function alterTable(name: string, ...actions: readonly string[]): string {
  const isOne = actions.length === 1;
  return `ALTER TABLE ${identifierSql(name)}${isOne ? ' ' : '\n  '}${actions.join(',\n  ')};`;
}

export function dropColumn(table: string, { name }: Column): string {
  return alterTable(table, `DROP COLUMN ${identifierSql(name)}`);
}

export function dropConstraint(table: string, name: string): string {
  return alterTable(table, `DROP CONSTRAINT ${identifierSql(name)}`);
}

/** Adds a column with its own check and foreign key. */
export function addColumn(table: Table, column: Column, dialect: Dialect): string {
  const check = findCheckOn(table, column.name);
  const key = findKeyOn(table, column.name);
  const words = [
    columnSql(column, table, dialect),
    ...(check ? [checkSql(check)] : []),
    ...(key ? [constraint(key.name, referenceSql(key, dialect))] : []),
  ];
  return alterTable(table.name, `ADD COLUMN ${words.join(' ')}`);
}

function columnSql(column: Column, table: Table, dialect: Dialect): string {
  const name = identifierSql(column.name);
  if (column.generated) return `${name} ${column.type} ${dialect.generatedId}`;
  const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.name;
  const words = [name, column.type];
  if (isKey) words.push('PRIMARY KEY');
  else if (!column.nullable) words.push('NOT NULL');
  if (column.default !== undefined) words.push(`DEFAULT ${column.default}`);
  return words.join(' ');
}

const constraint = (name: string, rule: string) => `CONSTRAINT ${identifierSql(name)} ${rule}`;

export function checkSql({ name, expression }: Pick<TableCheck, 'name' | 'expression'>): string {
  return constraint(name, `CHECK (${expression})`);
}

/** `restrict` is SQL's default, NO ACTION: unlike RESTRICT, it lets a cascade delete both rows. */
const onDelete = { restrict: '', cascade: ' ON DELETE CASCADE', set_null: ' ON DELETE SET NULL' };

export function foreignKeySql(key: ForeignKey, dialect: Dialect): string {
  const column = identifierSql(key.column);
  return constraint(key.name, `FOREIGN KEY (${column}) ${referenceSql(key, dialect)}`);
}

function referenceSql(key: ForeignKey, dialect: Dialect): string {
  const onUpdate = key.onUpdate === 'cascade' ? ' ON UPDATE CASCADE' : '';
  const rule = onDelete[key.onDelete] + onUpdate + (key.deferred ? dialect.deferred : '');
  return `REFERENCES ${identifierSql(key.table)} (${identifierSql(key.to)})${rule}`;
}
