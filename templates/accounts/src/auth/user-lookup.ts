import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { keptStatements } from '../database/slot.ts';
import { inSql, system } from '../lib/access.ts';
import { rowJson } from '../lib/row-json.ts';
import { wholeRow } from '../lib/selection.ts';
import { alive, all, column, from, operandSlot, source } from '../lib/sql.ts';
import { type User, users } from '../users/schema.ts';
import type { Claims } from './sessions.ts';

interface Found {
  readonly user_json: string;
}

/** Finds the user of a token, as the API returns them; undefined if the token is void or its login has ended. */
export function openUserLookup(reader: Database) {
  const run = keptStatements<Found>();
  const rows = source(users);
  const conditions = all([
    sql`${column(rows, 'id')} = ${operandSlot(0)}`,
    sql`${sql.ref(`${rows.alias}.token_version`)} = ${operandSlot(1)}`,
    sql`auth_sessions.id = ${operandSlot(2)}`,
    sql`auth_sessions.revoked_at is null`,
    ...alive(rows),
  ]);
  const shown = rowJson(rows, wholeRow(users), inSql(system));
  const statement = sql<Found>`select ${shown} as user_json from ${from(rows)} join auth_sessions on auth_sessions.user_id = ${column(rows, 'id')} where ${conditions}`;
  return async ({ uid, tv, sid }: Claims, client?: string): Promise<User | undefined> => {
    const [found] = await run(reader, '', () => statement, { client, operands: [uid, tv, sid] });
    return found && JSON.parse(found.user_json);
  };
}
