import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Database, hasDatabase, openConnection } from './client.ts';
import { violation } from './dialect.ts';
import { type Difference, type FoundRows, isDrift } from './migrations/checks.ts';
import { findDrift, findRows } from './migrations/facts.ts';
import {
  checksumOf,
  type Migration,
  migrationsFolder,
  readDraft,
  readMeta,
  readMigrations,
  readSchemaSql,
} from './migrations/read.ts';
import {
  type Applied,
  backRun,
  compareHistory,
  describeUnderWay,
  findPending,
  type History,
  MigrationError,
  type MigrationRun,
  type MigrationStatus,
  nextRun,
  rowChecks,
  type SessionOptions,
} from './migrations/run.ts';
import { findApplied, migrationSession } from './migrations/session.ts';

interface Options extends Partial<SessionOptions> {
  /** Where the migrations are, when not in `migrations/`. */
  readonly folder?: string;
}

const silent: SessionOptions = { report: () => {} };

/**
 * Applies what is pending and returns its ids. Any number of processes may do so at once: each migration is applied
 * once. Throws MigrationError, and changes nothing, when history does not agree.
 */
export async function migrate(url: string, options: Options = {}): Promise<readonly string[]> {
  const history = readHistory(options);
  return migrationSession(url, { ...silent, ...options }, async (session) => {
    const ids: string[] = [];
    for (;;) {
      const run = await session.run((applied) => nextRun(history, applied));
      if (run === undefined) return ids;
      ids.push(...run.adds.map(({ id }) => id));
    }
  });
}

/** Takes back the migration that was applied last, and returns its id; throws MigrationError when it cannot be. */
export async function rollback(url: string, options: Options = {}): Promise<string> {
  const history = readHistory(options);
  return migrationSession(url, { ...silent, ...options }, async (session) => {
    const restore = (id: string) => session.restore(id);
    const run = await session.run((applied) => backRun(history, applied, restore));
    return run?.id ?? '';
  });
}

/** Without a database everything is pending. */
export async function migrationStatus(
  database: Database | undefined,
  options: Options = {},
): Promise<MigrationStatus> {
  const { migrations, underWay }: Applied = database
    ? await findApplied(database)
    : { migrations: [] };
  return { ...compareHistory(readHistory(options), migrations), ...(underWay && { underWay }) };
}

/** What `migrate` would begin with; throws MigrationError when history does not agree. */
async function nextMigration(database: Database): Promise<MigrationRun | undefined> {
  const { migrations, underWay } = await findApplied(database);
  return underWay === undefined ? nextRun(readHistory({}), migrations) : undefined;
}

/** Throws MigrationError unless the database is as far as this code. */
export async function refusePending(database: Database): Promise<void> {
  const { migrations, underWay } = await findApplied(database);
  const pending = findPending(readHistory({}), migrations).map(({ id }) => id);
  if (underWay !== undefined) throw new MigrationError(describeUnderWay(underWay));
  if (pending.length === 0) return;
  throw new MigrationError(
    `Not applied to the database yet: ${pending.join(', ')}. Start with --migrate to apply what is pending.`,
  );
}

function readHistory({ folder }: Options): History {
  return { migrations: readMigrations(folder), schema: readSchemaSql(folder) };
}

/** How a database stands to the migrations. */
interface Inspection {
  readonly status: MigrationStatus;
  /** Whether it is what the migrations make of it; what the owner has added to it is fine. */
  readonly isInStep: boolean;
  /** How its tables differ; absent while something is pending. */
  readonly drift?: readonly Difference[];
  /** Why they cannot be compared. */
  readonly uncompared?: string;
  readonly outlook: Outlook;
}

interface Outlook {
  /** Of what may be applied next: a migration that is pending, or one that is a draft yet, where none is. */
  readonly id?: string;
  readonly found?: readonly FoundRows[];
  /** Why its rows are not counted. */
  readonly uncounted?: string;
}

type Settings = Pick<Config, 'databaseUrl' | 'databaseLimits'>;

/** Looks, and makes nothing. */
export async function inspectDatabase(config: Settings, draft?: string): Promise<Inspection> {
  const status = await readStatus(config);
  const { pending, unknown, altered, underWay } = status;
  // While something is pending, the tables are those of an older schema.
  const isSettled = pending.length === 0 && underWay === undefined;
  const { drift, uncompared } = await compareTables(config, isSettled);
  return {
    status,
    isInStep: drift !== undefined && altered.length + unknown.length === 0 && !drift.some(isDrift),
    ...(drift && { drift }),
    ...(uncompared !== undefined && { uncompared }),
    outlook: await lookAhead(config, status, draft),
  };
}

async function compareTables(
  { databaseUrl }: Settings,
  isSettled: boolean,
): Promise<Pick<Inspection, 'drift' | 'uncompared'>> {
  const schema = readSchemaSql();
  if (schema === undefined) return { uncompared: noSchemaSql };
  try {
    return isSettled ? { drift: await findDrift(databaseUrl, schema) } : {};
  } catch (error) {
    if (error instanceof MigrationError) return { uncompared: error.message };
    throw error;
  }
}

const noSchemaSql =
  'migrations/schema.sql is missing. Restore it, or run `scaffold regenerate --restore migrations/schema.sql`.';

async function readStatus(config: Settings): Promise<MigrationStatus> {
  if (!hasDatabase(config.databaseUrl)) return migrationStatus(undefined);
  return lookAt(config, (database) => migrationStatus(database));
}

