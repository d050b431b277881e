import {
  AliasNode,
  AndNode,
  type BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  type CompiledQuery,
  DeleteQueryNode,
  type Expression,
  IdentifierNode,
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  type QueryId,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import type { Database } from './client.ts';
import { encode } from './dialect.ts';
import { columnTypes } from './tables.ts';
import type { ValueType } from './values.ts';

/**
 * The place of a value in a statement that is written once and run often: what belongs there is bound at each call.
 * While a statement is written, the values of one request are out of reach, so none can stay behind in it.
 */
export interface Slot<Value> extends Expression<Value> {
  /** Stays a slot, for the value as a column keeps it. */
  encoded(change: (value: unknown) => unknown): Slot<Value>;
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
    encoded: (change) => slot((bindings) => change(read(bindings)), isTime),
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
export function keptStatements<Row>() {
  const statements = boundedCache<CompiledQuery<Row>>(500);
  return async (
    database: Database,
    key: string,
    write: () => Compilable<Row>,
    bindings: Bindings,
  ): Promise<readonly Row[]> => {
    const statement = statements(key, () => write().compile(database));
    const { rows } = await database.executeQuery(bind(statement, bindings));
    return rows;
  };
}

const longestKey = 2000;

/** Answers what it made for a key before. When it is full, it forgets what was not asked for in a while. */
export function boundedCache<Value>(size: number) {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (key: string, make: () => Value): Value => {
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

/**
 * Lets a query speak of values as the API shows them: what is written to a column, or compared with one, is encoded as
 * the column keeps it. What stands inside of `sql` is bound as it is.
 */
export const columnValues: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => new Encoder().transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};

class Encoder extends OperationNodeTransformer {
  protected override transformInsertQuery(node: InsertQueryNode, id: QueryId): InsertQueryNode {
    const query = super.transformInsertQuery(node, id);
    const { into, columns, values } = query;
    if (into === undefined || columns === undefined || values === undefined) return query;
    if (!ValuesNode.is(values)) return query;
    const types = columns.map(({ column }) => typeIn([into], column.name));
    const rows = values.values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? { ...row, values: row.values.map((value, at) => encoded(value, types[at])) }
        : { ...row, values: row.values.map((value, at) => encodedNode(value, types[at])) },
    );
    return { ...query, values: ValuesNode.create(rows) };
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, id: QueryId): ColumnUpdateNode {
    const update = super.transformColumnUpdate(node, id);
    return { ...update, value: encodedNode(update.value, this.#typeOf(update.column)) };
  }

  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    id: QueryId,
  ): BinaryOperationNode {
    const operation = super.transformBinaryOperation(node, id);
    const { leftOperand, rightOperand } = operation;
    return { ...operation, rightOperand: encodedNode(rightOperand, this.#typeOf(leftOperand)) };
  }

  /** Of a column, by the tables of the innermost query around it that has one of this name. */
  #typeOf(node: OperationNode): ValueType | undefined {
    const column = ReferenceNode.is(node) ? node.column : node;
    if (!ColumnNode.is(column)) return undefined;
    const { name } = column.column;
    const table = ReferenceNode.is(node) ? node.table?.table.identifier.name : undefined;
    for (const query of this.nodeStack.toReversed()) {
      const sources = sourcesOf(query).filter(
        (source) => table === undefined || nameOf(source) === table,
      );
      if (sources.length === 0) continue;
      const type = typeIn(sources, name);
      if (type !== undefined || table !== undefined) return type;
    }
    return undefined;
  }
}

/** What a query reads from or writes to: tables, under other names or not. */
function sourcesOf(query: OperationNode): readonly OperationNode[] {
  if (SelectQueryNode.is(query)) return [...(query.from?.froms ?? []), ...joinedIn(query)];
  if (DeleteQueryNode.is(query)) return [...query.from.froms, ...joinedIn(query)];
  if (InsertQueryNode.is(query)) return query.into === undefined ? [] : [query.into];
  if (!UpdateQueryNode.is(query)) return [];
  const table = query.table === undefined ? [] : [query.table];
  return [...table, ...(query.from?.froms ?? []), ...joinedIn(query)];
}

function joinedIn({ joins = [] }: SelectQueryNode | DeleteQueryNode | UpdateQueryNode) {
  return joins.map(({ table }) => table);
}

function typeIn(sources: readonly OperationNode[], column: string): ValueType | undefined {
  for (const source of sources) {
    const types = columnTypes[tableOf(source)] ?? {};
    // Every object has a `constructor`.
    if (Object.hasOwn(types, column)) return types[column];
  }
  return undefined;
}

function tableOf(source: OperationNode): string {
  const table = AliasNode.is(source) ? source.node : source;
  return TableNode.is(table) ? table.table.identifier.name : '';
}

function nameOf(source: OperationNode): string {
  if (!AliasNode.is(source)) return tableOf(source);
  return IdentifierNode.is(source.alias) ? source.alias.name : '';
}

function encodedNode(node: OperationNode, type: ValueType | undefined): OperationNode {
  if (ValueNode.is(node)) return withValue(node, encoded(node.value, type));
  if (PrimitiveValueListNode.is(node)) {
    return PrimitiveValueListNode.create(node.values.map((value) => encoded(value, type)));
  }
  if (ValueListNode.is(node)) {
    return ValueListNode.create(node.values.map((value) => encodedNode(value, type)));
  }
  // The two ends of `between`.
  if (!AndNode.is(node)) return node;
  return AndNode.create(encodedNode(node.left, type), encodedNode(node.right, type));
}

function encoded(value: unknown, type: ValueType | undefined): unknown {
  if (type === undefined) return value;
  return isSlot(value) ? value.encoded((each) => encode(each, type)) : encode(value, type);
}

function withValue(node: ValueNode, value: unknown): ValueNode {
  return { ...node, value };
}
