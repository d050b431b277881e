import { DatabaseError } from 'pg';

/** There is more to do than can be done in time. */
export class Busy extends Error {}

export class TooSlow extends Busy {}

/** Why the database refused, as far as an answer can tell. */
type Violation =
  | {
      readonly kind: 'unique';
      readonly table?: string | undefined;
      readonly constraint?: string | undefined;
    }
  | { readonly kind: 'check'; readonly constraint: string }
  | { readonly kind: 'foreign_key' | 'too_large' | 'unavailable' };

/** `undefined` for an error that an answer cannot explain. */
export function violation(error: unknown): Violation | undefined {
  if (error instanceof Busy) return { kind: 'unavailable' };
  if (isLostConnection(error)) return { kind: 'unavailable' };
  if (!(error instanceof DatabaseError)) return undefined;
  const { code = '', table, constraint } = error;
  if (code === '23505') return { kind: 'unique', table, constraint };
  if (code === '23514' && constraint !== undefined) return { kind: 'check', constraint };
  if (code === '23503' || code === '23001') return { kind: 'foreign_key' };
  if (code === '54000') return { kind: 'too_large' };
  const isAway = isEnded(error) || unavailableCodes.test(code);
  return isAway ? { kind: 'unavailable' } : undefined;
}

/** The connection was ended while it ran a statement: by an administrator, by a server that stops, by the network. */
export function isEnded(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.severity === 'FATAL';
  if (!(error instanceof Error)) return false;
  return (
    /^(Connection terminated unexpectedly|Client has encountered)/.test(error.message) ||
    ('code' in error && error.code === 'ECONNRESET')
  );
}

export function isMissingTable(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '42P01';
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: connection lost, server full, out of disk, shutting
 * down, a standby that cannot write, deadlocks that outlived their retries, locks and statements that took too long, a
 * role without the right.
 */
const unavailableCodes = /^(08|53|57P|58)|^(25006|25P03|40001|40P01|42501|55P03|57014)$/;

/** Errors of the socket carry a code of the system's; those of a client and of the pool carry none. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return lostSockets.has(error.code);
  return lostConnections.test(error.message);
}

const lostSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

const lostConnections =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** A deadlock or a serialization conflict: nothing was committed. */
export function isRepeatable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01');
}
