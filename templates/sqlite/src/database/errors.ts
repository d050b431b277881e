/** There is more to do than can be done in time. */
export class Busy extends Error {}

export class TooSlow extends Busy {}

/** Why the database refused, as far as an answer can tell. */
type Violation =
  | {
      readonly kind: 'unique';
      readonly table?: string | undefined;
      /** Empty for an index on an expression. */
      readonly columns: readonly string[];
    }
  | { readonly kind: 'check'; readonly constraint: string }
  | { readonly kind: 'foreign_key' | 'too_large' | 'unavailable' };

/** `undefined` for an error that an answer cannot explain. */
export function violation(error: unknown): Violation | undefined {
  if (error instanceof Busy) return { kind: 'unavailable' };
  const code = resultCode(error);
  if (!(error instanceof Error) || code === undefined) return undefined;
  if (uniqueCodes.has(code)) return { kind: 'unique', ...placeIn(error.message) };
  if (code === checkFailed) return { kind: 'check', constraint: afterColon(error.message) };
  if (error.message.includes('FOREIGN KEY constraint failed')) return { kind: 'foreign_key' };
  // `SQLITE_BUSY_SNAPSHOT` is a kind of `SQLITE_BUSY`: the lowest byte says which.
  const primary = code & 0xff;
  if (primary === tooBig) return { kind: 'too_large' };
  return unavailableCodes.has(primary) ? { kind: 'unavailable' } : undefined;
}

/** Another process has the lock: BUSY, https://sqlite.org/rescode.html */
export function isLocked(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & 0xff) === 5;
}

export function isMissingTable(error: unknown): boolean {
  return (
    error instanceof Error &&
    resultCode(error) !== undefined &&
    error.message.startsWith('no such table:')
  );
}

/** https://sqlite.org/rescode.html: CONSTRAINT_UNIQUE, CONSTRAINT_PRIMARYKEY. */
const uniqueCodes = new Set([2067, 1555]);

/** CONSTRAINT_CHECK, which names the constraint: `CHECK constraint failed: <table>_<left>_gte_<right>_check`. */
const checkFailed = 275;

const tooBig = 18;

/** Locked, disk full or gone, not a database: BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const unavailableCodes = new Set([5, 6, 8, 10, 11, 13, 14, 15, 26]);

/** `UNIQUE constraint failed: posts.author_id, posts.slug`: in `posts`, `author_id` and `slug`. An index on an expression names neither. */
function placeIn(message: string) {
  const failed = afterColon(message);
  if (failed.startsWith("index '")) return { columns: [] };
  const places = failed.split(', ').map((place) => place.split('.'));
  return { table: places[0]?.[0], columns: places.map(([, column = '']) => column) };
}

const afterColon = (message: string) => message.slice(message.indexOf(': ') + 2);

/** The extended result code, https://sqlite.org/rescode.html, with which SQLite refused; `undefined` for other errors. */
export function resultCode(error: unknown): number | undefined {
  const isRefusal = error instanceof Error && 'errcode' in error;
  return isRefusal && typeof error.errcode === 'number' ? error.errcode : undefined;
}
