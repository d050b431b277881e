import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import type { Config } from '../src/config.ts';
import { type Connection, openConnection } from '../src/database/client.ts';
import { databaseFile, openFile } from '../src/database/file.ts';
import { migrate } from '../src/database/migrate.ts';

export interface TestDatabase {
  readonly url: string;
  /** Opens a connection that never waits for the disk: nothing here outlives the machine. */
  open(config: Config): Promise<Connection>;
  /** Takes the rows out of every table. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** A new file with all tables. */
export async function makeDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  const url = `file:${join(folder, 'test.db')}`;
  await migrate(url);
  const connection = openFile(databaseFile(url));
  connection.exec('pragma foreign_keys = OFF; pragma synchronous = OFF');
  const tables = connection.prepare<Item>(listTables).all();
  const triggers = connection.prepare<Item>(listTriggers).all();
  const statements = [
    // A trigger may refuse, or write to a table that is empty already.
    ...triggers.map(({ name }) => `drop trigger ${quoted(name)}`),
    ...tables.map(emptying),
    ...triggers.map(({ sql }) => sql),
  ];
  const script = `begin; ${statements.map((statement) => `${statement};\n`).join('')} commit;`;
  return {
    url,
    async open(config) {
      const opened = openConnection(config);
      await opened.database.executeQuery(CompiledQuery.raw('pragma synchronous = OFF'));
      return opened;
    },
    async empty() {
      connection.exec(script);
    },
    async remove() {
      connection.close();
      await rm(folder, { recursive: true });
    },
  };
}

interface Item {
  readonly name: string;
  readonly sql: string;
}

/** Those that hold rows of their own: what is behind a virtual table is emptied with it. */
const listTables = `
  select name, sql from sqlite_schema join pragma_table_list using (name)
  where schema = 'main' and pragma_table_list.type in ('table', 'virtual')
    and name not like 'sqlite_%' and name <> 'schema_migrations'`;

const listTriggers = `select name, sql from sqlite_schema where type = 'trigger'`;

/** A full text index of another table's rows has a command for it: https://sqlite.org/fts5.html#the_delete_all_command */
function emptying({ name, sql }: Item): string {
  const isIndex = /^create virtual table .*\busing fts5\b.*\bcontent\s*=/is.test(sql);
  return isIndex
    ? `insert into ${quoted(name)} (${quoted(name)}) values ('delete-all')`
    : `delete from ${quoted(name)}`;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
