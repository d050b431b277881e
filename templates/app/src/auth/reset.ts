import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/client.ts';
import type { UserId } from '../users/schema.ts';

/** A token of 256 bits. Only its hash is kept, and only the newest one of a user is good. */
export async function issueResetToken(
  database: Database,
  userId: UserId,
  lifetimeSeconds: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = Date.now();
  const row = {
    token_hash: hashOf(token),
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + lifetimeSeconds * 1000).toISOString(),
    used_at: null,
  };
  await database
    .insertInto('auth_reset_tokens')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
  return token;
}

/** Whose token it is, while it is good. */
export async function findResetToken(database: Database, token: string) {
  return database
    .selectFrom('auth_reset_tokens')
    .select('user_id')
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
}

/** The same, and uses it up: one of any number of callers gets an answer. */
export async function useResetToken(database: Database, token: string) {
  const now = new Date().toISOString();
  return database
    .updateTable('auth_reset_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
}

export async function revokeResetTokens(database: Database, userId: UserId): Promise<void> {
  await database.deleteFrom('auth_reset_tokens').where('user_id', '=', userId).execute();
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
