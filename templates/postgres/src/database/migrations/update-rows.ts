import type { Client } from 'pg';
import { inTransaction } from '../with-client.ts';
import { MigrationError } from './error.ts';

/** Milliseconds that one batch may take: whoever writes the same rows waits for so long. */
const [shortest, longest] = [20, 50];
const [smallestBatch, largestBatch] = [100, 10_000];

/**
 * Runs an UPDATE over all rows in the order of their ids, each batch a transaction of its own. What it does must be such
 * that a second time finds nothing to do: that is looked at, too. Answers when no row is left.
 */
export async function updateInBatches(
  client: Client,
  table: string,
  update: string,
): Promise<void> {
  let size = smallestBatch;
  let first = await findId(client, `select id::text as found from ${table} order by id limit 1`);
  while (first !== undefined) {
    const start = performance.now();
    const last = await findId(
      client,
      `select id::text as found
      from (select id from ${table} where id >= $1 order by id limit ${size}) as batch
      order by id desc limit 1`,
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
      `select id::text as found from ${table} where id > $1 order by id limit 1`,
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

/** A rule of the owner would write something else, or nothing, and nobody would notice. */
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
 * Triggers are for what people do with rows; here they would change other values, or keep these from being written.
 * Nobody else writes to the table while they are off: that is until the transaction ends.
 */
export async function withoutTriggers<Result>(
  client: Client,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<Trigger>(
    `select quote_ident(tgname) as name, tgenabled as enabled from pg_trigger
    where tgrelid = $1::regclass and not tgisinternal and tgenabled in ('O', 'A') and tgtype & 16 > 0`,
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
