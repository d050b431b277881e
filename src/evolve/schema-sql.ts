import type { App } from '../model/app.ts';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects.ts';
import { type SplitTable, splitKeys } from './sql/steps.ts';
import { paragraphSql } from './sql/sql-text.ts';
import { addForeignKey, createIndex, createTable } from './sql/statements.ts';
import { appTables } from './tables/app-tables.ts';

/** The whole database of an app as it is after its last migration: for people, and to look for differences. */
export function schemaSql(app: App): string {
  const { title } = dialects[app.database];
  const heading = `Every table of ${app.name} after the last migration, for ${title}: to read, and for db:status to compare with.`;
  return `${paragraphSql(heading)}\n\n${tablesSql(app)}\n`;
}

/** What makes an empty database the app's. */
export function tablesSql(app: App): string {
  const dialect = dialects[app.database];
  const tables = splitTables(app, dialect);
  const blocks = tables.map(({ table, now }) =>
    [
      createTable(table, now, dialect),
      ...table.indexes.map((index) => createIndex(table, index)),
    ].join('\n'),
  );
  const late = tables.flatMap(({ table, later }) =>
    later.map((key) => addForeignKey(table, key, dialect)),
  );
  return [...blocks, ...(late.length > 0 ? [late.join('\n')] : [])].join('\n\n');
}

/** In the order in which they can be made. */
export function splitTables(app: App, dialect: Dialect): readonly SplitTable[] {
  return splitKeys(
    appTables(app, dialect),
    (key, made) => dialect.forwardReferences || made.has(key.target),
  );
}
