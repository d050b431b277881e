import { type CompiledQuery, type Expression, type OperationNode, ValueNode } from 'kysely';
import { boundedCache } from './cache.ts';
import type { Database } from './tables.ts';
import { isoTime } from './values.ts';

/**
 * The place of a value in a statement that is compiled once and run often; the value is bound at each call. The values of
 * a request are out of reach while a statement is built, so none can end up in it.
 */
export interface Slot<Value> extends Expression<Value> {
  /** The same slot, for the value as a column stores it. */
  encoded(change: (value: unknown) => unknown): Slot<Value>;
}

/** The values of one call: of the viewer and of the request. */
export interface Bindings {
  readonly client?: string | undefined;
  readonly viewer?: object | null;
  readonly id?: unknown;
  readonly offset?: number;
  readonly operands?: readonly unknown[];
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
 * The time of each call, for conditions such as `posts('posts.published_at', '<=', now)`. A `new Date()` would stay
 * the same for as long as the statement is kept.
 */
export const now: Slot<string> = slot(() => isoTime());

export function isSlot(value: unknown): value is Slot<unknown> {
  return typeof value === 'object' && value !== null && reads.has(value);
}

/** The statement with a value in each slot. Spreading Kysely's frozen objects would be slow. */
function bind(statement: CompiledQuery, bindings: Bindings) {
  const { sql, query, queryId } = statement;
  const parameters = statement.parameters.map((value) => {
    const read = typeof value === 'object' && value !== null ? reads.get(value) : undefined;
    return read === undefined ? value : read(bindings);
  });
  return { sql, query, queryId, parameters, client: bindings.client };
}

export interface Compilable<Row> {
  compile(database: Database): CompiledQuery<Row>;
}

/** The maximum length of the statements of one kind. Each one takes some twenty times the memory of its text. */
const maxCharacters = 500_000;

/** Runs a statement that is compiled once for each key, with the values of this call in its slots. */
export function keptStatements<Row>() {
  const statements = boundedCache<CompiledQuery<Row>>(maxCharacters, ({ sql }) => sql.length);
  return async (
    database: Database,
    key: string,
    build: () => Compilable<Row>,
    bindings: Bindings,
  ): Promise<readonly Row[]> => {
    const statement = statements(key, () => build().compile(database));
    const { rows } = await database.executeQuery<Row>(bind(statement, bindings));
    return rows;
  };
}
