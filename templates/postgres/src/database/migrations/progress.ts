import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { MigrationError } from './error.ts';
import { describeUnderWay, type MigrationRun, type UnderWay } from './run.ts';
import type { Step } from './steps.ts';

/** Holds one row while a migration of several steps is under way. */
export const progressTable =
  'create table if not exists schema_migration_steps (id text primary key, command text not null, done integer not null, checksum text not null)';

interface Progress extends UnderWay {
  /** Of the steps that are done: the others may still be edited. */
  readonly checksum: string;
}

/** The number of steps that an earlier run has done. Throws when that run was of something else. */
export async function readProgress(
  client: Client,
  run: MigrationRun | undefined,
  steps: readonly Step[],
): Promise<number> {
  const { rows } = await client.query<Progress>('select * from schema_migration_steps');
  const [begun] = rows;
  if (begun === undefined) return 0;
  const { id, command, done } = begun;
  if (run?.id !== id || commandOf(run) !== command) {
    throw new MigrationError(describeUnderWay(begun));
  }
  if (checksumOf(steps.slice(0, done)) === begun.checksum) return done;
  throw new MigrationError(
    `${id} is under way, and its first ${done} steps were edited after they had been done. Restore them, from git or by \`scaffold regenerate --undo\`; the steps after them may be changed.`,
  );
}

export async function saveProgress(
  client: Client,
  run: MigrationRun,
  done: readonly Step[],
): Promise<void> {
  await client.query(
    `insert into schema_migration_steps values ($1, $2, $3, $4)
    on conflict (id) do update set done = excluded.done, checksum = excluded.checksum`,
    [run.id, commandOf(run), done.length, checksumOf(done)],
  );
}

/** The whole of it is done. */
export async function saveRun(client: Client, { adds, removes }: MigrationRun): Promise<void> {
  await client.query('delete from schema_migration_steps');
  await client.query('delete from schema_migrations where id = any($1)', [removes]);
  await client.query(
    `insert into schema_migrations (id, checksum, applied_at, additive)
    select id, checksum, now(), additive
    from unnest($1::text[], $2::text[], $3::integer[]) as added (id, checksum, additive)`,
    [
      adds.map(({ id }) => id),
      adds.map(({ checksum }) => checksum),
      adds.map(({ additive }) => additive),
    ],
  );
}

function commandOf({ adds }: MigrationRun): string {
  return adds.length > 0 ? 'db:migrate' : 'db:rollback';
}

function checksumOf(steps: readonly Step[]): string {
  const text = steps.map(({ sql }) => sql.trim()).join('\n\n');
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
