import type { Baseline, BaselineOptions } from './takeover.ts';
import { type Difference, type FoundRows, isDrift } from './checks.ts';
import {
  type Applied,
  backRun,
  compareHistory,
  describeUnderWay,
  listPending,
  type History,
  MigrationError,
  type MigrationSession,
  type MigrationStatus,
  nextRun,
  type RowCheck,
  rowChecks,
  type SessionOptions,
} from './history.ts';
import { readDraft, readMigrations, readSchemaSql } from './read.ts';

/** What the runner needs of a database engine. */
export interface Engine {
  migrationSession<Result>(
    url: string,
    options: SessionOptions,
    work: (session: MigrationSession) => Promise<Result>,
  ): Promise<Result>;
  /** Reads what is applied without changing anything. */
  readRecorded(url: string): Promise<Applied>;
  /** How its tables differ from those that the SQL makes. */
  listDrift(url: string, schemaSql: string): Promise<readonly Difference[]>;
  inspectRows(url: string, checks: readonly RowCheck[]): Promise<readonly FoundRows[]>;
  /** To open a missing file would create it. A server itself reports a missing database. */
  hasDatabase(url: string): boolean;
  /** Whether the error says that the database does not answer. */
  isUnavailable(error: unknown): boolean;
  /** Whether the error says that something to be created exists already. */
  isTaken(error: unknown): boolean;
  /** Loads the code for taking over an existing database. */
  loadBaseline(): Promise<{
    baseline(engine: Engine, url: string, options: BaselineOptions): Promise<Baseline>;
  }>;
}

export interface Options extends Partial<SessionOptions> {
  /** The folder of the migrations, if they are not beside this program. */
  readonly folder?: string;
}

export const silent: SessionOptions = { report: () => {} };

/** The state of a database compared with the migrations. */
export interface Inspection {
  readonly status: MigrationStatus;
  /** Whether it is in the state that the migrations describe. Additions of the owner are allowed. */
  readonly isInStep: boolean;
  /** How its tables differ; absent if migrations are pending. */
  readonly drift?: readonly Difference[];
  /** Why the tables cannot be compared. */
  readonly uncompared?: string;
  readonly outlook: Outlook;
}

interface Outlook {
  /** The id of the next migration: one that is pending, or else a draft. */
  readonly id?: string;
  readonly found?: readonly FoundRows[];
  /** Why its rows cannot be counted. */
  readonly uncounted?: string;
}

export type Runner = ReturnType<typeof openRunner>;

export function openRunner(engine: Engine) {
  return {
    migrate: (url: string, options: Options = {}) => applyPending(engine, url, options),
    /** See `takeOver`. */
    baseline: async (url: string, options: BaselineOptions = {}) =>
      (await engine.loadBaseline()).baseline(engine, url, options),
    rollback: (url: string, options: Options = {}) => takeBackLast(engine, url, options),
    readStatus: (url: string, options: Options = {}) => compareApplied(engine, url, options),
    refusePending: (url: string) => requireApplied(engine, url),
    inspect: (url: string, draft?: string) => inspectDatabase(engine, url, draft),
    isUnavailable: engine.isUnavailable,
  };
}

/**
 * Applies pending migrations and returns their ids. Any number of processes may call it at the same time: each
 * migration is applied once. Throws a MigrationError, and changes nothing, if the histories do not agree.
 */
async function applyPending(
  engine: Engine,
  url: string,
  options: Options,
): Promise<readonly string[]> {
  const history = readHistory(options);
  return engine.migrationSession(url, { ...silent, ...options }, async (session) => {
    const ids: string[] = [];
    let isFirst = false;
    const choose = ({ migrations }: Applied) => {
      isFirst = migrations.length === 0;
      return nextRun(history, migrations);
    };
    for (;;) {
      const run = await session.run(choose).catch((error: unknown) => {
        throw isFirst && isOverTables(error, engine) ? withWayOut(error) : error;
      });
      if (run === undefined) return ids;
      ids.push(...run.adds.map(({ id }) => id));
    }
  });
}

const isOverTables = (error: unknown, engine: Engine): error is MigrationError =>
  error instanceof MigrationError && engine.isTaken(error.cause);

