import {
  type AggregateFunctionNode,
  AndNode,
  type BinaryOperationNode,
  type CaseNode,
  type CastNode,
  type ColumnUpdateNode,
  DefaultInsertValueNode,
  type FunctionNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  type TupleNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import { answersOf, operandsOf, type Queries, typeOf } from './column-types.ts';
import { decoderOf, encode, hiddenDigits } from './dialect.ts';
import { isSlot } from './slot.ts';
import type { ValueType } from './values.ts';

type Decoders = readonly (readonly [name: string, decode: (value: unknown) => unknown])[];

const decoders = new WeakMap<QueryId, Decoders>();

/**
 * Lets a query speak of values as the API shows them: what is written to a column, or compared with an expression, is
 * encoded as columns keep it, and what expressions make is decoded. What stands inside of `sql` is bound as it is.
 */
export const columnValues: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    const made = [...answersOf(node, [])].flatMap(([name, { type, isColumn }]) => {
      // The driver may have recognised the column. Of other types, decoding what is decoded changes nothing.
      const decode = isColumn && type.type === 'json' ? undefined : decoderOf(type);
      return decode === undefined ? [] : [[name, decode] as const];
    });
    if (made.length > 0) decoders.set(queryId, made);
    return new Encoder().transformNode(node, queryId);
  },
  transformResult: async ({ result, queryId }) => decodedResult(result, queryId),
};

/** Of a statement that was compiled under this id. */
export function decodedResult<Row>(result: QueryResult<Row>, queryId: QueryId): QueryResult<Row> {
  const made = decoders.get(queryId);
  if (made === undefined) return result;
  return { ...result, rows: result.rows.map((row) => decoded(Object(row), made)) };
}

function decoded<Row extends object>(row: Row, made: Decoders): Row {
  const values = new Map(Object.entries(row));
  const others = made.flatMap(([name, decode]) => {
    const value: unknown = values.get(name) ?? null;
    return value === null ? [] : [[name, decode(value)] as const];
  });
  return { ...row, ...Object.fromEntries(others) };
}

