import type { App } from '../model/app.ts';
import { carriedIds } from '../model/carry.ts';
import { dialects } from './dialects.ts';
import { printMigration } from './migration.ts';
import { splitTables, tablesSql } from './schema-sql.ts';

/**
 * The migration that makes an empty database the app's. `schemaText` is the file that says so. There is no way back:
 * it would drop every table, with all that is in it.
 */
export function initialMigration(app: App, schemaText: string) {
  const dialect = dialects[app.database];
  const tables = splitTables(app, dialect);
  const title = `-- Every table of ${app.name}, for ${dialect.title}.`;
  return printMigration(
    {
      id: '0001_initial',
      parent: null,
      engine: app.database,
      operations: tables.map(({ table }) => ({ kind: 'create_table', target: table.name })),
      hazards: [],
      accepted: [],
      backup: false,
      tables: {},
      ids: carriedIds(app),
      layout: app.layout,
    },
    {
      'up.sql': `${title}\n\n${tablesSql(app)}\n`,
      'schema.yaml': schemaText,
    },
  );
}
