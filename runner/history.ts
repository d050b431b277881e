import type { Hazard } from '../src/evolve/hazards/hazard.ts';
import type { Migration, Script } from './read.ts';

/** A migration cannot be applied, and the database is unchanged. The message is for the person who runs it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface AppliedMigration {
  readonly id: string;
  readonly checksum: string;
  /** 1 if code of the release before keeps working. NULL if it was applied before this was recorded. */
  readonly additive?: number | null | undefined;
}

/** What the database has recorded. */
export interface Applied {
  readonly migrations: readonly AppliedMigration[];
  readonly underWay?: UnderWay;
}

/** A migration of which only some steps are done, perhaps because a process was interrupted. */
export interface UnderWay {
  readonly id: string;
  /** The command that finishes it: `db:migrate` or `db:rollback`. */
  readonly command: string;
  readonly done: number;
}

/** Ids, oldest first. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied to the database, but not in the folder. */
  readonly unknown: readonly string[];
  /** Applied, but edited since. */
  readonly altered: readonly string[];
  readonly underWay?: UnderWay;
}

/** A hazard with a query that counts rows. */
export interface RowCheck extends Hazard {
  readonly count: string;
}

/** A script to be run on the database. */
export interface MigrationRun extends Omit<Script, 'hazards'> {
  readonly id: string;
  /** Whether it replaces migrations of another branch. */
  readonly isJoint: boolean;
  /** Queries that count rows first. */
  readonly checks: readonly RowCheck[];
  /** How the list of applied migrations changes after the last step. */
  readonly adds: readonly AppliedMigration[];
  readonly removes: readonly string[];
  /** The SQL of the tables that should result; absent if further migrations follow. */
  readonly schema: string | undefined;
}

/** What an engine provides. */
export interface MigrationSession {
  /**
   * Calls `choose` with what is applied, and runs its choice while no other process can migrate; `undefined` if there
   * is nothing to run.
   */
  run(choose: Choose): Promise<MigrationRun | undefined>;
  /** How to return to the state before a migration that cannot be rolled back, as a part of a sentence. */
  restore(id: string): string;
}

export type Choose = (applied: Applied) => MigrationRun | undefined;

export interface SessionOptions {
  /** Gets messages about the progress, a sentence each. */
  report(line: string): void;
  /** Milliseconds to wait for a lock. By default, waits for another migrating process as long as it lives. */
  readonly timeout?: number;
}

export interface History {
  readonly migrations: readonly Migration[];
  readonly schema: string | undefined;
}

export function compareHistory(
  { migrations }: Pick<History, 'migrations'>,
  applied: readonly AppliedMigration[],
): MigrationStatus {
  const checksums = new Map(applied.map(({ id, checksum }) => [id, checksum]));
  const pending = migrations.filter(({ id }) => !checksums.has(id));
  const known = new Set([
    ...migrations.map(({ id }) => id),
    ...migrations.flatMap(({ replaces }) => replaces),
  ]);
  return {
    applied: migrations.filter(({ id }) => checksums.has(id)).map(({ id }) => id),
    pending: pending.map(({ id }) => id),
    unknown: [...checksums.keys()].filter((id) => !known.has(id)).toSorted(),
    altered: migrations
      .filter(({ id, up, formerly }) => {
        const checksum = checksums.get(id);
        return checksum !== undefined && ![up.checksum, ...formerly].includes(checksum);
      })
      .map(({ id }) => id),
  };
}

export function describeUnderWay({ id, command, done }: UnderWay): string {
  return `${id} is under way: \`npm run ${command}\` ended after step ${done} of it. Run that again first, with migrations/${id}/ as it was then.`;
}

/** The next migration; `undefined` if all are applied. */
export function nextRun(
  history: History,
  applied: readonly AppliedMigration[],
): MigrationRun | undefined {
  const pending = listPending(history, applied);
  const run = insteadRun(pending, applied) ?? upRun(pending);
  if (run === undefined) return undefined;
  return { ...run, schema: pending.length === run.adds.length ? history.schema : undefined };
}

