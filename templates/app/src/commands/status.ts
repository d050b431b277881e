import { loadConfig, readEnvironment } from '../config.ts';
import { hasDatabase } from '../database/client.ts';
import { violation } from '../database/errors.ts';
import { migrationStatus, nextMigration } from '../database/migrate.ts';
import { describeDrift, isDrift } from '../database/migrations/drift.ts';
import { MigrationError } from '../database/migrations/error.ts';
import { readDraft, readSchemaSql } from '../database/migrations/read.ts';
import { describeRows, type FoundRows, rowChecks } from '../database/migrations/row-checks.ts';
import { findRows } from '../database/migrations/row-counts.ts';
import { describeUnderWay, type MigrationStatus } from '../database/migrations/run.ts';
import { findDrift } from '../database/migrations/schema-facts.ts';
import { print, readOptions, runCommand, withConnection } from './command.ts';

/** Exits with 1 unless the database is what the migrations make of it; what the owner has added to it is fine. */
await runCommand(async () => {
  const { json, draft } = readOptions('npm run db:status -- [--json] [--draft <meta.json>]', {
    json: { type: 'boolean' },
    draft: { type: 'string' },
  });
  const { databaseUrl } = loadConfig(readEnvironment());
  const status = await readStatus(databaseUrl);
  const { applied, pending, unknown, altered, underWay } = status;
  const schema = readSchemaSql();
  // While something is pending, the tables are those of an older schema.
  const isSettled = pending.length === 0 && underWay === undefined;
  const isComparable = isSettled && schema !== undefined;
  const drift = isComparable ? await findDrift(databaseUrl, schema) : [];
  const isInStep =
    isSettled &&
    schema !== undefined &&
    altered.length + unknown.length === 0 &&
    !drift.some(isDrift);
  const drafted = draft === undefined ? undefined : readDraft(draft);
  const { id: next, found = [], uncounted } = await lookAhead(databaseUrl, status, drafted);
  if (!isInStep) process.exitCode = 1;
  if (json === true) {
    const concerned = found.map(({ code, target, rows }) => ({
      migration: next,
      hazard: `${code}:${target}`,
      rows,
    }));
    print(JSON.stringify({ ...status, ...(isComparable && { drift }), concerned, uncounted }));
    return;
  }
  for (const id of applied) print(`${altered.includes(id) ? 'altered' : 'applied'}  ${id}`);
  for (const id of unknown) print(`unknown  ${id}`);
  for (const id of pending) {
    print(`pending  ${id}`);
    const rows = id === next ? found.filter((some) => some.rows > 0) : [];
    for (const some of rows) print(`         ${describeRows(some)}`);
  }
  if (uncounted !== undefined) print(uncounted);
  if (underWay !== undefined) print(describeUnderWay(underWay));
  for (const line of describeDrift(drift)) print(line);
  if (schema === undefined) {
    print(
      'Tables were not compared: migrations/schema.sql is missing. Restore it, or run `scaffold regenerate --restore migrations/schema.sql`.',
    );
  }
  if (isInStep) print('The database is in step.');
});

/** Looks, and makes nothing. */
async function readStatus(url: string): Promise<MigrationStatus> {
  if (!hasDatabase(url)) return migrationStatus(undefined);
  return withConnection(url, ({ database }) => migrationStatus(database));
}

interface Outlook {
  /** Of what may be applied next: a migration that is pending, or one that is a draft yet, where none is. */
  readonly id?: string;
  readonly found?: readonly FoundRows[];
  /** Why its rows are not counted. */
  readonly uncounted?: string;
}

/** Whatever is in the way of this, the rest can be told. */
async function lookAhead(
  url: string,
  { pending, unknown, altered, underWay }: MigrationStatus,
  draft: ReturnType<typeof readDraft> | undefined,
): Promise<Outlook> {
  const isCertain = unknown.length + altered.length === 0 && underWay === undefined;
  if (!isCertain || !hasDatabase(url)) return {};
  try {
    if (draft === undefined) {
      const next = await withConnection(url, ({ database }) => nextMigration(database));
      return next === undefined ? {} : { id: next.id, found: await findRows(url, next.checks) };
    }
    if (pending.length > 0) return {};
    return { id: draft.id, found: await findRows(url, rowChecks(draft.hazards)) };
  } catch (error) {
    if (violation(error)?.kind === 'unavailable' || !(error instanceof Error)) throw error;
    if (error instanceof MigrationError) return { uncounted: error.message };
    const reason = `${error.message}. Are the tables as the migrations before it have left them?`;
    return { uncounted: `The rows that are concerned cannot be counted: ${reason}` };
  }
}
