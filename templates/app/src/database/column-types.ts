import {
  AggregateFunctionNode,
  AliasNode,
  BinaryOperationNode,
  CaseNode,
  ColumnNode,
  type CommonTableExpressionNode,
  DeleteQueryNode,
  FunctionNode,
  IdentifierNode,
  InsertQueryNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  SelectAllNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely';
import { columnTypes } from './tables.ts';
import type { ValueType } from './values.ts';

/** What the values of an expression are. */
export interface Typed {
  readonly type: ValueType;
  /** Whether they come straight out of a column, which the driver recognises by itself. */
  readonly isColumn: boolean;
}

/** The queries around an expression, the innermost first. */
export type Queries = readonly OperationNode[];

/** Of an expression: `undefined` for values that are stored as the API shows them, and for what `sql` holds. */
export function typeOf(node: OperationNode, queries: Queries): Typed | undefined {
  if (ReferenceNode.is(node)) {
    const table = node.table?.table.identifier.name;
    return ColumnNode.is(node.column)
      ? typeOfColumn(nameOf(node.column), table, queries)
      : undefined;
  }
  if (ColumnNode.is(node)) return typeOfColumn(nameOf(node), undefined, queries);
  if (AliasNode.is(node) || ParensNode.is(node)) return typeOf(node.node, queries);
  if (SelectionNode.is(node)) return typeOf(node.selection, queries);
  if (SelectQueryNode.is(node)) {
    const [only] = node.selections ?? [];
    return only && typeOf(only, [node, ...queries]);
  }
  // `sql.ref('rating')`
  if (RawNode.is(node)) {
    const [only, ...others] = node.parameters;
    const isReference = others.length === 0 && node.sqlFragments.join('').trim() === '';
    return only && isReference ? typeOf(only, queries) : undefined;
  }
  const [typed] = operandsOf(node).flatMap((operand) => typeOf(operand, queries) ?? []);
  if (typed === undefined || (isSum(node) && !isNumber(typed.type))) return undefined;
  return { type: typed.type, isColumn: false };
}

/** The parts of an expression that have its type. */
export function operandsOf(node: OperationNode): readonly OperationNode[] {
  if (FunctionNode.is(node)) return typeKeeping.test(node.func) ? node.arguments : [];
  if (AggregateFunctionNode.is(node)) return typeKeeping.test(node.func) ? node.aggregated : [];
  if (BinaryOperationNode.is(node)) {
    return isSum(node) ? [node.leftOperand, node.rightOperand] : [];
  }
  if (!CaseNode.is(node)) return [];
  const results = (node.when ?? []).flatMap(({ result }) => result ?? []);
  return node.else === undefined ? results : [...results, node.else];
}

/** Functions whose result is of the type of their arguments. */
const typeKeeping = /^(coalesce|nullif|min|max|sum|first_value|last_value|lag|lead)$/i;

/** Of numbers alone: what is left between two times is no time. */
function isSum(node: OperationNode): boolean {
  if (AggregateFunctionNode.is(node)) return node.func === 'sum';
  if (!BinaryOperationNode.is(node) || !OperatorNode.is(node.operator)) return false;
  return ['+', '-'].includes(node.operator.operator);
}

function isNumber({ type }: ValueType): boolean {
  return type === 'decimal' || type === 'bigint';
}

/** What a query answers, by name. */
export function answersOf(query: OperationNode, around: Queries): ReadonlyMap<string, Typed> {
  const queries = [query, ...around];
  const answers = new Map<string, Typed>();
  for (const { selection } of selectionsOf(query)) {
    const table = ReferenceNode.is(selection) ? selection.table?.table.identifier.name : undefined;
    const isAll = SelectAllNode.is(ReferenceNode.is(selection) ? selection.column : selection);
    if (isAll) {
      const sources = sourcesOf(query).filter((source) => isNamed(source, table));
      for (const [name, typed] of sources.flatMap((source) => [...columnsOf(source, queries)]))
        answers.set(name, typed);
      continue;
    }
    const typed = typeOf(selection, queries);
    const name = nameOf(selection);
    if (typed !== undefined) answers.set(name, typed);
    else answers.delete(name);
  }
  return answers;
}

/** Of the innermost query that has a column of this name. */
function typeOfColumn(
  name: string,
  table: string | undefined,
  queries: Queries,
): Typed | undefined {
  for (const [index, query] of queries.entries()) {
    const sources = sourcesOf(query).filter((source) => isNamed(source, table, query));
    for (const source of sources) {
      const typed = columnsOf(source, queries.slice(index)).get(name);
      if (typed !== undefined) return typed;
    }
    if (table !== undefined && sources.length > 0) return undefined;
  }
  return undefined;
}

/** What the kinds of queries have. */
type Parts = Partial<
  Pick<SelectQueryNode, 'from' | 'joins' | 'selections' | 'with'> &
    Pick<InsertQueryNode, 'into' | 'returning'> &
    Pick<UpdateQueryNode, 'table'>
>;

function partsOf(node: OperationNode): Parts {
  const isQuery =
    SelectQueryNode.is(node) ||
    InsertQueryNode.is(node) ||
    UpdateQueryNode.is(node) ||
    DeleteQueryNode.is(node);
  return isQuery ? node : {};
}

/** What a query reads from or writes to: tables and other queries, under other names or not. */
function sourcesOf(query: OperationNode): readonly OperationNode[] {
  const { into, table, from, joins = [] } = partsOf(query);
  const written = [into, table].filter((each) => each !== undefined);
  return [...written, ...(from?.froms ?? []), ...joins.map((join) => join.table)];
}

function selectionsOf(query: OperationNode): readonly SelectionNode[] {
  const { selections, returning } = partsOf(query);
  return selections ?? returning?.selections ?? [];
}

function withOf(query: OperationNode | undefined): readonly CommonTableExpressionNode[] {
  return (query && partsOf(query).with?.expressions) ?? [];
}

function isNamed(source: OperationNode, table: string | undefined, query = source): boolean {
  if (table === undefined || nameOf(source) === table) return true;
  // What an insert would have written but for a conflict.
  return table === 'excluded' && InsertQueryNode.is(query);
}

function columnsOf(source: OperationNode, queries: Queries): ReadonlyMap<string, Typed> {
  const rows = AliasNode.is(source) ? source.node : source;
  if (!TableNode.is(rows)) {
    const [query, ...around] = queries;
    return answersOf(rows, [namesOnly(withOf(query)), ...around]);
  }
  const columns = Object.entries(columnTypes[nameOf(rows)] ?? {});
  const stored = new Map(columns.map(([name, type]) => [name, { type, isColumn: true }]));
  return commonTable(nameOf(rows), queries) ?? stored;
}

/** The columns of a `with`, if a query around has one of this name: it knows those that stand before it. */
function commonTable(name: string, queries: Queries): ReadonlyMap<string, Typed> | undefined {
  for (const [index, query] of queries.entries()) {
    const all = withOf(query);
    const at = all.findLastIndex((each) => nameOf(each.name.table) === name);
    const found = all[at];
    if (found === undefined) continue;
    const known = namesOnly(all.slice(0, at));
    const answers = answersOf(found.expression, [known, ...queries.slice(index + 1)]);
    const { columns } = found.name;
    if (columns === undefined) return answers;
    const names = selectionsOf(found.expression).map(({ selection }) => nameOf(selection));
    return new Map(
      columns.flatMap((column, place) => {
        const typed = answers.get(names[place] ?? '');
        return typed === undefined ? [] : [[nameOf(column), typed]];
      }),
    );
  }
  return undefined;
}

/** A query around one that it reads from: that one knows what stands in `with`, and none of the other rows. */
function namesOnly(expressions: readonly CommonTableExpressionNode[]): SelectQueryNode {
  return { kind: 'SelectQueryNode', with: { kind: 'WithNode', expressions } };
}

/** By which others speak of a column, a table or what is selected; empty for what has no name. */
function nameOf(node: OperationNode): string {
  if (AliasNode.is(node)) return IdentifierNode.is(node.alias) ? node.alias.name : '';
  if (ReferenceNode.is(node)) return nameOf(node.column);
  if (ColumnNode.is(node)) return node.column.name;
  return TableNode.is(node) ? node.table.identifier.name : '';
}