/** Rolls back the last migration. `restore`: what to do if that is impossible. */
export function backRun(
  history: History,
  { migrations: applied, underWay }: Applied,
  restore: (id: string) => string,
): MigrationRun {
  if (underWay?.command === 'db:migrate') throw new MigrationError(describeUnderWay(underWay));
  const pending = listPending(history, applied);
  const [unknown] = compareHistory(history, applied).unknown;
  if (unknown !== undefined) {
    throw new MigrationError(
      `${unknown} was applied by newer code: take it back with that. Nothing was changed.`,
    );
  }
  const last = history.migrations.findLast((migration) => !pending.includes(migration));
  if (last === undefined) throw new MigrationError('No migration is applied.');
  const { id, parent, down } = last;
  if (parent === null) {
    throw new MigrationError(
      `${id} made the tables: to take it back would delete all that is in them.`,
    );
  }
  if (down !== undefined) return { ...makeRun(last, down), removes: [id] };
  throw new MigrationError(
    `${id} has no down.sql, because something would be lost on the way back. Go back by another migration, or ${restore(id)}`,
  );
}

function upRun(pending: readonly Migration[]): MigrationRun | undefined {
  const [next] = pending;
  return next && { ...makeRun(next, next.up), adds: [appliedAs(next)] };
}

/** Brings a database that has migrations of another branch to the point where the branches were joined. */
function insteadRun(
  pending: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationRun | undefined {
  const ids = new Set(applied.map(({ id }) => id));
  const joint = pending.findLast(({ replaces }) => replaces.some((id) => ids.has(id)));
  if (joint === undefined) return undefined;
  if (joint.instead === undefined) {
    throw new MigrationError(
      `migrations/${joint.id}/instead.sql is missing, and this database needs it: restore it. Nothing was changed.`,
    );
  }
  const missing = joint.replaces.filter((id) => !ids.has(id));
  if (missing.length > 0) {
    throw new MigrationError(
      `${joint.id} stands for ${joint.replaces.join(', ')}, and this database has only a part of them. Apply ${missing.join(', ')} with the code that has them, then come back. Nothing was changed.`,
    );
  }
  return {
    ...makeRun(joint, joint.instead),
    adds: pending.slice(0, pending.indexOf(joint) + 1).map(appliedAs),
    removes: joint.replaces,
  };
}

export function rowChecks(hazards: readonly Hazard[]): readonly RowCheck[] {
  return hazards.flatMap(({ count, ...hazard }) =>
    count === undefined ? [] : [{ ...hazard, count }],
  );
}

export function makeRun({ id, replaces }: Migration, { hazards, ...script }: Script): MigrationRun {
  const isJoint = replaces.length > 0;
  const checks = rowChecks(hazards);
  return { ...script, id, isJoint, checks, adds: [], removes: [], schema: undefined };
}

export function appliedAs({ id, up, isAdditive }: Migration): AppliedMigration {
  return { id, checksum: up.checksum, additive: isAdditive ? 1 : 0 };
}

/** Refuses a table of this name that belongs to another tool, such as Rails. */
export function refuseForeignRecord(columns: readonly string[]): void {
  if (columns.length === 0 || columns.includes('checksum')) return;
  throw new MigrationError(
    'The table schema_migrations belongs to another tool, and the record of migrations needs that name. Once that tool no longer migrates this database, rename it: `alter table schema_migrations rename to former_schema_migrations`. Nothing was changed.',
  );
}

/** Throws a MigrationError if the histories do not agree. */
export function listPending(
  history: History,
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const { pending, unknown, altered } = compareHistory(history, applied);
  const additions = new Set(applied.filter(({ additive }) => additive === 1).map(({ id }) => id));
  // An older release may run with additions of a newer one, but applies nothing after them.
  const isOlder = pending.length === 0 && unknown.every((id) => additions.has(id));
  if (unknown.length > 0 && !isOlder) {
    throw new MigrationError(
      `The database has migrations that this code does not have: ${unknown.join(', ')}. Run the code that made them, or bring their folders into migrations/. Nothing was changed.`,
    );
  }
  if (altered.length > 0) {
    throw new MigrationError(
      `Migrations were edited after they had been applied: ${altered.join(', ')}. Restore them, and put the change into a new one. Nothing was changed.`,
    );
  }
  return history.migrations.filter(({ id }) => pending.includes(id));
}
