import { type CompiledQuery, type Expression, type OperationNode, ValueNode } from 'kysely';
import { boundedCache } from './cache.ts';
import type { Database } from './tables.ts';

/**
 * The place of a value in a statement that is compiled once and run often: what belongs there is bound at each call.
 * While a statement is written, the values of one request are out of reach, so none can stay behind in it.
 */
export interface Slot<Value> extends Expression<Value> {
  /** Stays a slot, for the value as a column keeps it. */
  encoded(change: (value: unknown) => unknown): Slot<Value>;
}

/** What statements are bound to: who asks, and what the request is about. */
export interface Bindings {
  /** In whose line it waits. */
  readonly client?: string | undefined;
  readonly viewer?: object | null;
  readonly id?: unknown;
  readonly offset?: number;
  /** Of the comparisons of a list. */
  readonly operands?: readonly unknown[];
  /** Of the parameters of a list that are its own. */
  readonly parameters?: { readonly [name: string]: unknown };
}

type Read = (bindings: Bindings) => unknown;

const reads = new WeakMap<object, Read>();

export function slot<Value>(read: Read): Slot<Value> {
  const made: Slot<Value> = {
    expressionType: undefined,
    toOperationNode: (): OperationNode => ValueNode.create(made),
    encoded: (change) => slot((bindings) => change(read(bindings))),
  };
  reads.set(made, read);
  return made;
}

/**
 * The time of each call, for conditions such as `posts('posts.published_at', '<=', now)`: a `new Date()` would stay in
 * the statement for as long as that is kept.
 */
export const now: Slot<string> = slot(() => new Date().toISOString());

export function isSlot(value: unknown): value is Slot<unknown> {
  return typeof value === 'object' && value !== null && reads.has(value);
}

/** The statement with a value in each of its slots. Spreading Kysely's frozen object would take half as long as a short statement. */
function bind(statement: CompiledQuery, bindings: Bindings) {
  const { sql, query, queryId } = statement;
  const parameters = statement.parameters.map((value) => {
    const read = typeof value === 'object' && value !== null ? reads.get(value) : undefined;
    return read === undefined ? value : read(bindings);
  });
  return { sql, query, queryId, parameters, client: bindings.client };
}

/** A query that is written, and not compiled yet. */
export interface Compilable<Row> {
  compile(database: Database): CompiledQuery<Row>;
}

/** Of the statements of one kind: what is kept of each is some twenty times its text. */
const mostCharacters = 500_000;

/** Runs a statement that is compiled once for each key, with the values of this call in its slots. */
export function keptStatements<Row>() {
  const statements = boundedCache<CompiledQuery<Row>>(mostCharacters, ({ sql }) => sql.length);
  return async (
    database: Database,
    key: string,
    write: () => Compilable<Row>,
    bindings: Bindings,
  ): Promise<readonly Row[]> => {
    const statement = statements(key, () => write().compile(database));
    const { rows } = await database.executeQuery<Row>(bind(statement, bindings));
    return rows;
  };
}
