import { createHash } from 'node:crypto';
import type { Database } from '../database/client.ts';
import type { UserId } from '../users/schema.ts';

/** A network that a user proved to be at. Guesses from elsewhere do not keep them out there. */
interface Place {
  readonly userId: UserId | undefined;
  readonly range: string;
}

/** In milliseconds. */
export const addressLifetime = 90 * 24 * 3_600_000;

export async function isKnownAddress(database: Database, place: Place): Promise<boolean> {
  const row = await database
    .selectFrom('auth_known_addresses')
    .select('key')
    .where('key', '=', keyOf(place))
    .where('seen_at', '>', new Date(Date.now() - addressLifetime).toISOString())
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberAddress(
  database: Database,
  place: Place & { readonly userId: UserId },
): Promise<void> {
  const seen_at = new Date().toISOString();
  await database
    .insertInto('auth_known_addresses')
    .values({ key: keyOf(place), user_id: place.userId, seen_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ seen_at }))
    .execute();
}

function keyOf({ userId, range }: Place): string {
  return createHash('sha256').update(`${userId} ${range}`).digest('base64url');
}
