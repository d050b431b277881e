import { MigrationError } from './migration-error.ts';
import type { MigrationRun, RowCheck } from './migration-run.ts';

/** What to tell about the rows that each check of a migration has found; throws when they stop it. */
export function reportRows(
  { id, checks }: MigrationRun,
  rows: readonly number[],
): readonly string[] {
  const found = checks
    .map((check, index) => ({ check, line: line(check, rows[index] ?? 0), rows: rows[index] ?? 0 }))
    .filter((it) => it.rows > 0);
  const stopping = found.filter(({ check }) => check.stops);
  if (stopping.length > 0) {
    throw new MigrationError(
      [
        `Migration ${id} cannot be applied to the rows that there are; nothing was changed:`,
        ...stopping.map((it) => `  ${it.line}`),
      ].join('\n'),
    );
  }
  return found.map((it) => `${id}: ${it.line}`);
}

function line({ code, target, message }: RowCheck, rows: number): string {
  return `${code} ${target}, ${rows === 1 ? '1 row' : `${rows} rows`}: ${message}`;
}
