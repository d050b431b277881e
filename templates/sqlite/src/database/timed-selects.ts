import {
  AliasNode,
  AndNode,
  ColumnNode,
  type CommonTableExpressionNameNode,
  IdentifierNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  ParensNode,
  type QueryId,
  type ReferenceNode,
  type SelectQueryNode,
  TableNode,
  WhereNode,
} from 'kysely';
import { inTime } from './dialect.ts';
import { columnTypes } from './tables.ts';

/** Has each query ask now and then whether its time is over: first of its conditions, as the last may never be asked. */
export const timedSelects: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => new Timer().transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};

class Timer extends OperationNodeTransformer {
  /** Names that queries of `with` have. */
  readonly #named = new Set<string>();

  protected override transformCommonTableExpressionName(
    node: CommonTableExpressionNameNode,
    id: QueryId,
  ): CommonTableExpressionNameNode {
    this.#named.add(node.table.table.identifier.name);
    return super.transformCommonTableExpressionName(node, id);
  }

  protected override transformSelectQuery(node: SelectQueryNode, id: QueryId): SelectQueryNode {
    const query = super.transformSelectQuery(node, id);
    if (isWalk(query)) return query;
    const conditions = tablesIn(query)
      .filter(({ table }) => Object.hasOwn(columnTypes, table) && !this.#named.has(table))
      .flatMap(({ name }) => inTime(name))
      .map((condition) => condition.toOperationNode());
    const own = query.where === undefined ? [] : [ParensNode.create(query.where.where)];
    const [first, ...others] = [...conditions, ...own];
    if (first === undefined) return query;
    const all = others.reduce((left, right) => AndNode.create(left, right), first);
    return { ...query, where: WhereNode.create(all) };
  }
}

/** One table, whole, as it lies or in the order of its ids: nothing that takes long before the first row is there. */
function isWalk({ from, joins, where, groupBy, distinctOn, orderBy }: SelectQueryNode): boolean {
  const isWhole = from?.froms.length === 1 && !joins && !where && !groupBy && !distinctOn;
  return isWhole && (orderBy?.items ?? []).every((item) => isById(item));
}

function isById(item: OperationNode): boolean {
  const references = new References();
  references.transformNode(item);
  return references.found.every(
    ({ column }) => ColumnNode.is(column) && column.column.name === 'id',
  );
}

class References extends OperationNodeTransformer {
  readonly found: ReferenceNode[] = [];

  protected override transformReference(node: ReferenceNode, id: QueryId): ReferenceNode {
    this.found.push(node);
    return super.transformReference(node, id);
  }
}

interface NamedTable {
  readonly table: string;
  readonly name: string;
}

function tablesIn({ from, joins = [] }: SelectQueryNode): readonly NamedTable[] {
  const sources = [...(from?.froms ?? []), ...joins.map(({ table }) => table)];
  return sources.flatMap((source) => {
    const table = AliasNode.is(source) ? source.node : source;
    if (!TableNode.is(table)) return [];
    const { name } = table.table.identifier;
    const isNamed = AliasNode.is(source) && IdentifierNode.is(source.alias);
    return [{ table: name, name: isNamed ? source.alias.name : name }];
  });
}
