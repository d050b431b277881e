import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Expression, sql, type SqlBool } from 'kysely';
import { slot } from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import type { AnyColumn, ColumnOf, TablesWith } from './columns.ts';

/** A link's secret is sent in this header, since URLs end up in logs. */
const header = 'link-token';

/** The hash of the secret that came with the current request. */
const sent = new AsyncLocalStorage<string>();
const sentHash = slot(() => sent.getStore() ?? null);

/** Lets handlers know which link a request has. */
export function addLinks(app: FastifyInstance): void {
  app.addHook('preHandler', (request, reply, done) => {
    const secret = request.headers[header];
    if (typeof secret !== 'string') return done();
    reply.header('cache-control', 'no-store');
    sent.run(hashOf(secret), done);
  });
}

/** Admits whoever sends the secret of the row's link. `column` has its hash. */
export function link<Name extends AnyColumn, Table extends keyof Tables = TablesWith<Name>>(
  column: ColumnOf<Table, Name>,
) {
  return (_viewer: unknown, _rows: unknown, table: Table): Expression<SqlBool> =>
    sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${sentHash}`;
}

/** A new secret, and its hash. */
export function newLink() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
