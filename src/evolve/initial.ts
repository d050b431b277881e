import type { App } from '../model/app.ts';
import { carriedIds } from '../model/carried-ids.ts';
import { dialects } from './dialects.ts';
import { printMigration } from './migration.ts';
import { splitTables, tablesSql } from './schema-sql.ts';
import type { SplitTable } from './split-keys.ts';
import { dropForeignKey, dropTable } from './statements.ts';

/** The migration that makes an empty database the app's. `schemaText` is the file that says so. */
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
      ids: carriedIds(app),
    },
    {
      'up.sql': `${title}\n\n${tablesSql(app)}\n`,
      'down.sql': downSql(app, tables),
      'schema.yaml': schemaText,
    },
  );
}

function downSql(app: App, tables: readonly SplitTable[]): string {
  const keys = tables.flatMap(({ table, later }) => later.map((key) => dropForeignKey(table, key)));
  const drops = tables.map(({ table }) => dropTable(table)).toReversed();
  const title = `-- Drops every table of ${app.name}, with all that is in it.`;
  return `${[title, [...keys, ...drops].join('\n')].join('\n\n')}\n`;
}
