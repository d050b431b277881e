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

interface Checked {
  readonly id: string;
  /** None when it is taken back. */
  readonly adds: readonly unknown[];
  /** Whether it stands for migrations of another branch, too: such a one is not made again. */
  readonly isJoint: boolean;
}

/** What to tell about the rows that the checks of a migration have found; throws when they stop it. */
export function reportRows(
  { id, adds, isJoint }: Checked,
  checks: readonly FoundRows[],
): readonly string[] {
  const found = checks.filter(({ rows }) => rows > 0);
  const stopping = found.filter(({ stops }) => stops);
  if (stopping.length === 0) return found.map((check) => `${id}: ${describeRows(check)}`);
  if (adds.length === 0) {
    throw new MigrationError(
      [
        `${id} cannot be taken back without a loss; nothing was changed:`,
        ...stopping.map((check) => `  ${describeRows(check)}`),
        `Change those rows; or write into migrations/${id}/down.sql what becomes of them: SQL that you have edited is not stopped.`,
      ].join('\n'),
    );
  }
  throw new MigrationError(
    [
      `Migration ${id} cannot be applied to the rows that there are; nothing was changed:`,
      ...stopping.map((check) => `  ${describeRows(check)}`),
      `Change those rows; ${!isJoint && stopping.some(isFilled) ? filling : ''}or write into migrations/${id}/up.sql what becomes of them: SQL that you have edited is not stopped.`,
    ].join('\n'),
  );
}

const filling = 'or give the field a `backfill` in schema.yaml and run `scaffold regenerate`; ';

/** Rows that are alike, or point nowhere, are not helped by one value for all of them. */
function isFilled({ code }: Hazard): boolean {
  return code !== 'SCF423' && code !== 'SCF425';
}

export function describeRows({ code, target, message, rows }: FoundRows): string {
  return `${code} ${target}, ${rows === 1 ? '1 row' : `${rows} rows`}: ${message}`;
}
