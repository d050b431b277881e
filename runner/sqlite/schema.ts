import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { databaseFile, openFile } from './file.ts';
import { addFunctions } from './functions.ts';
import { checksIn, joinWords, sqlWords } from './sql-words.ts';
import { compareSchemas, type Difference, type FoundRows, type SchemaParts } from '../checks.ts';
import type { DataRow } from '../data.ts';
import type { RowCheck } from '../history.ts';
import { quoteName, quoteText } from '../statements.ts';

/** How the database differs from the tables that `schemaSql` makes. */
export async function listDrift(url: string, schemaSql: string): Promise<readonly Difference[]> {
  const connection = openFile(databaseFile(url), { readOnly: true });
  try {
    return [...listTableDrift(connection, schemaSql), ...wrongTotals(connection)];
  } finally {
    connection.close();
  }
}

/** Tables with wrong totals. `INSERT OR REPLACE` does not fire triggers unless recursive triggers are on. */
function wrongTotals(connection: DatabaseSync): readonly Difference[] {
  const triggers = connection
    .prepare<Table>(
      `select tbl_name as name, sql from sqlite_schema
      where type = 'trigger' and sql like '%AFTER INSERT%INSERT INTO row_counts%' order by 1`,
    )
    .all();
  return triggers.flatMap(({ name, sql }): readonly Difference[] => {
    const counted = countedSql({ name, sql });
    const right = connection
      .prepare(
        `select * from (select * from row_counts where name = ?1 union all select ?1, '', 0, 0 limit 1)
        intersect ${counted}`,
      )
      .get(name);
    if (right !== undefined) return [];
    const found = `not that of its rows: insert or replace into row_counts ${counted}`;
    return [
      {
        kind: 'different',
        object: `total of ${name}`,
        expected: 'as many as there are rows',
        found,
      },
    ];
  });
}

/** SQL for the total that a trigger keeps. */
export function countedSql({ name, sql }: Table): string {
  const [, deletedAt = 'null'] = /\(new\.(\S+) IS NOT NULL\)/i.exec(sql) ?? [];
  return `select ${quoteText(name)}, '', count(*), count(${deletedAt}) from ${quoteName(name)}`;
}

export function listTableDrift(connection: DatabaseSync, schemaSql: string): readonly Difference[] {
  return compareSchemas(makeSchema(schemaSql), readSchema(connection));
}

export function makeSchema(schemaSql: string): SchemaParts {
  const model = new DatabaseSync(':memory:');
  try {
    addFunctions(model);
    model.exec(schemaSql);
    return readSchema(model);
  } finally {
    model.close();
  }
}

interface Table {
  readonly name: string;
  readonly sql: string;
}

export function readSchema(connection: DatabaseSync): SchemaParts {
  const tables = connection
    .prepare<Table>(
      `select name, sql from sqlite_schema join pragma_table_list using (name)
      where schema = 'main' and sqlite_schema.type = 'table' and pragma_table_list.type <> 'shadow'
        and name not like 'sqlite\\_%' escape '\\' and name <> 'schema_migrations'`,
    )
    .all();
  return new Map(
    tables.flatMap((table) => [
      [`table ${table.name}`, tableOptions(table)] as const,
      ...columnParts(connection, table),
      ...keyParts(connection, table),
      ...checksIn(table.sql).map((check) => [`check ${table.name}: ${check}`, ''] as const),
      ...indexParts(connection, table),
      ...uniqueParts(connection, table),
      ...triggerParts(connection, table),
    ]),
  );
}

type Fact = readonly [object: string, definition: string];

function tableOptions({ sql }: Table): string {
  const words = sqlWords(sql);
  const options = words.slice(words.lastIndexOf(')') + 1);
  return joinWords(words.includes('autoincrement') ? ['autoincrement', ...options] : options);
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

function columnParts(connection: DatabaseSync, { name }: Table): readonly Fact[] {
  return connection
    .prepare<Column>(`select * from pragma_table_xinfo(?, 'main')`)
    .all(name)
    .map((column) => [
      `column ${name}.${column.name}`,
      [
        column.type.toLowerCase(),
        ...(column.pk > 0 ? [`primary key ${column.pk}`] : []),
        ...(column.notnull === 1 ? ['not null'] : []),
        ...(column.dflt_value === null
          ? []
          : [`default ${joinWords(sqlWords(column.dflt_value))}`]),
      ].join(' '),
    ]);
}

interface Key {
  readonly columns: string;
  readonly rule: string;
}

function keyParts(connection: DatabaseSync, { name }: Table): readonly Fact[] {
  return connection
    .prepare<Key>(
      `select group_concat("from", ', ') as columns,
        "table" || ' (' || group_concat(coalesce("to", (
          select name from pragma_table_info(list."table") where pk = list.seq + 1
        ), 'id'), ', ') || ') on delete ' || lower(on_delete)
          || case on_update when 'NO ACTION' then '' else ' on update ' || lower(on_update) end as rule
      from pragma_foreign_key_list(?, 'main') as list group by id`,
    )
    .all(name)
    .map(({ columns, rule }) => [`foreign key ${name}.${columns}`, rule]);
}

function indexParts(connection: DatabaseSync, { name }: Table): readonly Fact[] {
  return connection
    .prepare<Table>(
      `select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null`,
    )
    .all(name)
    .map((index) => {
      const words = sqlWords(index.sql);
      const unique = words[1] === 'unique' ? ['unique'] : [];
      return [`index ${index.name}`, joinWords([...unique, ...words.slice(words.indexOf('on'))])];
    });
}

/** Unique constraints of tables are not ours: the schema makes unique indexes. */
function uniqueParts(connection: DatabaseSync, { name }: Table): readonly Fact[] {
  return connection
    .prepare<{ columns: string }>(
      `select group_concat(part.name, ', ') as columns
      from pragma_index_list(?) as list, pragma_index_info(list.name) as part
      where list.origin = 'u' group by list.name`,
    )
    .all(name)
    .map(({ columns }) => [`unique constraint ${name}.${columns}`, '']);
}

function triggerParts(connection: DatabaseSync, { name }: Table): readonly Fact[] {
  return connection
    .prepare<Table>(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?`)
    .all(name)
    .map((trigger) => [`trigger ${name}.${trigger.name}`, joinWords(sqlWords(trigger.sql))]);
}

export async function inspectRows(
  url: string,
  checks: readonly RowCheck[],
): Promise<readonly FoundRows[]> {
  const connection = openFile(databaseFile(url), { readOnly: true });
  try {
    return countRows(connection, checks);
  } finally {
    connection.close();
  }
}

export function countRows(
  connection: DatabaseSync,
  checks: readonly RowCheck[],
): readonly FoundRows[] {
  return checks.map((check) => ({ ...check, rows: countBy(connection, check.count) }));
}

/** The number that a query returns. */
export function countBy(connection: DatabaseSync, sql: string): number {
  const statement = connection.prepare<readonly unknown[]>(sql);
  statement.setReturnArrays(true);
  return Number(statement.get()?.[0]);
}

/** Reads integers as numbers, or as `bigint` if a number would lose digits. */
export function readRows(
  connection: DatabaseSync,
  sql: string,
  values: readonly unknown[],
): readonly DataRow[] {
  const statement = connection.prepare<DataRow>(sql);
  statement.setReadBigInts(true);
  return statement
    .all(...values)
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainInteger(value)])),
    );
}

function plainInteger(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
