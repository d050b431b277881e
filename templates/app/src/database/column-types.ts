import {
  AggregateFunctionNode,
  AliasNode,
  BinaryOperationNode,
  CaseNode,
  CastNode,
  ColumnNode,
  ColumnUpdateNode,
  type CommonTableExpressionNode,
  FunctionNode,
  IdentifierNode,
  type InsertQueryNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  SelectAllNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  TupleNode,
  type UpdateQueryNode,
} from 'kysely';
import { columnTypes } from './tables.ts';
import type { ValueType } from './values.ts';

interface Typed extends ValueType {
  /** Whether it is computed, so that the driver does not know its type. */
  readonly isMade?: true;
}

/** The columns of some rows, without those that are stored as the API shows them. */
type ColumnTypes = ReadonlyMap<string, Typed>;

export interface Scope {
  /** The queries of `with`. */
  readonly common: ReadonlyMap<string, ColumnTypes>;
  /** The tables of each query around it, innermost first. */
  readonly rows: readonly (readonly (readonly [name: string, columns: ColumnTypes])[])[];
}

type Query = OperationNode &
  Partial<
    Pick<SelectQueryNode, 'from' | 'joins' | 'selections' | 'with'> &
      Pick<InsertQueryNode, 'into' | 'returning'> &
      Pick<UpdateQueryNode, 'table'>
  >;

export function isQuery(node: OperationNode): node is Query {
  return /^(Select|Insert|Update|Delete)QueryNode$/.test(node.kind);
}

export function scopeWithin(query: Query, around: Scope): Scope {
  const common = (query.with?.expressions ?? []).reduce(withCommon, around.common);
  const rows = sourcesOf(query).map(
    (source) => [nameOf(source), columnsOf(source, { ...around, common })] as const,
  );
  // The row that an insert would have written without the conflict.
  const excluded = query.into ? rows.map(([, columns]) => ['excluded', columns] as const) : [];
  return { common, rows: [[...rows, ...excluded], ...around.rows] };
}

/** A query of `with` can refer to those before it. */
function withCommon(
  common: Scope['common'],
  { name, expression }: CommonTableExpressionNode,
): Scope['common'] {
  return new Map(common).set(nameOf(name.table), answersOf(expression, { common, rows: [] }));
}

export function sourcesOf({ into, table, from, joins = [] }: Query): readonly OperationNode[] {
  const written = [into, table].filter((each) => each !== undefined);
  return [...written, ...(from?.froms ?? []), ...joins.map((join) => join.table)];
}

function columnsOf(source: OperationNode, scope: Scope): ColumnTypes {
  const rows = AliasNode.is(source) ? source.node : source;
  if (!TableNode.is(rows)) return answersOf(rows, { ...scope, rows: [] });
  const name = nameOf(rows);
  return scope.common.get(name) ?? new Map(Object.entries(columnTypes[name] ?? {}));
}

export function answersOf(query: OperationNode, around: Scope): ColumnTypes {
  const answers = new Map<string, Typed>();
  if (!isQuery(query)) return answers;
  const scope = scopeWithin(query, around);
  for (const { selection } of query.selections ?? query.returning?.selections ?? []) {
    const typed = typeOf(selection, scope);
    if (typed) answers.set(nameOf(selection), typed);
    else answers.delete(nameOf(selection));
    for (const [name, column] of starColumns(selection, scope)) answers.set(name, column);
  }
  return answers;
}

/** The columns of `*` and `posts.*`. */
function starColumns(
  selection: OperationNode,
  { rows: [rows = []] }: Scope,
): readonly [string, Typed][] {
  const isOfTable = ReferenceNode.is(selection);
  if (!SelectAllNode.is(isOfTable ? selection.column : selection)) return [];
  const table = isOfTable ? tableOf(selection) : undefined;
  const chosen = rows.filter(([name]) => table === undefined || name === table);
  return chosen.flatMap(([, columns]) => [...columns]);
}

