import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appliedAs, MigrationError, type MigrationRun, makeRun } from './history.ts';
import { type Migration, migrationsFolder, readText } from './read.ts';
import { type Engine, type Options, readHistory, silent } from './runner.ts';
import { type Takeover, takeoverSql } from './plan-takeover.ts';

export interface BaselineOptions extends Options {
  /** Whether to run the script instead of only writing it. */
  readonly apply?: boolean;
}

/** The state of a takeover. */
export interface Baseline {
  /** The migration that the database is recorded to have. */
  readonly id: string;
  /** The script, if there is something to do. */
  readonly file: string;
  readonly found: Takeover;
  /** `outdated`: the script is different, because somebody edited it or it was made for another database. */
  readonly state: 'refused' | 'written' | 'outdated' | 'taken';
}

interface Planner extends Engine {
  /** Plans the changes to the tables, without making any. */
  planTakeover(url: string, sql: string): Promise<Takeover>;
}

/**
 * Takes over an existing database. Necessary changes are first written to a script, and are made by another call with
 * `apply`.
 */
export async function takeOver(
  engine: Planner,
  url: string,
  { apply = false, ...options }: BaselineOptions,
): Promise<Baseline> {
  const [first] = readHistory(options).migrations;
  if (first === undefined) throw new MigrationError('There is no migration to begin with.');
  const found = await getPlan(engine, url, first);
  const { steps, obstacles, tables } = found;
  const answer = { id: first.id, found, file: `migrations/${first.id}/baseline.sql` };
  if (obstacles.length > 0) return { ...answer, state: 'refused' };
  const sql = steps.length === 0 ? '' : takeoverSql(first.id, steps);
  const file = join(options.folder ?? migrationsFolder, first.id, 'baseline.sql');
  const written = steps.length === 0 ? '' : readText(file);
  if (steps.length > 0 && !apply) {
    if (written !== undefined && written !== sql) return { ...answer, state: 'outdated' };
    writeFileSync(file, sql);
    return { ...answer, state: 'written' };
  }
  if (written === undefined) {
    throw new MigrationError(
      `There is no ${answer.file} yet: leave \`--apply\` out first, and read it.`,
    );
  }
  const run = takeoverRun(first, { sql: written, tables, isEdited: written !== sql });
  await engine.migrationSession(url, { ...silent, ...options }, (session) =>
    session.run(({ migrations }) => {
      refuseRecord(migrations);
      return run;
    }),
  );
  return { ...answer, state: 'taken' };
}

const unfounded: Takeover = { steps: [], obstacles: [], own: [], tables: [] };

async function getPlan(engine: Planner, url: string, { id, up }: Migration): Promise<Takeover> {
  const hasDatabase = engine.hasDatabase(url);
  if (hasDatabase) refuseRecord((await engine.readRecorded(url)).migrations);
  const found = hasDatabase ? await engine.planTakeover(url, up.sql) : unfounded;
  if (found.tables.length > 0) return found;
  throw new MigrationError(
    `The database has none of the tables of ${id}: \`npm run db:migrate\` makes them.`,
  );
}

function refuseRecord({ length }: readonly unknown[]): void {
  if (length === 0) return;
  throw new MigrationError(
    'The database already has migrations: continue with `npm run db:migrate`.',
  );
}

interface TakeoverScript {
  readonly sql: string;
  readonly tables: readonly string[];
  readonly isEdited: boolean;
}

/** Takes the place of the first migration in a database that has its tables. Every row stays. */
function takeoverRun(first: Migration, { sql, tables, isEdited }: TakeoverScript): MigrationRun {
  const { up } = first;
  return {
    ...makeRun(first, { ...up, sql, isEdited, data: [], hazards: [], rebuilt: {}, backup: true }),
    tables: Object.fromEntries(tables.map((table) => [table, table])),
    adds: [appliedAs(first)],
    schema: up.sql,
  };
}
