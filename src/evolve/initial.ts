import type { App } from '../model/app.ts';
import { readCarriedIds } from '../model/carried-ids.ts';
import { dialects } from './dialect.ts';
import { printMigration } from './migration.ts';
import { paragraphSql } from './sql/sql-text.ts';
import { createTables, createType } from './sql/statements.ts';
import { blocksSql } from './sql/steps.ts';
import { appTables } from './tables/app-tables.ts';
import { enumTypes } from './tables/enum-types.ts';

export const initialId = '0001_initial';

/** The first migration, which has no `down.sql`. `schemaText`: the schema file. */
export function makeInitialMigration(app: App, schemaText: string) {
  const dialect = dialects[app.database];
  const title = `-- Every table of ${app.name}, for ${dialect.title}.`;
  return printMigration(
    {
      id: initialId,
      parent: null,
      engine: app.database,
      hazards: [],
      accepted: [],
      backup: false,
      tables: {},
      ids: readCarriedIds(app),
      layout: app.layout,
    },
    {
      'up.sql': `${title}\n\n${tablesSql(app)}\n`,
      'schema.yaml': schemaText,
    },
  );
}

/** The SQL of the whole database, to read and to compare with a real one. */
export function schemaSql(app: App): string {
  const { title } = dialects[app.database];
  const heading = `Every table of ${app.name} after the last migration, for ${title}: to read, and for db:status to compare with.`;
  return `${paragraphSql(heading)}\n\n${tablesSql(app)}\n`;
}

export function tablesSql(app: App): string {
  const dialect = dialects[app.database];
  return blocksSql([
    { statements: enumTypes(app).map(createType) },
    ...createTables(appTables(app), dialect),
  ]);
}
