import type Sqlite from 'better-sqlite3';
import { databaseFile, openFile } from '../file.ts';
import type { FoundRows, RowCheck } from './row-checks.ts';

export async function findRows(
  url: string,
  checks: readonly RowCheck[],
): Promise<readonly FoundRows[]> {
  const connection = openFile(databaseFile(url), { readonly: true });
  try {
    return countRows(connection, checks);
  } finally {
    connection.close();
  }
}

export function countRows(
  connection: Sqlite.Database,
  checks: readonly RowCheck[],
): readonly FoundRows[] {
  return checks.map((check) => ({
    ...check,
    rows: Number(connection.prepare(check.count).pluck().get()),
  }));
}
