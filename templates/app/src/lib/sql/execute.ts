import { CompiledQuery } from 'kysely';
import type { Database, Row } from '../../database/client.ts';
import type { Sql } from './sql.ts';
import { statementOf } from './statement.ts';

/** Runs a statement on the connection that writes; answers what it returns. */
export async function execute(database: Database, statement: Sql): Promise<readonly Row[]> {
  const { text, parameters } = statementOf(statement);
  const result = await database.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
  return result.rows;
}
