import Sqlite from 'better-sqlite3';

/** Why the database refused, as far as an answer can tell it. */
export type Violation =
  | { readonly kind: 'unique'; readonly constraint?: string; readonly columns?: readonly string[] }
  | { readonly kind: 'foreign_key'; readonly constraint?: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'unavailable' };

/** `undefined` for what is nobody's fault but ours. */
export function violation(error: unknown): Violation | undefined {
  if (!(error instanceof Sqlite.SqliteError)) return undefined;
  if (uniqueCodes.has(error.code)) return { kind: 'unique', columns: columnsIn(error.message) };
  if (error.message.includes('FOREIGN KEY constraint failed')) return { kind: 'foreign_key' };
  const [, code = ''] = error.code.split('_');
  if (code === 'TOOBIG') return { kind: 'too_large' };
  return unavailableCodes.has(code) ? { kind: 'unavailable' } : undefined;
}

export function isMissingTable(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.message.startsWith('no such table:');
}

const uniqueCodes = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/** The first word of https://sqlite.org/rescode.html: locked, disk full or gone, no database. */
const unavailableCodes = new Set([
  'BUSY',
  'LOCKED',
  'FULL',
  'IOERR',
  'CANTOPEN',
  'READONLY',
  'PROTOCOL',
  'CORRUPT',
  'NOTADB',
]);

/** `UNIQUE constraint failed: posts.author_id, posts.slug` → `author_id`, `slug`. */
function columnsIn(message: string): string[] {
  const list = message.slice(message.indexOf(': ') + 2);
  return list.split(', ').map((column) => column.slice(column.indexOf('.') + 1));
}

/** One transaction writes at a time, so none is in the way of another. */
export function isRepeatable(_error: unknown): boolean {
  return false;
}
