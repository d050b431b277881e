import type { Hazard } from '../src/evolve/hazards/hazard.ts';
import type { Migration, Script } from './read.ts';

/** A migration that cannot be applied; the database is as it was. The message is for the person who runs it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface AppliedMigration {
  readonly id: string;
  readonly checksum: string;
  /** 1 when code that does not have it goes on all the same; NULL from before this was written down. */
  readonly additive?: number | null | undefined;
}

/** What a database says of itself. */
export interface Applied {
  readonly migrations: readonly AppliedMigration[];
  readonly underWay?: UnderWay;
}

/** Some steps of a migration are done, others are not, and nobody may be at it. */
export interface UnderWay {
  readonly id: string;
  /** `db:migrate` or `db:rollback`, which goes on with it. */
  readonly command: string;
  readonly done: number;
}

/** Ids, oldest first. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied to the database, and not in the folder. */
  readonly unknown: readonly string[];
  /** Applied, and edited since. */
  readonly altered: readonly string[];
  readonly underWay?: UnderWay;
}

/** A hazard that rows can be counted for. */
export interface RowCheck extends Hazard {
  readonly count: string;
}

/** A script for the database to run. */
export interface MigrationRun extends Omit<Script, 'hazards'> {
  readonly id: string;
  /** Whether it stands for migrations of another branch, too. */
  readonly isJoint: boolean;
  /** What counts rows first. */
  readonly checks: readonly RowCheck[];
  /** How the list of what is applied changes, with the last of it. */
  readonly adds: readonly AppliedMigration[];
  readonly removes: readonly string[];
  /** The SQL of the tables that have to be the result; absent while more is to come. */
  readonly schema: string | undefined;
}

/** What each engine does with it. */
export interface MigrationSession {
  /**
   * Asks `choose` what to run, given what is applied, and runs it, while no other process can; `undefined` when there
   * was nothing to run.
   */
  run(choose: Choose): Promise<MigrationRun | undefined>;
  /** How to get back to the time before a migration that cannot be taken back: the rest of a sentence. */
  restore(id: string): string;
}

export type Choose = (applied: Applied) => MigrationRun | undefined;

export interface SessionOptions {
  /** Hears what happens, a sentence at a time. */
  report(line: string): void;
  /** Milliseconds to wait for others; without it, for another process that migrates as long as that lives. */
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

/** The next one forward; `undefined` when all are applied. */
export function nextRun(
  history: History,
  applied: readonly AppliedMigration[],
): MigrationRun | undefined {
  const pending = findPending(history, applied);
  const run = insteadRun(pending, applied) ?? upRun(pending);
  if (run === undefined) return undefined;
  return { ...run, schema: pending.length === run.adds.length ? history.schema : undefined };
}

/** The last one back. `restore` says how else to come back from a migration. */
export function backRun(
  history: History,
  { migrations: applied, underWay }: Applied,
  restore: (id: string) => string,
): MigrationRun {
  if (underWay?.command === 'db:migrate') throw new MigrationError(describeUnderWay(underWay));
  const pending = findPending(history, applied);
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
  if (down !== undefined) return { ...runOf(last, down), removes: [id] };
  throw new MigrationError(
    `${id} has no down.sql, because something would be lost on the way back. Go back by another migration, or ${restore(id)}`,
  );
}

function upRun(pending: readonly Migration[]): MigrationRun | undefined {
  const [next] = pending;
  return next && { ...runOf(next, next.up), adds: [appliedAs(next)] };
}

/** A database that took the way of another branch goes from there to where both have come together. */
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
    ...runOf(joint, joint.instead),
    adds: pending.slice(0, pending.indexOf(joint) + 1).map(appliedAs),
    removes: joint.replaces,
  };
}

export function rowChecks(hazards: readonly Hazard[]): readonly RowCheck[] {
  return hazards.flatMap(({ count, ...hazard }) =>
    count === undefined ? [] : [{ ...hazard, count }],
  );
}

export function runOf({ id, replaces }: Migration, { hazards, ...script }: Script): MigrationRun {
  const isJoint = replaces.length > 0;
  const checks = rowChecks(hazards);
  return { ...script, id, isJoint, checks, adds: [], removes: [], schema: undefined };
}

export function appliedAs({ id, up, isAdditive }: Migration): AppliedMigration {
  return { id, checksum: up.checksum, additive: isAdditive ? 1 : 0 };
}

/** A table of that name which other tools have, of Rails, say, is not ours to change. */
export function refuseForeignRecord(columns: readonly string[]): void {
  if (columns.length === 0 || columns.includes('checksum')) return;
  throw new MigrationError(
    'The table schema_migrations is that of another tool, and the record of migrations has the same name here. Give it another one, `alter table schema_migrations rename to former_schema_migrations`, when that tool migrates this database no more. Nothing was changed.',
  );
}

/** Throws MigrationError when history does not agree. */
export function findPending(
  history: History,
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const { pending, unknown, altered } = compareHistory(history, applied);
  const additions = new Set(applied.filter(({ additive }) => additive === 1).map(({ id }) => id));
  // An older release goes on with what a newer one has added; it applies nothing on top.
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
