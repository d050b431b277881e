import {
  AliasNode,
  AndNode,
  type OperationNode,
  OrderByItemNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  WhereNode,
} from 'kysely';
import { nameOf, type Scope, sourcesOf } from './column-types.ts';
import { inTime } from './dialect.ts';
import { columnTypes } from './tables.ts';

/** Makes a query check now and then whether its time is up, first of all: the last condition may never be reached. */
export function timed(query: SelectQueryNode, { common }: Scope): SelectQueryNode {
  if (isWalk(query)) return query;
  const isTable = (source: OperationNode) => {
    const rows = AliasNode.is(source) ? source.node : source;
    const name = nameOf(rows);
    return TableNode.is(rows) && Object.hasOwn(columnTypes, name) && !common.has(name);
  };
  const conditions = sourcesOf(query)
    .filter(isTable)
    .flatMap((source) => inTime(nameOf(source)))
    .map((condition) => condition.toOperationNode());
  const own = query.where === undefined ? [] : [ParensNode.create(query.where.where)];
  const [first, ...others] = [...conditions, ...own];
  if (first === undefined) return query;
  const all = others.reduce((left, right) => AndNode.create(left, right), first);
  return { ...query, where: WhereNode.create(all) };
}

/** One whole table, as it is stored or in the order of its ids: the first row comes at once. */
function isWalk({ from, joins, where, groupBy, distinctOn, orderBy }: SelectQueryNode): boolean {
  const isWhole = from?.froms.length === 1 && !joins && !where && !groupBy && !distinctOn;
  return isWhole && (orderBy?.items ?? []).every((item) => isById(item));
}

function isById(item: OperationNode): boolean {
  if (OrderByItemNode.is(item)) return isById(item.orderBy);
  if (RawNode.is(item)) return item.parameters.every(isById);
  return ReferenceNode.is(item) && nameOf(item) === 'id';
}
