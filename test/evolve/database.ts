import type { Client } from 'pg';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { connectedClient, freshDatabase } from '../support/postgres.ts';
import type { Engine } from '../../src/types/field-type.ts';

interface Row {
  readonly [column: string]: unknown;
}

/** An empty database of either engine, gone at `close`. */
export interface TestDatabase {
  /** As a project's own runner does it, so that a migration does not cascade. */
  migrate(sql: string): Promise<void>;
  /** Any number of statements. */
  run(sql: string): Promise<void>;
  rows(query: string): Promise<readonly Row[]>;
  tables(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function openDatabase(engine: Engine): Promise<TestDatabase> {
  return { sqlite: openSqlite, postgres: openPostgres }[engine]();
}

async function openSqlite(): Promise<TestDatabase> {
  const connection = new DatabaseSync(':memory:');
  const rows = async (query: string) => {
    const statement = connection.prepare<Row>(query);
    statement.setReadBigInts(true);
    return statement.all();
  };
  return {
    rows,
    run: async (sql) => void connection.exec(sql),
    migrate: async (sql) => {
      connection.exec('pragma foreign_keys = OFF');
      connection.exec(sql);
      connection.exec('pragma foreign_keys = ON');
    },
    tables: async () =>
      names(
        await rows(
          `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'`,
        ),
      ),
    close: async () => void connection.close(),
  };
}

/** Databases that are closed: to empty one costs a fraction of what it takes to make another. */
const idle: Client[] = [];

async function openPostgres(): Promise<TestDatabase> {
  const client = idle.pop() ?? (await connectedClient(await freshDatabase()));
  const rows = async (query: string) => (await client.query<Row>(query)).rows;
  const run = async (sql: string) => void (await client.query(sql));
  return {
    rows,
    run,
    migrate: run,
    tables: async () =>
      names(await rows(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)),
    close: async () => {
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await client.query('DISCARD ALL');
      idle.push(client);
    },
  };
}

function names(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => String(row['name'])).toSorted();
}

/** `INSERT` of one row; text is escaped, the rest is SQL as it stands. */
export function insert(table: string, values: Readonly<Record<string, Value>>): string {
  const columns = Object.keys(values).map((column) => `"${column}"`);
  const literals = Object.values(values).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
  );
  return `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${literals.join(', ')})`;
}

export type Value = string | number | null;

/** The columns that the server fills in. */
export const stamps = {
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-02T03:04:05.678Z',
} as const;