class Encoder extends OperationNodeTransformer {
  protected override transformInsertQuery(node: InsertQueryNode, id: QueryId): InsertQueryNode {
    const query = super.transformInsertQuery(node, id);
    const { columns, values } = query;
    if (columns === undefined || values === undefined) return query;
    const types = columns.map((column) => this.#typeOf(column));
    if (SelectQueryNode.is(values)) {
      const around = [values, ...this.#queries];
      for (const [at, { selection }] of (values.selections ?? []).entries())
        requireUnits(selection, types[at], typeOf(selection, around)?.type);
    }
    if (!ValuesNode.is(values)) return query;
    const rows = values.values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? { ...row, values: row.values.map((value, at) => encoded(value, types[at])) }
        : { ...row, values: row.values.map((value, at) => this.#encoded(value, types[at])) },
    );
    return { ...query, values: ValuesNode.create(rows) };
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, id: QueryId): ColumnUpdateNode {
    const update = super.transformColumnUpdate(node, id);
    return { ...update, value: this.#encoded(update.value, this.#typeOf(update.column)) };
  }

  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    id: QueryId,
  ): BinaryOperationNode {
    const operation = super.transformBinaryOperation(node, id);
    const { leftOperand, rightOperand, operator } = operation;
    const word = OperatorNode.is(operator) ? operator.operator : '';
    const isLike = likeWithLike.test(word);
    if (!isLike) this.#refuseUnits([leftOperand, rightOperand], word);
    const type = this.#typeOf(leftOperand) ?? (isLike ? this.#typeOf(rightOperand) : undefined);
    if (type === undefined) return operation;
    return {
      ...operation,
      leftOperand: this.#encoded(leftOperand, type),
      rightOperand: this.#encoded(rightOperand, type),
    };
  }

  protected override transformFunction(node: FunctionNode, id: QueryId): FunctionNode {
    const call = super.transformFunction(node, id);
    return { ...call, arguments: this.#argumentsOf(call, call.arguments) };
  }

  protected override transformAggregateFunction(
    node: AggregateFunctionNode,
    id: QueryId,
  ): AggregateFunctionNode {
    const call = super.transformAggregateFunction(node, id);
    return { ...call, aggregated: this.#argumentsOf(call, call.aggregated) };
  }

  protected override transformCase(node: CaseNode, id: QueryId): CaseNode {
    const choice = super.transformCase(node, id);
    const type = this.#typeOf(choice);
    const compared = choice.value && this.#typeOf(choice.value);
    const when = (choice.when ?? []).map((each) => ({
      ...each,
      ...(compared && { condition: this.#encoded(each.condition, compared) }),
      ...(each.result && { result: this.#encoded(each.result, type) }),
    }));
    return { ...choice, when, ...(choice.else && { else: this.#encoded(choice.else, type) }) };
  }

  protected override transformCast(node: CastNode, id: QueryId): CastNode {
    this.#refuseUnits([node.expression], 'cast');
    return super.transformCast(node, id);
  }

  protected override transformTuple(node: TupleNode, id: QueryId): TupleNode {
    this.#refuseUnits(node.values, 'a tuple');
    return super.transformTuple(node, id);
  }

  get #queries(): Queries {
    return this.nodeStack.toReversed();
  }

  #typeOf(node: OperationNode): ValueType | undefined {
    return typeOf(node, this.#queries)?.type;
  }

  #argumentsOf(call: FunctionNode | AggregateFunctionNode, all: readonly OperationNode[]) {
    if (operandsOf(call).length === 0 && call.func !== 'count') this.#refuseUnits(all, call.func);
    const type = this.#typeOf(call);
    return type === undefined ? all : all.map((each) => this.#encoded(each, type));
  }

  /** The values of an expression that stands beside others of a type. */
  #encoded(node: OperationNode, type: ValueType | undefined): OperationNode {
    if (ValueNode.is(node)) return withValue(node, encoded(node.value, type));
    if (PrimitiveValueListNode.is(node)) {
      return PrimitiveValueListNode.create(node.values.map((value) => encoded(value, type)));
    }
    if (ValueListNode.is(node)) {
      return ValueListNode.create(node.values.map((value) => this.#encoded(value, type)));
    }
    // The two ends of `between`.
    if (AndNode.is(node)) {
      return AndNode.create(this.#encoded(node.left, type), this.#encoded(node.right, type));
    }
    requireUnits(node, type, this.#typeOf(node));
    return node;
  }

  #refuseUnits(nodes: readonly OperationNode[], where: string): void {
    for (const node of nodes) if (unitsOf(this.#typeOf(node)) > 0) throw wrongUnits(where);
  }
}

/** Operators whose two sides are of one type. */
const likeWithLike =
  /^([=<>+-]|==|!=|<>|<=|>=|(not )?in|is( not)?( distinct from)?|between( symmetric)?)$/;

/** Throws where a decimal meets a number that is kept in other units than it is. What `sql` says is taken as it is. */
function requireUnits(
  node: OperationNode,
  type: ValueType | undefined,
  own: ValueType | undefined,
): void {
  if (RawNode.is(node) || DefaultInsertValueNode.is(node)) return;
  if (unitsOf(type) !== unitsOf(own)) throw wrongUnits('a number of another kind');
}

function unitsOf(type: ValueType | undefined): number {
  return type === undefined ? 0 : hiddenDigits(type);
}

function wrongUnits(where: string): Error {
  return new Error(
    `A decimal cannot stand in ${where} here, where it is kept as a whole number: 450 for 4.50. Compare, add and take \`sum\`, \`min\`, \`max\` and \`coalesce\` of decimals with the same scale, or work on these numbers inside of \`sql\`.`,
  );
}

function encoded(value: unknown, type: ValueType | undefined): unknown {
  if (type === undefined) return value;
  return isSlot(value) ? value.encoded((each) => encode(each, type)) : encode(value, type);
}

/** A literal of a query's own becomes a parameter when it is written differently. */
function withValue(node: ValueNode, value: unknown): ValueNode {
  return value === node.value ? node : ValueNode.create(value);
}
