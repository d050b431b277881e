import type { App } from '../model/app.ts';
import { checksum } from './checksum.ts';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects.ts';
import { type SplitTable, splitKeys } from './split-keys.ts';
import {
  addForeignKey,
  createIndex,
  createTable,
  dropForeignKey,
  dropTable,
} from './statements.ts';
import { appTables } from './tables.ts';

/** The migration that makes an empty database the app's. */
export function initialMigration(app: App): InitialMigration {
  const dialect = dialects[app.database];
  const tables = splitKeys(
    appTables(app, dialect),
    (key, made) => dialect.forwardReferences || made.has(key.target),
  );
  const id = '0001_initial';
  const sql = { 'up.sql': upSql(app, tables, dialect), 'down.sql': downSql(app, tables) };
  const meta = {
    id,
    parent: null,
    engine: app.database,
    operations: tables.map(({ table }) => ({ kind: 'create_table', table: table.name })),
    hazards: [],
    checksums: { 'down.sql': checksum(sql['down.sql']), 'up.sql': checksum(sql['up.sql']) },
  };
  return { id, files: { ...sql, 'meta.json': `${JSON.stringify(meta, null, 2)}\n` } };
}

interface InitialMigration {
  readonly id: string;
  readonly files: Readonly<Record<'up.sql' | 'down.sql' | 'meta.json', string>>;
}

function upSql(app: App, tables: readonly SplitTable[], dialect: Dialect): string {
  const blocks = tables.map(({ table, now }) =>
    [
      createTable(table, now, dialect),
      ...table.indexes.map((index) => createIndex(table, index)),
    ].join('\n'),
  );
  const late = tables.flatMap(({ table, later }) =>
    later.map((key) => addForeignKey(table, key, dialect)),
  );
  const title = `-- Every table of ${app.name}, for ${dialect.title}.`;
  return `${[title, ...blocks, ...(late.length > 0 ? [late.join('\n')] : [])].join('\n\n')}\n`;
}

function downSql(app: App, tables: readonly SplitTable[]): string {
  const keys = tables.flatMap(({ table, later }) => later.map((key) => dropForeignKey(table, key)));
  const drops = tables.map(({ table }) => dropTable(table)).toReversed();
  const title = `-- Drops every table of ${app.name}, with all that is in it.`;
  return `${[title, [...keys, ...drops].join('\n')].join('\n\n')}\n`;
}
