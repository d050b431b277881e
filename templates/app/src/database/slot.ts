import { type CompiledQuery, type Expression, type OperationNode, ValueNode } from 'kysely';
import type { Database } from './client.ts';

/**
 * The place of a value in a statement that is written once and run often: what belongs there is bound at each call.
 * While a statement is written, the values of one request are out of reach, so none can stay behind in it.
 */
export interface Slot<Value> extends Expression<Value> {
  /** Stays a slot, for the value as a column keeps it. */
  encoded(encode: (value: unknown) => unknown): Slot<Value>;
  /** Whether another call may have another value although nobody has written to the database. */
  readonly isTime: boolean;
}

/** What statements are bound to: who asks, and what the request is about. */
export interface Bindings {
  readonly viewer?: object | null;
  readonly id?: unknown;
  readonly offset?: number;
  /** Of the comparisons of a list. */
  readonly operands?: readonly unknown[];
  /** Of the parameters of a list that are its own. */
  readonly parameters?: { readonly [name: string]: unknown };
  /** The total of a list as it was counted before. */
  readonly known?: { readonly version: unknown; readonly total: unknown } | undefined;
}

type Read = (bindings: Bindings) => unknown;

const reads = new WeakMap<object, Read>();

export function slot<Value>(read: Read, isTime = false): Slot<Value> {
  const made: Slot<Value> = {
    expressionType: undefined,
    toOperationNode: (): OperationNode => ValueNode.create(made),
    encoded: (encode) => slot((bindings) => encode(read(bindings)), isTime),
    isTime,
  };
  reads.set(made, read);
  return made;
}

/**
 * The time of each call, for conditions such as `posts('posts.published_at', '<=', now)`: a `new Date()` would stay in
 * the statement for as long as that is kept.
 */
export const now: Slot<string> = slot(() => new Date().toISOString(), true);

export function isSlot(value: unknown): value is Slot<unknown> {
  return typeof value === 'object' && value !== null && reads.has(value);
}

/** The statement with a value in each of its slots. Spreading Kysely's frozen object would take half as long as a short statement. */
function bind<Row>(statement: CompiledQuery<Row>, bindings: Bindings): CompiledQuery<Row> {
  const { sql, query, queryId } = statement;
  const isTimely = statement.parameters.some((value) => isSlot(value) && value.isTime);
  const bound = isTimely ? { ...bindings, known: undefined } : bindings;
  const parameters = statement.parameters.map((value) => {
    const read = typeof value === 'object' && value !== null ? reads.get(value) : undefined;
    return read === undefined ? value : read(bound);
  });
  return { sql, query, queryId, parameters };
}

/** A query that is written, and not compiled yet. */
export interface Compilable<Row> {
  compile(database: Database): CompiledQuery<Row>;
}

/** Runs a statement that is compiled once for each key, with the values of this call in its slots. */
type RunKept<Row> = (
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

type Cache<Value> = (key: string, make: () => Value) => Value;

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
