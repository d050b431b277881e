import { type Client, DatabaseError } from 'pg';
import { MigrationError } from '../history.ts';
import { describeSession, findOldest, isLocked } from './locks.ts';

interface Place {
  readonly id: string;
  /** From 1. */
  readonly step: number;
  readonly steps: number;
  /** Whether everything that the step did is undone. */
  readonly isUndone: boolean;
}

/** The error to report if a step fails, with the state of the database. */
export async function migrationFailure(
  client: Client,
  { id, step, steps, isUndone }: Place,
  cause: unknown,
): Promise<MigrationError> {
  const reason = await explain(client, cause);
  const message =
    step === 1 && isUndone
      ? `Migration ${id} failed and was undone: ${reason}`
      : `Migration ${id} failed at step ${step} of ${steps}: ${reason}\nWhat was done before it stays. Fix what is wrong and start again; it goes on from this step.`;
  return new MigrationError(message, { cause });
}

async function explain(client: Client, error: unknown): Promise<string> {
  if (isLocked(error)) {
    const oldest = await findOldest(client).catch(() => undefined);
    const holder =
      oldest &&
      ` The oldest transaction is that of ${describeSession(oldest)}. Start again when it has ended; \`select pg_terminate_backend(${oldest.pid})\` ends it.`;
    return `other sessions did not give a lock free that it needs.${holder ?? ''}`;
  }
  if (!(error instanceof DatabaseError)) return error instanceof Error ? error.message : `${error}`;
  if (error.code === brokenCheck) return explainCheck(client, error);
  if (error.code === diskFull) return `the disk of the database server is full: ${error.message}.`;
  const more =
    error.code === activeTransaction ? `Put the line \`${alone}\` above it.` : error.detail;
  return more === undefined ? error.message : `${error.message}. ${more}`;
}

/** A row that violates a new constraint was written during the migration. PostgreSQL does not say which one. */
async function explainCheck(client: Client, { message, table, constraint }: DatabaseError) {
  const rows = await listBreakers(client, table, constraint).catch(() => []);
  if (rows.length === 0) return message;
  return `${message}: ${rows.join(', ')}. Change those rows to what the rule allows, and run \`npm run db:migrate\` again.`;
}

async function listBreakers(
  client: Client,
  table = '',
  constraint = '',
): Promise<readonly string[]> {
  const { rows } = await client.query<{ query: string }>(
    `select format('select %I::text as id, %I::text as value from %s where not (%s) limit 5',
      id.attname, found.attname, conrelid::regclass, pg_get_expr(conbin, conrelid)) as query
    from pg_constraint join pg_attribute as found on found.attrelid = conrelid and found.attnum = conkey[1]
      join pg_index on indrelid = conrelid and indisprimary
      join pg_attribute as id on id.attrelid = conrelid and id.attnum = indkey[0]
    where conrelid = to_regclass(quote_ident($1)) and conname = $2 and contype = 'c'`,
    [table, constraint],
  );
  if (rows[0] === undefined) return [];
  const found = await client.query<{ id: string; value: string | null }>(rows[0].query);
  return found.rows.map(
    ({ id, value }) => `id ${id} has ${value === null ? 'nothing' : `'${value}'`}`,
  );
}

/** The code for a violated CHECK. */
const brokenCheck = '23514';
const diskFull = '53100';

/** The code for a statement that cannot run in a transaction. */
const activeTransaction = '25001';
const alone = '-- step 1 of 1: outside of a transaction';
