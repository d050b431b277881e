import { DatabaseError, type Client } from 'pg';
import { MigrationError } from './error.ts';
import { isLocked } from './lock-retries.ts';
import { describeSession, findOldest } from './other-sessions.ts';

interface Place {
  readonly id: string;
  /** From 1 on. */
  readonly step: number;
  readonly steps: number;
  /** Whether all that the step had done is undone. */
  readonly isUndone: boolean;
}

/** What to tell when a step has failed, and how things stand then. */
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
  const more =
    error.code === activeTransaction ? `Put the line \`${alone}\` above it.` : error.detail;
  return more === undefined ? error.message : `${error.message}. ${more}`;
}

/** The code of what cannot be in a transaction. */
const activeTransaction = '25001';
const alone = '-- step 1 of 1: outside of a transaction';
