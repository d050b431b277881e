import type { DatabaseSync } from '../driver.ts';
import { databaseFile, openFile } from '../file.ts';
import type { DataRow } from './data.ts';
import type { FoundRows, RowCheck } from './row-checks.ts';

export async function findRows(
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

/** The number that a statement of one column answers. */
export function countBy(connection: DatabaseSync, sql: string): number {
  const statement = connection.prepare<readonly unknown[]>(sql);
  statement.setReturnArrays(true);
  return Number(statement.get()?.[0]);
}

/** Rows whose integers are numbers, and `bigint`s where a number would be another one. */
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
