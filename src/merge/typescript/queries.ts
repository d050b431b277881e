import { ts } from 'ts-morph';

/** Whether a selected column could take the place of another value of its query if its name changed. */
export function mayCollide(column: ts.StringLiteralLike, isName: (name: string) => boolean) {
  const query = queryAround(column);
  if (query === undefined) return false;
  const calls = listCalls(query);
  const others = selectedBy(calls).filter((it) => it !== column);
  const isWhole = calls.some(({ name }) => endsQuery.test(name)) && tablesOf(query).length > 0;
  return (
    (!isWhole && tablesOf(query).length !== 1) ||
    calls.some(({ name }) => selectsAll.test(name) || isElsewhere.test(name)) ||
    others.map(selectedName).some((name) => name === undefined || isName(name))
  );
}

function selectedBy(calls: ReturnType<typeof listCalls>): readonly ts.Node[] {
  const selecting = calls.filter(({ name }) => selects.test(name));
  return selecting.flatMap(({ call }) => call.arguments.flatMap(listValues));
}

const selects = /^(?:select|returning)$/;
const selectsAll = /^(?:select|returning)All$/;
const isElsewhere = /^\$(?:call|if)$/;

/** The chain of calls of which one selects this value, as far as it is in one place. */
function queryAround(value: ts.Node): ts.Node | undefined {
  let list = value.parent;
  while (ts.isArrayLiteralExpression(list) || ts.isArrowFunction(list)) list = list.parent;
  if (!ts.isCallExpression(list) || !selects.test(calledName(list))) return undefined;
  return wholeChain(list);
}

function wholeChain(call: ts.Node): ts.Node {
  let chain = call;
  while (isLink(chain.parent) && chain.parent.expression === chain) chain = chain.parent;
  return chain;
}

const isLink = (node: ts.Node) => ts.isCallExpression(node) || ts.isPropertyAccessExpression(node);

/** A table of a query, and what the query calls it. */
export interface NamedTable {
  readonly offset: number;
  readonly isRead: boolean;
  /** Empty for the rows of another query. */
  readonly table: string;
  readonly name: string | undefined;
}

/** The tables of each query that a value is an argument of, from the inside out. */
export function tablesAround(value: ts.Node): readonly (readonly NamedTable[])[] {
  const { parent } = value;
  if (ts.isSourceFile(parent)) return [];
  const outer = tablesAround(parent);
  const isArgument = ts.isCallExpression(parent) && parent.expression !== value;
  if (!isArgument || isBehindQuery(parent)) return outer;
  const own = tablesOf(wholeChain(parent));
  return own.length > 0 ? [own, ...outer] : outer;
}

/** Whether a call takes what a query has found: `.execute().then(…)`. */
const isBehindQuery = ({ expression }: ts.CallExpression) =>
  listCalls(expression).some(({ name }) => endsQuery.test(name));

const endsQuery = /^(?:execute|stream|as$)/;

function tablesOf(query: ts.Node): readonly NamedTable[] {
  const calls = listCalls(query);
  const made = calls
    .filter(({ name }) => name === 'with')
    .flatMap(({ call }) => call.arguments[0] ?? [])
    .map(selectedName);
  return calls
    .filter(({ name }) => addsTable.test(name))
    .flatMap(({ name, call }) =>
      call.arguments
        .slice(0, 1)
        .flatMap(listValues)
        .map((value) => {
          const [table = ''] = ts.isStringLiteralLike(value) ? value.text.split(/\s/) : [];
          const isRead = name === 'selectFrom' || name.endsWith('Join');
          return {
            offset: value.getStart(),
            isRead,
            table: made.includes(table) ? '' : table,
            name: selectedName(value),
          };
        }),
    );
}

const addsTable = /^(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|from|using|\w+Join)$/;

function listCalls(node: ts.Node): readonly { name: string; call: ts.CallExpression }[] {
  if (ts.isPropertyAccessExpression(node)) return listCalls(node.expression);
  if (!ts.isCallExpression(node)) return [];
  return [...listCalls(node.expression), { name: calledName(node), call: node }];
}

export function calledName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

function listValues(node: ts.Node): readonly ts.Node[] {
  if (ts.isArrowFunction(node)) return listValues(node.body);
  if (ts.isParenthesizedExpression(node)) return listValues(node.expression);
  return ts.isArrayLiteralExpression(node) ? node.elements.flatMap(listValues) : [node];
}

