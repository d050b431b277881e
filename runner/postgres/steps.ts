import type { Client } from 'pg';
import { digest } from '../../src/digest.ts';
import { inTransaction } from './client.ts';
import { describeUnderWay, MigrationError, type MigrationRun, type UnderWay } from '../history.ts';

/** A part of a migration. */
export interface Step {
  readonly way: Way;
  readonly sql: string;
}

/** How a step is run, from the line at its beginning. */
export type Way =
  | { readonly kind: 'transaction' }
  /** Statements that cannot run in a transaction. */
  | { readonly kind: 'alone' }
  /** An UPDATE of rows with ids from `$1` to `$2`, or of all rows. It does not fire triggers of the owner. */
  | ({ readonly kind: 'batches' | 'update' } & Batches);

/** The rows of a table, and the column of their ids. */
export interface Batches {
  readonly table: string;
  readonly id: string;
}

/** Text before the first step belongs to it. SQL without steps is one transaction. */
export function readSteps(sql: string): readonly Step[] {
  return sql
    .split(/^(?=-- step (?!1 )\d+ of \d+: )/m)
    .map((text) => ({ way: readWay(/^-- step \d+ of \d+: (.*)/m.exec(text)?.[1]), sql: text }));
}

function readWay(words = ''): Way {
  if (words.startsWith('outside of a transaction')) return { kind: 'alone' };
  const [, way, table, id = 'id'] =
    /^(in batches of|at once for) (.+?)(?: by (.+?))?\s*$/.exec(words) ?? [];
  if (table === undefined) return { kind: 'transaction' };
  return { kind: way === 'at once for' ? 'update' : 'batches', table, id };
}

/** How many milliseconds a batch may take, since others wait for its rows. */
const [shortest, longest] = [20, 50];
const [smallestBatch, largestBatch] = [100, 10_000];

/**
 * Runs an UPDATE over all rows in the order of their ids, with a transaction for each batch. A second run must find
 * nothing to do, which is checked. Returns when no row is left.
 */
export async function updateInBatches(
  client: Client,
  { table, id }: Batches,
  update: string,
): Promise<void> {
  let size = smallestBatch;
  let first = await findId(
    client,
    `select ${id}::text as found from ${table} order by ${id} limit 1`,
  );
  while (first !== undefined) {
    const start = performance.now();
    const last = await findId(
      client,
      `select ${id}::text as found
      from (select ${id} from ${table} where ${id} >= $1 order by ${id} limit ${size}) as batch
      order by ${id} desc limit 1`,
      first,
    );
    if (last === undefined) return;
    const ids = [first, last];
    await inTransaction(client, () =>
      withoutTriggers(client, table, async () => {
        await client.query(update, ids);
        const { rowCount } = await client.query(update, ids);
        if (rowCount !== 0) throw new MigrationError(unsettled(table, ids, rowCount));
      }),
    );
    const took = performance.now() - start;
    if (took > longest) size = Math.max(Math.floor(size / 2), smallestBatch);
    if (took < shortest) size = Math.min(size * 2, largestBatch);
    first = await findId(
      client,
      `select ${id}::text as found from ${table} where ${id} > $1 order by ${id} limit 1`,
      last,
    );
  }
}

async function findId(client: Client, query: string, ...after: string[]) {
  const { rows } = await client.query<{ found: string }>(query, after);
  return rows[0]?.found;
}

function unsettled(table: string, ids: readonly string[], rows: number | null): string {
  return `${rows} rows of ${table} with ids from ${ids.join(' to ')} do not hold what they were just given.`;
}

/** A rule of the owner would silently write something else, or nothing. */
export async function refuseRules(client: Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ rule: string }>(
    `select rulename || ' on ' || tablename as rule from pg_rules
    where schemaname = current_schema() and tablename = any($1) order by 1`,
    [tables],
  );
  if (rows.length === 0) return;
  throw new MigrationError(
    `Rows are filled in, and a rule of yours may change what is written: ${rows.map(({ rule }) => rule).join(', ')}. Drop it first. Nothing was changed.`,
  );
}

interface Trigger {
  readonly name: string;
  readonly enabled: 'O' | 'A';
}

/**
 * Turns off triggers, which are meant for changes by people and could change or refuse these values. Nobody else writes
 * to the table until the transaction ends.
 */
export async function withoutTriggers<Result>(
  client: Client,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<Trigger>(
    `select quote_ident(tgname) as name, tgenabled as enabled from pg_trigger
    where tgrelid = $1::regclass and not tgisinternal and tgenabled in ('O', 'A') and tgtype & 16 > 0
      and tgname not like 'row\\_counts\\_%'`,
    [table],
  );
  for (const { name } of rows) await client.query(`alter table ${table} disable trigger ${name}`);
  const result = await work();
  for (const { name, enabled } of rows) {
    const always = enabled === 'A' ? 'always ' : '';
    await client.query(`alter table ${table} enable ${always}trigger ${name}`);
  }
  return result;
}

/** Has one row while a migration of several steps is in progress. */
export const progressTable =
  'create table if not exists schema_migration_steps (id text primary key, command text not null, done integer not null, checksum text not null)';

interface Progress extends UnderWay {
  /** The checksum of the steps that are done. The others may still be edited. */
  readonly checksum: string;
}

/** How many steps an earlier run has done. Throws if that run was of another migration. */
export async function readProgress(
  client: Client,
  run: MigrationRun | undefined,
  steps: readonly Step[],
): Promise<number> {
  const { rows } = await client.query<Progress>('select * from schema_migration_steps');
  const [begun] = rows;
  if (begun === undefined) return 0;
  const { id, command, done } = begun;
  if (run?.id !== id || chooseCommand(run) !== command) {
    throw new MigrationError(describeUnderWay(begun));
  }
  if (sumOfSteps(steps.slice(0, done)) === begun.checksum) return done;
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
    [run.id, chooseCommand(run), done.length, sumOfSteps(done)],
  );
}

/** Records that the whole migration is done. */
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

function chooseCommand({ adds }: MigrationRun): string {
  return adds.length > 0 ? 'db:migrate' : 'db:rollback';
}

function sumOfSteps(steps: readonly Step[]): string {
  const text = steps.map(({ sql }) => sql.trim()).join('\n\n');
  return digest(text);
}
