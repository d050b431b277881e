import type { Reader } from '../database/client.ts';
import { system } from '../lib/access.ts';
import { wholeRow } from '../lib/selection.ts';
import { alive, column, from, source } from '../lib/sql/conditions.ts';
import { rowJson } from '../lib/sql/row.ts';
import { bound, sql, where } from '../lib/sql/sql.ts';
import { statementOf } from '../lib/sql/statement.ts';
import { users, type User } from '../users/schema.ts';
import type { Claims } from './tokens.ts';

export type UserLookup = (claims: Claims) => Promise<User | undefined>;

/** Finds whom a token speaks for, as the API shows him, unless it was made void or its login ended since. */
export function openUserLookup(reader: Reader): UserLookup {
  const rows = source(users);
  const conditions = [
    sql`${column(rows, 'id')} = ${bound('uid')}`,
    sql`${rows.alias}.token_version = ${bound('tv')}`,
    sql`auth_sessions.id = ${bound('sid')}`,
    sql`auth_sessions.revoked_at is null`,
    ...alive(rows),
  ];
  const { text } = statementOf(
    sql`select ${rowJson(rows, wholeRow(users), system)} as user_json from ${from(rows)} join auth_sessions on auth_sessions.user_id = ${column(rows, 'id')}${where(conditions)}`,
  );
  return async ({ uid, tv, sid }) => {
    const [row] = await reader.read(text, [uid, tv, sid]);
    return row && JSON.parse(String(row.user_json));
  };
}
