import type { Reader, Row } from '../../database/client.ts';
import type { ListStatements } from './list-statement.ts';

/** Reads the one row of a list statement. */
export async function readPage(reader: Reader, { counted }: ListStatements): Promise<Row> {
  const [row = {}] = await reader.read(counted.text, counted.parameters);
  return row;
}
