import { MigrationError } from './error.ts';
import type { Hazard } from './read.ts';

/** A hazard that rows can be counted for. */
export interface RowCheck extends Hazard {
  readonly count: string;
}

export interface FoundRows extends RowCheck {
  readonly rows: number;
}

export function rowChecks(hazards: readonly Hazard[]): readonly RowCheck[] {
  return hazards.flatMap(({ count, ...hazard }) =>
    count === undefined ? [] : [{ ...hazard, count }],
  );
}

/** What to tell about the rows that the checks of a migration have found; throws when they stop it. */
export function reportRows(id: string, checks: readonly FoundRows[]): readonly string[] {
  const found = checks.filter(({ rows }) => rows > 0);
  const stopping = found.filter(({ stops }) => stops);
  if (stopping.length === 0) return found.map((check) => `${id}: ${describeRows(check)}`);
  throw new MigrationError(
    [
      `Migration ${id} cannot be applied to the rows that there are; nothing was changed:`,
      ...stopping.map((check) => `  ${describeRows(check)}`),
      `Change those rows; or give the field a \`backfill\` in schema.yaml and run \`scaffold regenerate\`; or write into migrations/${id}/up.sql what becomes of them: SQL that you have edited is not stopped.`,
    ].join('\n'),
  );
}

export function describeRows({ code, target, message, rows }: FoundRows): string {
  return `${code} ${target}, ${rows === 1 ? '1 row' : `${rows} rows`}: ${message}`;
}
