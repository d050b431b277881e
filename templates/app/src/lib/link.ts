import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Expression, sql, type SqlBool } from 'kysely';
import { slot } from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import type { AnyColumn, ColumnOf, TablesWith } from './columns.ts';

/** Anyone who has a link sends its secret in this header, since addresses end up in logs. */
const header = 'link-token';

/** What is kept of the secret that came with the request at hand. */
const sent = new AsyncLocalStorage<string>();
const sentHash = slot(() => sent.getStore() ?? null);

/** Lets handlers know by which link a request came. */
export function addLinks(app: FastifyInstance): void {
  app.addHook('preHandler', (request, reply, done) => {
    const secret = request.headers[header];
    if (typeof secret !== 'string') return done();
    reply.header('cache-control', 'no-store');
    sent.run(hashOf(secret), done);
  });
}

/** The row by whose link the request came, whoever sent that: `column` holds the hash of its secret. */
export function link<Name extends AnyColumn, Table extends keyof Tables = TablesWith<Name>>(
  column: ColumnOf<Table, Name>,
) {
  return (_viewer: unknown, _rows: unknown, table: Table): Expression<SqlBool> =>
    sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${sentHash}`;
}

/** A new secret, and what is kept of it. */
export function newLink() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
