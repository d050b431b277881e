import type { CompiledQuery } from 'kysely';
import type { Database } from '../database/client.ts';
import { bind, type Bindings } from '../database/slot.ts';

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

export type Cache<Value> = (key: string, make: () => Value) => Value;

const longestKey = 2000;

/** Answers what it made for a key before. When it is full, it forgets what was not asked for in a while. */
export function boundedCache<Value>(size: number): Cache<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (key, make) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const value = old.get(key) ?? make();
    if (key.length > longestKey) return value;
    if (young.size >= size / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
}
