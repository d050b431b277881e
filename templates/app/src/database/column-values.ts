import {
  AndNode,
  DefaultInsertValueNode,
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import {
  alikeIn,
  answersOf,
  calculatedIn,
  isQuery,
  type Scope,
  scopeWithin,
  typeOf,
} from './column-types.ts';
import { decoderOf, encode, hiddenDigits } from './dialect.ts';
import { isSlot } from './slot.ts';
import type { ValueType } from './values.ts';

/** Rewrites a query once the meaning of its names is known. */
type Rewrite = (query: SelectQueryNode, scope: Scope) => SelectQueryNode;

type Decoders = readonly (readonly [name: string, decode: (value: unknown) => unknown])[];

const decoders = new WeakMap<QueryId, Decoders>();

const nowhere: Scope = { common: new Map(), rows: [] };

/**
 * Lets queries use values as the API shows them: what is written to a column or compared with an expression is encoded
 * as it is stored, and the results of expressions are decoded. Values inside `sql` are bound as they are.
 */
export function columnValues(rewrite: Rewrite = (query) => query): KyselyPlugin {
  /** Queries inside others that were transformed when they were built. */
  const done = new WeakSet<OperationNode>();
  return {
    transformQuery({ node, queryId }) {
      const made = [...answersOf(node, nowhere)].flatMap(([name, type]) => {
        // The driver may have decoded the column already. For other types, decoding twice changes nothing.
        const decode = type.isMade || type.type !== 'json' ? decoderOf(type) : undefined;
        return decode === undefined ? [] : [[name, decode] as const];
      });
      if (made.length > 0) decoders.set(queryId, made);
      const query = new Encoder(rewrite, done).transformNode(node, queryId);
      done.add(query);
      return query;
    },
    transformResult: async ({ result, queryId }) => decodedResult(result, queryId),
  };
}

export function decodedResult<Row>(result: QueryResult<Row>, queryId: QueryId): QueryResult<Row> {
  const made = decoders.get(queryId);
  if (made === undefined) return result;
  const rows = result.rows.map((row) => {
    const values = { ...Object(row) };
    for (const [name, decode] of made) {
      if ((values[name] ?? null) !== null) values[name] = decode(values[name]);
    }
    return values;
  });
  return { ...result, rows };
}

/** The types of the values of a list, by position. */
type Types = (at: number) => ValueType | undefined;

class Encoder extends OperationNodeTransformer {
  readonly #rewrite: Rewrite;
  readonly #done: WeakSet<OperationNode>;
  /** The types of the next values, by what they are compared with. */
  readonly #types = new Map<OperationNode, Types>();
  #scope = nowhere;

  constructor(rewrite: Rewrite, done: WeakSet<OperationNode>) {
    super();
    this.#rewrite = rewrite;
    this.#done = done;
  }

  protected override transformNodeImpl<Node extends OperationNode>(node: Node, id: QueryId): Node {
    if (this.#done.has(node)) return node;
    const around = this.#scope;
    if (isQuery(node)) this.#scope = scopeWithin(node, around);
    this.#noteTypes(node);
    const changed = super.transformNodeImpl(node, id);
    this.#scope = around;
    return changed;
  }

  protected override transformSelectQuery(node: SelectQueryNode, id: QueryId): SelectQueryNode {
    return this.#rewrite(super.transformSelectQuery(node, id), this.#scope);
  }

  protected override transformValue(node: ValueNode): ValueNode {
    const value = encoded(node.value, this.#typesOf(node)?.(0));
    // A literal becomes a parameter if it is stored in another form.
    return value === node.value ? node : ValueNode.create(value);
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
  ): PrimitiveValueListNode {
    const types = this.#typesOf(node);
    if (types === undefined) return node;
    return PrimitiveValueListNode.create(node.values.map((value, at) => encoded(value, types(at))));
  }

  /** Only once: elsewhere the same node may be compared with something else. */
  #typesOf(node: OperationNode): Types | undefined {
    const types = this.#types.get(node);
    this.#types.delete(node);
    return types;
  }

  /** Notes the type of each value that is compared or written here, which is that of the other side. */
  #noteTypes(node: OperationNode): void {
    const [where, ...calculated] = calculatedIn(node);
    if (calculated.some((each) => unitsOf(this.#typeOf(each)) > 0)) throw wrongUnits(where);
    for (const group of alikeIn(node)) {
      const [type] = group.flatMap((each) => this.#typeOf(each) ?? []);
      this.#noteType(group, type);
    }
    if (InsertQueryNode.is(node)) this.#noteTypesOfInsert(node);
  }

  #noteTypesOfInsert({ columns = [], values }: InsertQueryNode): void {
    const types = columns.map((column) => this.#typeOf(column));
    if (values && SelectQueryNode.is(values)) {
      const scope = scopeWithin(values, this.#scope);
      for (const [at, { selection }] of (values.selections ?? []).entries())
        requireUnits(selection, types[at], typeOf(selection, scope));
    }
    for (const row of values && ValuesNode.is(values) ? values.values : []) {
      if (PrimitiveValueListNode.is(row)) this.#types.set(row, (at) => types[at]);
      else for (const [at, value] of row.values.entries()) this.#noteType([value], types[at]);
    }
  }

  #noteType(nodes: readonly OperationNode[], type: ValueType | undefined): void {
    for (const node of nodes) {
      if (ValueNode.is(node) || PrimitiveValueListNode.is(node)) this.#types.set(node, () => type);
      else if (ValueListNode.is(node)) this.#noteType(node.values, type);
      // The two ends of `between`.
      else if (AndNode.is(node)) this.#noteType([node.left, node.right], type);
      else requireUnits(node, type, this.#typeOf(node));
    }
  }

  #typeOf(node: OperationNode): ValueType | undefined {
    return typeOf(node, this.#scope);
  }
}

/** Throws if a decimal is combined with a number that is stored in other units. What `sql` contains is not checked. */
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
    `Decimals are stored as integers (4.50 as 450), so using one in ${where} would give a wrong result. Compare, add and take \`sum\`, \`min\`, \`max\` and \`coalesce\` of decimals with the same scale, or work on these numbers inside \`sql\`.`,
  );
}

function encoded(value: unknown, type: ValueType | undefined): unknown {
  if (type === undefined) return value;
  return isSlot(value) ? value.encoded((each) => encode(each, type)) : encode(value, type);
}
