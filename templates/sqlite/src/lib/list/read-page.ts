import type { Reader, Row } from '../../database/client.ts';
import type { ListStatements } from './list-statement.ts';

interface Kept {
  readonly version: number;
  readonly total: unknown;
}

const totals = new WeakMap<Reader, WeakMap<ListStatements, Kept>>();

/**
 * Reads the one row of a list statement. Counting can take longer than the page itself, so a total is kept for as long
 * as the database has the version in which it was counted; version and rows are of one snapshot.
 */
export async function readPage(reader: Reader, statements: ListStatements): Promise<Row> {
  const { counted, uncounted } = statements;
  if (reader.readVersion === undefined) {
    const [row = {}] = await reader.read(counted.text, counted.parameters);
    return row;
  }
  const known = totals.get(reader) ?? new WeakMap<ListStatements, Kept>();
  totals.set(reader, known);
  const kept = known.get(statements);
  const { version, rows } = await reader.readVersion((current) =>
    kept?.version === current ? uncounted : counted,
  );
  const [row = {}] = rows;
  if (kept?.version === version) return { ...row, total: kept.total };
  known.set(statements, { version, total: row['total'] });
  return row;
}