/** The type of an expression; `undefined` for values that are stored as the API shows them, and inside `sql`. */
export function typeOf(node: OperationNode, scope: Scope): Typed | undefined {
  if (ReferenceNode.is(node)) return typeOfColumn(nameOf(node), tableOf(node), scope);
  if (ColumnNode.is(node)) return typeOfColumn(nameOf(node), undefined, scope);
  if (AliasNode.is(node) || ParensNode.is(node)) return typeOf(node.node, scope);
  if (SelectionNode.is(node)) return typeOf(node.selection, scope);
  if (SelectQueryNode.is(node)) {
    const [only] = node.selections ?? [];
    return only && typeOf(only, scopeWithin(node, scope));
  }
  // `sql.ref('rating')`
  if (RawNode.is(node)) {
    const [only, ...others] = node.parameters;
    const isReference = others.length === 0 && node.sqlFragments.join('').trim() === '';
    return only && isReference ? typeOf(only, scope) : undefined;
  }
  const [operands = []] = alikeIn(node);
  const [typed] = operands.flatMap((operand) => typeOf(operand, scope) ?? []);
  return typed && keepsType(node, typed) ? { ...typed, isMade: true } : undefined;
}

/** The type of a column, in the innermost query that has one with this name. */
function typeOfColumn(name: string, table: string | undefined, { rows }: Scope): Typed | undefined {
  for (const sources of rows) {
    const named = sources.filter(([source]) => table === undefined || source === table);
    const [found] = named.flatMap(([, columns]) => columns.get(name) ?? []);
    if (found || (table !== undefined && named.length > 0)) return found;
  }
  return undefined;
}

/** Parts of an expression that have the same type. For the first list, it is also the type of the result. */
export function alikeIn(node: OperationNode): readonly (readonly OperationNode[])[] {
  if (FunctionNode.is(node)) return typeKeeping.test(node.func) ? [node.arguments] : [];
  if (AggregateFunctionNode.is(node)) return typeKeeping.test(node.func) ? [node.aggregated] : [];
  if (BinaryOperationNode.is(node)) return [[node.leftOperand, node.rightOperand]];
  if (ColumnUpdateNode.is(node)) return [[node.column, node.value]];
  if (!CaseNode.is(node)) return [];
  const when = node.when ?? [];
  const results = [...when.map(({ result }) => result), node.else];
  const compared = node.value ? [node.value, ...when.map(({ condition }) => condition)] : [];
  return [results.filter((each) => each !== undefined), compared];
}

/** Parts of an expression that are calculated with in their stored form, and their place. */
export function calculatedIn(node: OperationNode): readonly [where: string, ...OperationNode[]] {
  if (CastNode.is(node)) return ['cast', node.expression];
  if (TupleNode.is(node)) return ['a tuple', ...node.values];
  if (BinaryOperationNode.is(node)) {
    const word = operatorOf(node);
    return likeWithLike.test(word) ? [word] : [word, node.leftOperand, node.rightOperand];
  }
  if (!FunctionNode.is(node) && !AggregateFunctionNode.is(node)) return [''];
  const { func } = node;
  const operands = FunctionNode.is(node) ? node.arguments : node.aggregated;
  return typeKeeping.test(func) || func === 'count' ? [func] : [func, ...operands];
}

/** Functions whose result has the type of their arguments. */
const typeKeeping = /^(coalesce|nullif|min|max|sum|first_value|last_value|lag|lead)$/i;

/** Operators whose two sides have the same type. */
const likeWithLike =
  /^([=<>+-]|==|!=|<>|<=|>=|(not )?in|is( not)?( distinct from)?|between( symmetric)?)$/;

/** Only numbers: the difference of two times is not a time. */
function keepsType(node: OperationNode, { type }: ValueType): boolean {
  const isNumber = type === 'decimal' || type === 'bigint';
  if (BinaryOperationNode.is(node)) return isNumber && ['+', '-'].includes(operatorOf(node));
  return isNumber || !AggregateFunctionNode.is(node) || node.func !== 'sum';
}

function operatorOf({ operator }: BinaryOperationNode): string {
  return OperatorNode.is(operator) ? operator.operator : '';
}

function tableOf({ table }: ReferenceNode): string | undefined {
  return table?.table.identifier.name;
}

/** The name by which a column, a table or a selection is known; empty if it has none. */
export function nameOf(node: OperationNode): string {
  if (AliasNode.is(node)) return IdentifierNode.is(node.alias) ? node.alias.name : '';
  if (ReferenceNode.is(node)) return nameOf(node.column);
  if (ColumnNode.is(node)) return node.column.name;
  return TableNode.is(node) ? node.table.identifier.name : '';
}