/** Rolls back the last migration and returns its id. Throws a MigrationError if that is impossible. */
async function takeBackLast(engine: Engine, url: string, options: Options): Promise<string> {
  if (!engine.hasDatabase(url)) throw new MigrationError('No migration is applied.');
  const history = readHistory(options);
  return engine.migrationSession(url, { ...silent, ...options }, async (session) => {
    const restore = (id: string) => session.restore(id);
    const run = await session.run((applied) => backRun(history, applied, restore));
    return run?.id ?? '';
  });
}

/** If there is no database, everything is pending. */
async function compareApplied(
  engine: Engine,
  url: string,
  options: Options = {},
): Promise<MigrationStatus> {
  const { migrations, underWay } = await engine.readRecorded(url);
  return { ...compareHistory(readHistory(options), migrations), ...(underWay && { underWay }) };
}

/** Throws a MigrationError if migrations are pending. */
async function requireApplied(engine: Engine, url: string): Promise<void> {
  const { migrations, underWay } = await engine.readRecorded(url);
  const pending = listPending(readHistory({}), migrations).map(({ id }) => id);
  if (underWay !== undefined) throw new MigrationError(describeUnderWay(underWay));
  if (pending.length === 0) return;
  throw new MigrationError(
    `Not applied to the database yet: ${pending.join(', ')}. Start with --migrate to apply what is pending.`,
  );
}

/** Inspects a database without changing it. `draft`: the `meta.json` of a migration that is not written yet. */
async function inspectDatabase(
  engine: Engine,
  url: string,
  draft: string | undefined,
): Promise<Inspection> {
  const status = await compareApplied(engine, url);
  const { pending, unknown, altered, underWay } = status;
  // If migrations are pending, the tables are those of an older schema.
  const isSettled = pending.length === 0 && underWay === undefined;
  const { drift, uncompared } = await compareTables(engine, url, isSettled);
  return {
    status,
    isInStep: drift !== undefined && altered.length + unknown.length === 0 && !drift.some(isDrift),
    ...(drift && { drift }),
    ...(uncompared !== undefined && { uncompared }),
    outlook: await lookAhead(engine, url, status, draft),
  };
}

async function compareTables(
  engine: Engine,
  url: string,
  isSettled: boolean,
): Promise<Pick<Inspection, 'drift' | 'uncompared'>> {
  const schema = readSchemaSql();
  if (schema === undefined) return { uncompared: noSchemaSql };
  try {
    return isSettled ? { drift: await engine.listDrift(url, schema) } : {};
  } catch (error) {
    if (error instanceof MigrationError) return { uncompared: error.message };
    throw error;
  }
}

/** Counts rows for the next migration. An error here does not hide the rest of the report. */
async function lookAhead(
  engine: Engine,
  url: string,
  { pending, unknown, altered, underWay }: MigrationStatus,
  draftFile: string | undefined,
): Promise<Outlook> {
  const draft = draftFile === undefined ? undefined : readDraft(draftFile);
  const isCertain = unknown.length + altered.length === 0 && underWay === undefined;
  if (!isCertain || !engine.hasDatabase(url)) return {};
  try {
    if (draft !== undefined && pending.length > 0) return {};
    if (draft !== undefined) {
      return { id: draft.id, found: await engine.inspectRows(url, rowChecks(draft.hazards)) };
    }
    const { migrations } = await engine.readRecorded(url);
    const next = nextRun(readHistory({}), migrations);
    if (next === undefined) return {};
    return { id: next.id, found: await engine.inspectRows(url, next.checks) };
  } catch (error) {
    if (engine.isUnavailable(error) || !(error instanceof Error)) throw error;
    if (error instanceof MigrationError) return { uncounted: error.message };
    const reason = `${error.message}. Are the tables as the migrations before it have left them?`;
    return { uncounted: `The affected rows cannot be counted: ${reason}` };
  }
}

/** Adds a hint if the tables of the first migration exist already. */
function withWayOut(error: MigrationError): MigrationError {
  return new MigrationError(
    `${error.message}. A database that has tables already is taken over by \`npm run db:baseline\`.`,
    { cause: error },
  );
}

export function readHistory({ folder }: Options): History {
  return { migrations: readMigrations(folder), schema: readSchemaSql(folder) };
}

const noSchemaSql =
  'migrations/schema.sql is missing. Restore it, or run `scaffold regenerate --restore migrations/schema.sql`.';
