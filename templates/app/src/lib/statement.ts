import type { CompiledQuery } from 'kysely';
import { bind, type Bindings } from '../database/slot.ts';
import type { Database } from '../database/client.ts';
import { boundedCache } from './bounded-cache.ts';

/** A query that is written, and not compiled yet. */
export interface Compilable<Row> {
  compile(database: Database): CompiledQuery<Row>;
}

/** Runs a statement that is compiled once for each key, with the values of this call in its slots. */
export type RunKept<Row> = (
  database: Database,
  key: string,
  write: () => Compilable<Row>,
  bindings: Bindings,
) => Promise<readonly Row[]>;

export function keptStatements<Row>(): RunKept<Row> {
  const statements = boundedCache<CompiledQuery<Row>>(500);
  return async (database, key, write, bindings) => {
    const statement = statements(key, () => write().compile(database));
    const { rows } = await database.executeQuery(bind(statement, bindings));
    return rows;
  };
}
