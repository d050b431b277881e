import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { keptStatements, slot } from '../database/slot.ts';
import { inSql, system } from '../lib/access.ts';
import { wholeRow } from '../lib/selection.ts';
import { alive, all, column, from, rowJson, source } from '../lib/sql.ts';
import { users, type User } from '../users/schema.ts';
import type { Claims } from './tokens.ts';

export type UserLookup = (claims: Claims) => Promise<User | undefined>;

/** Finds whom a token speaks for, as the API shows them, unless it was made void or its login ended since. */
export function openUserLookup(reader: Database): UserLookup {
  const run = keptStatements<{ readonly user_json: string }>();
  const rows = source(users);
  const conditions = all([
    sql`${column(rows, 'id')} = ${claim('uid')}`,
    sql`${sql.ref(`${rows.alias}.token_version`)} = ${claim('tv')}`,
    sql`auth_sessions.id = ${claim('sid')}`,
    sql`auth_sessions.revoked_at is null`,
    ...alive(rows),
  ]);
  const shown = rowJson(rows, wholeRow(users), inSql(system));
  const statement = sql<{
    readonly user_json: string;
  }>`select ${shown} as user_json from ${from(rows)} join auth_sessions on auth_sessions.user_id = ${column(rows, 'id')} where ${conditions}`;
  return async (claims) => {
    const [found] = await run(reader, '', () => statement, { operands: [claims] });
    return found && JSON.parse(found.user_json);
  };
}

function claim(name: keyof Claims) {
  return slot(({ operands: [claims] = [] }) => Reflect.get(Object(claims), name));
}
