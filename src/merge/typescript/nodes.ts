import { ts } from 'ts-morph';
import type { List, ListRule, Node, Part, Parts, Span } from '../keyed/tree.ts';
import { skipTrivia } from '../keyed/trivia.ts';
import { readItems, type Context } from './items.ts';
import { listRule, open } from './lists.ts';
import { isWrapping } from './tokens.ts';

/** What lies below a node is read when a merge gets there: it seldom does. */
export function buildRoot(context: Context): List {
  const { file } = context;
  const found = listRule(file, 'statements');
  const inner = { start: 0, end: file.text.length };
  const rule = found?.rule ?? { separator: '', order: 'fixed', byPlace: false, together: true };
  return listOf(context, { elements: file.statements, rule, inner, scope: inner, ...inner });
}

interface Contents extends Span {
  readonly elements: readonly ts.Node[];
  readonly rule: ListRule;
  readonly inner: Span;
  readonly scope?: Span;
}

function listOf(context: Context, { elements, ...list }: Contents): List {
  const { rule, inner } = list;
  const items = once(() => readItems(context, { elements, rule, inner, buildNode }));
  return {
    kind: 'list',
    ...list,
    get items() {
      return items();
    },
  };
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}

/** `end` leaves a separator out that the compiler counts as part of the node. */
function buildNode(context: Context, node: ts.Node, end = node.end): Node {
  const start = node.getStart(context.file);
  if (!open.has(node.kind)) return { kind: 'leaf', start, end };
  const parts = once(() => readParts(context, node, { start, end }));
  const [only] = brackets.has(node.kind) ? parts() : [];
  if (only?.node.kind === 'list' && covers(only.node, { start, end })) return only.node;
  return {
    kind: 'parts',
    type: ts.SyntaxKind[node.kind],
    ...nameOf(node),
    start,
    end,
    get parts() {
      return parts();
    },
  };
}

function nameOf(node: ts.Node): Pick<Parts, 'name'> {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return {};
  const { expression } = node;
  if (ts.isIdentifier(expression)) return { name: expression.text };
  return ts.isPropertyAccessExpression(expression) ? { name: expression.name.text } : {};
}

/** Nodes that are nothing but a list. */
const brackets: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Block,
  ts.SyntaxKind.ModuleBlock,
  ts.SyntaxKind.CaseBlock,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.NamedImports,
  ts.SyntaxKind.NamedExports,
  ts.SyntaxKind.TypeLiteral,
  ts.SyntaxKind.UnionType,
  ts.SyntaxKind.ObjectBindingPattern,
]);

function covers(node: Node, { start, end }: Span): boolean {
  return node.start === start && node.end === end;
}

/** The children by their names in the syntax tree, and what stands between them. */
function readParts(context: Context, node: ts.Node, span: Span): Part[] {
  const parts: Part[] = [];
  let place = span.start;
  for (const [role, child] of children(node)) {
    const built = isArray(child)
      ? buildArray(context, { parent: node, role, array: child })
      : buildNode(context, isWrapping(child) ? child.expression : child);
    if (!built || built.start < place || built.end > span.end) continue;
    parts.push({ role, gap: { start: place, end: built.start }, node: built });
    place = built.end;
  }
  if (place < span.end) {
    const rest = { start: place, end: span.end };
    parts.push({ role: 'end', gap: { start: place, end: place }, node: { kind: 'leaf', ...rest } });
  }
  return parts;
}

type Child = ts.Node | ts.NodeArray<ts.Node>;

function children(node: ts.Node): [string, Child][] {
  const found: [string, Child][] = [];
  const entries = Object.entries(node);
  const add = (child: Child): void => {
    const role = entries.find(([, value]) => value === child)?.[0];
    if (role) found.push([role, child]);
  };
  ts.forEachChild(node, add, add);
  return found.filter(([, child]) => child.end > child.pos || isArray(child));
}

function isArray(child: Child): child is ts.NodeArray<ts.Node> {
  return !('kind' in child);
}

interface Place {
  readonly parent: ts.Node;
  readonly role: string;
  readonly array: ts.NodeArray<ts.Node>;
}

function buildArray(context: Context, { parent, role, array }: Place): Node | undefined {
  const found = listRule(parent, role);
  const [first] = array;
  if (!found) {
    const start = first?.getStart(context.file);
    return start === undefined ? undefined : { kind: 'leaf', start, end: array.end };
  }
  const { rule, bracketed } = found;
  if (!bracketed && !first) return undefined;
  const start = bracketed ? array.pos - 1 : (first?.getStart(context.file) ?? array.pos);
  const end = bracketed ? skipTrivia(context.source.text, array.end) + 1 : array.end;
  const inner = bracketed ? { start: start + 1, end: end - 1 } : { start, end };
  const scope = scopeOf(role, { start: parent.getStart(context.file), end: parent.end });
  return listOf(context, { elements: array, rule, inner, start, end, ...scope });
}

function scopeOf(role: string, scope: Span): Pick<List, 'scope'> {
  return role === 'statements' || role === 'parameters' ? { scope } : {};
}
