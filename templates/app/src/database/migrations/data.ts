import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { MigrationError } from './error.ts';

/** The database inside the transaction of a migration; SQL has the placeholders of its engine. */
export interface DataConnection {
  all(sql: string, ...values: readonly unknown[]): Promise<readonly DataRow[]>;
  run(sql: string, ...values: readonly unknown[]): Promise<void>;
}

export interface DataRow {
  readonly [column: string]: unknown;
}

/** What `src/database/data/<name>.ts` exports as `up`: it runs after the SQL, and is undone with it when it throws. */
export type DataMigration = (connection: DataConnection) => Promise<void>;

export async function runData(file: string | undefined, connection: DataConnection): Promise<void> {
  if (file === undefined) return;
  if (!existsSync(file)) throw new MigrationError(`There is no file ${file}, which the SQL names.`);
  const module: { readonly up?: unknown } = await import(pathToFileURL(file).href);
  if (!isDataMigration(module.up)) throw new MigrationError(`${file} exports no function \`up\`.`);
  await module.up(connection);
}

function isDataMigration(value: unknown): value is DataMigration {
  return typeof value === 'function';
}