/** Whatever is in the way of this, the rest can be said. */
async function lookAhead(
  config: Settings,
  { pending, unknown, altered, underWay }: MigrationStatus,
  draftFile: string | undefined,
): Promise<Outlook> {
  const draft = draftFile === undefined ? undefined : readDraft(draftFile);
  const isCertain = unknown.length + altered.length === 0 && underWay === undefined;
  if (!isCertain || !hasDatabase(config.databaseUrl)) return {};
  try {
    if (draft === undefined) {
      const next = await lookAt(config, (database) => nextMigration(database));
      return next === undefined
        ? {}
        : { id: next.id, found: await findRows(config.databaseUrl, next.checks) };
    }
    if (pending.length > 0) return {};
    return { id: draft.id, found: await findRows(config.databaseUrl, rowChecks(draft.hazards)) };
  } catch (error) {
    if (violation(error)?.kind === 'unavailable' || !(error instanceof Error)) throw error;
    if (error instanceof MigrationError) return { uncounted: error.message };
    const reason = `${error.message}. Are the tables as the migrations before it have left them?`;
    return { uncounted: `The rows that are concerned cannot be counted: ${reason}` };
  }
}

async function lookAt<Result>(
  config: Settings,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection(config);
  try {
    return await work(connection.database);
  } finally {
    await connection.close();
  }
}

interface Squashed {
  /** The migration that stands for all of them. */
  readonly id: string;
  readonly removed: readonly string[];
  /** Of those, what somebody has written or edited: the baseline has the former, and not the latter. */
  readonly own: readonly string[];
  readonly edited: readonly string[];
}

/**
 * Makes the last generated migration one that makes the whole database, and removes those before it. A database that
 * has all of them goes on as it is; one that lacks only the last runs what that was.
 */
export function squashMigrations(folder = migrationsFolder): Squashed {
  const migrations = readMigrations(folder);
  const isGenerated = ({ id }: Migration) => existsSync(join(folder, id, 'schema.yaml'));
  const last = migrations.findLast(isGenerated);
  const schema = readSchemaSql(folder);
  if (last === undefined || last.parent === null) {
    throw new MigrationError('There is only one migration: there is nothing to put together.');
  }
  if (schema === undefined)
    throw new MigrationError('migrations/schema.sql is missing: restore it.');
  if (last.instead !== undefined) {
    throw new MigrationError(
      `${last.id} joins two branches, and databases of one of them need its instead.sql. Do this after the next migration.`,
    );
  }
  const removed = migrations.slice(0, migrations.indexOf(last));
  const own = removed.filter((migration) => !isGenerated(migration));
  writeBaseline(folder, { last, removed, sql: baselineSql(last, schema, own) });
  for (const { id } of removed) rmSync(join(folder, id), { recursive: true });
  const edited = removed.filter((migration) => isGenerated(migration) && migration.up.isEdited);
  return { id: last.id, removed: idsOf(removed), own: idsOf(own), edited: idsOf(edited) };
}

function baselineSql({ id }: Migration, schema: string, own: readonly Migration[]): string {
  const parts = own.map((migration) => `-- Of ${migration.id}:\n${migration.up.sql.trim()}\n`);
  const all = [`-- All that a database has after ${id}.\n\n${schema.trim()}\n`, ...parts];
  return inSteps(all).join('\n');
}

const stepLine = /^-- step \d+ of \d+: /m;

/** Where one of the owner's has steps, on PostgreSQL, all of it has: the first would else say how the tables are made. */
function inSteps(parts: readonly string[]): readonly string[] {
  if (!parts.some((part) => stepLine.test(part))) return parts;
  const steps = parts.flatMap((part) =>
    stepLine.test(part)
      ? part.split(/^(?=-- step (?!1 )\d+ of \d+: )/m)
      : [`-- step 1 of 1: one transaction\n${part}`],
  );
  return steps.map((step, index) =>
    step.replace(stepLine, `-- step ${index + 1} of ${steps.length}: `),
  );
}

interface Baseline {
  readonly last: Migration;
  readonly removed: readonly Migration[];
  readonly sql: string;
}

function writeBaseline(folder: string, { last, removed, sql }: Baseline): void {
  const home = join(folder, last.id);
  const { down: _, additive: __, ...meta } = readMeta(join(home, 'meta.json'));
  const { hazards, backup, tables, rebuilt } = meta;
  const facts = {
    ...meta,
    parent: null,
    formerly: [...last.formerly, last.up.checksum],
    replaces: removed.flatMap(({ id, replaces }) => [...replaces, id]),
    hazards: [],
    backup: false,
    tables: {},
    rebuilt: {},
    instead: { hazards, backup, tables, rebuilt },
    checksums: {
      ...meta.checksums,
      'up.sql': checksumOf(sql),
      'instead.sql': meta.checksums?.['up.sql'],
    },
  };
  const former = readFileSync(join(home, 'up.sql'), 'utf8');
  writeFileSync(join(home, 'instead.sql'), former);
  writeFileSync(join(home, 'up.sql'), sql);
  writeFileSync(join(home, 'meta.json'), `${JSON.stringify(facts, null, 2)}\n`);
  rmSync(join(home, 'down.sql'), { force: true });
}

function idsOf(migrations: readonly Migration[]): readonly string[] {
  return migrations.map(({ id }) => id);
}
