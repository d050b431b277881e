import { createHmac, randomUUID } from 'node:crypto';
import type { Rows } from './rows.ts';
import { testSecret } from '../test/support/server.ts';

/** Adds users who have logged in, and answers the access token of each. */
export async function addViewers({ run }: Rows, count: number): Promise<readonly string[]> {
  const now = Math.floor(Date.now() / 1000);
  const [made, expires] = [time(now), time(now + 86_400)];
  const viewers = Array.from({ length: count }, (_, index) => {
    return { uid: index + 1, sid: randomUUID(), sub: `viewer-${index}@example.com` };
  });
  const users = viewers.map(
    ({ uid, sub }) => `(${uid}, 'Viewer ${uid}', '${sub}', 'nobody logs in', '${made}', '${made}')`,
  );
  const sessions = viewers.map(
    ({ uid, sid }) => `('${sid}', ${uid}, '${sid}', ${now}, '${made}', '${expires}')`,
  );
  await run(
    `insert into users (id, name, email, password, created_at, updated_at) values ${users.join(', ')}`,
  );
  await run(
    `insert into auth_sessions (id, user_id, current_jti, current_iat, created_at, expires_at) values ${sessions.join(', ')}`,
  );
  return viewers.map(({ uid, sid, sub }) =>
    signed({ sub, type: 'access', uid, sid, jti: sid, iat: now, exp: now + 86_400, tv: 0 }),
  );
}

function signed(claims: object): string {
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${content}.${createHmac('sha256', testSecret).update(content).digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
