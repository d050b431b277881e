import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { MigrationError } from './history.ts';
import { refuseTransactions } from './statements.ts';

/** The database inside the transaction of a migration; SQL has the placeholders of its engine. */
export interface DataConnection {
  all(sql: string, ...values: readonly unknown[]): Promise<readonly DataRow[]>;
  run(sql: string, ...values: readonly unknown[]): Promise<void>;
}

export interface DataRow {
  readonly [column: string]: unknown;
}

/** The export `up` of `src/database/data/<name>.ts`. It runs after the SQL, and is undone with it if it throws. */
export type DataMigration = (connection: DataConnection) => Promise<void>;

/** A module as it is written and as it is built. */
export interface DataModule {
  readonly source: string;
  readonly built: string;
}

export async function runData(
  modules: readonly DataModule[],
  database: DataConnection,
): Promise<void> {
  for (const module of modules) {
    const file = existsSync(module.source) ? module.source : module.built;
    if (!existsSync(file)) {
      throw new MigrationError(`There is no file ${module.source}, which the SQL names.`);
    }
    const refuse = (sql: string) => refuseTransactions(sql, `${file} runs`);
    const connection: DataConnection = {
      async all(sql, ...values) {
        refuse(sql);
        return database.all(sql, ...values);
      },
      async run(sql, ...values) {
        refuse(sql);
        await database.run(sql, ...values);
      },
    };
    const { up } = await load(module, file);
    if (!isDataMigration(up)) throw new MigrationError(`${file} exports no function \`up\`.`);
    await up(connection);
  }
}

/** Loads TypeScript if this process can read it. Node.js 20 needs a loader for that. */
async function load({ built }: DataModule, file: string): Promise<{ readonly up?: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const isUnread =
      error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    if (!isUnread || !existsSync(built)) throw error;
    return import(pathToFileURL(built).href);
  }
}

function isDataMigration(value: unknown): value is DataMigration {
  return typeof value === 'function';
}
