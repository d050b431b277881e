import { MigrationError } from './error.ts';
import type { MigrationRun } from './run.ts';

/** What to tell about the rows that each check of a migration has found; throws when they stop it. */
export function reportRows(
  { id, checks }: MigrationRun,
  rows: readonly number[],
): readonly string[] {
  const found = checks.flatMap(({ code, target, message, stops }, index) => {
    const count = rows[index] ?? 0;
    const line = `${code} ${target}, ${count === 1 ? '1 row' : `${count} rows`}: ${message}`;
    return count === 0 ? [] : [{ line, stops }];
  });
  const stopping = found.filter(({ stops }) => stops);
  if (stopping.length === 0) return found.map(({ line }) => `${id}: ${line}`);
  throw new MigrationError(
    [
      `Migration ${id} cannot be applied to the rows that there are; nothing was changed:`,
      ...stopping.map(({ line }) => `  ${line}`),
      `Change those rows, or write into migrations/${id}/up.sql what becomes of them: SQL that you have edited is not stopped.`,
    ].join('\n'),
  );
}
