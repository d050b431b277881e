import {
  AliasNode,
  AndNode,
  type BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  DeleteQueryNode,
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
import { encode } from './dialect.ts';
import { isSlot } from './slot.ts';
import { columnTypes } from './tables.ts';
import type { ValueType } from './values.ts';

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