/** A query, as far as it is in one place. */
export interface Query {
  readonly text: string;
  /** The text of the function that it is in, or of another part of the file. */
  readonly around: string;
  readonly tables: readonly NamedTable[];
  /** Names of columns without their tables. */
  readonly bare: readonly {
    readonly offset: number;
    readonly column: string;
    /** Whether it may also name a selected value. */
    readonly isOrder: boolean;
  }[];
  /** Calls that take all columns: of these tables, or of all. */
  readonly takesAll: readonly { readonly offset: number; readonly of: readonly string[] }[];
  readonly selected: readonly {
    readonly offset: number;
    readonly text: string;
    readonly name: string | undefined;
  }[];
  /** Whether other functions may add to it. */
  readonly isOpen: boolean;
}

/** Every query of a file that starts or joins with a table. */
export function readQueries(path: string, text: string): readonly Query[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const queries: Query[] = [];
  const visit = (node: ts.Node, around: ts.Node): void => {
    if (ts.isCallExpression(node) && wholeChain(node) === node) {
      const query = readQuery(node, around);
      if (query.tables.length > 0) queries.push(query);
    }
    ts.forEachChild(node, (child) => visit(child, node === file ? child : around));
  };
  visit(file, file);
  return queries;
}

function readQuery(query: ts.CallExpression, around: ts.Node): Query {
  const calls = listCalls(query);
  const { parent } = query;
  return {
    text: query.getText(),
    around: around.getText(),
    tables: tablesOf(query),
    bare: listBareColumns(query),
    takesAll: calls
      .filter(({ name }) => selectsAll.test(name))
      .map(({ call }) => ({
        offset: call.expression.getEnd() - calledName(call).length,
        of: call.arguments.flatMap(listValues).flatMap((it) => selectedName(it) ?? []),
      })),
    selected: selectedBy(calls).map((it) => ({
      offset: it.getStart(),
      text: ts.isStringLiteralLike(it) ? it.text : '',
      name: selectedName(it),
    })),
    isOpen:
      calls.some(({ name }) => isElsewhere.test(name)) ||
      (ts.isCallExpression(parent) && ts.isIdentifier(parent.expression)),
  };
}

/** `'title'` in `where('title', '=', 'A')`, `orderBy('title desc')`, `where((is) => is('title', '=', 'A'))` */
function listBareColumns(query: ts.Node): Query['bare'] {
  const found: Query['bare'][number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const isInner = node !== query && wholeChain(node) === node && tablesOf(node).length > 0;
      if (isInner) return;
      if (isBehindQuery(node)) return visit(node.expression);
      const named = calledName(node).endsWith('Ref') ? node.arguments : node.arguments.slice(0, 1);
      const mayName = !namesNoColumn.test(calledName(node)) && isOfQuery(node, query);
      for (const value of mayName ? named.flatMap(listValues) : []) {
        const [, column] =
          /^(\w+)(?:\s+\w+)*$/.exec(ts.isStringLiteralLike(value) ? value.text : '') ?? [];
        if (column !== undefined)
          found.push({ offset: value.getStart(), column, isOrder: calledName(node) === 'orderBy' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(query);
  return found;
}

const namesNoColumn =
  /From|Join$|All$|^(?:with|insertInto|updateTable|mergeInto|using|from|as|set|val|lit|then|else|key|values|columns?)$/;

/** Whether a call is a link of a query, or of what the query gives to the functions in it, or of `db.fn`. */
function isOfQuery({ expression }: ts.CallExpression, query: ts.Node): boolean {
  if (expression.getStart() === query.getStart()) return true;
  const names = wordsOf(expression);
  const gives = (node: ts.Node) =>
    ts.isFunctionLike(node) && node.parameters.some((it) => wordsOf(it).includes(names[0] ?? ''));
  const giver = ts.findAncestor(expression, (it) => (it === query ? 'quit' : gives(it)));
  return names.includes('fn') || giver !== undefined;
}

const wordsOf = (node: ts.Node) => node.getText().split(/\W+/);

/** The name of a value: `'posts.title'`, `'title as heading'`, `sum('views').as('views')`. */
function selectedName(value: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(value)) return /\w+$/.exec(value.text)?.[0];
  if (!ts.isCallExpression(value) || calledName(value) !== 'as') return undefined;
  const [name] = value.arguments;
  return name && selectedName(name);
}
