import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';

/** The rows of a query as lists of values. */
export function valuesOf(database: DatabaseSync, sql: string): readonly (readonly unknown[])[] {
  const statement = database.prepare<readonly unknown[]>(sql);
  statement.setReturnArrays(true);
  return statement.all();
}
