import { ts } from 'ts-morph';
import {
  type Tree,
  type Span,
  type List,
  type ListRule,
  type Node,
  type Part,
  type Item,
  type Source,
  unnamedItem,
} from '../keyed/tree.ts';
import { tokensIn } from '../keyed/source-tokens.ts';
import { skipTrivia, withComments } from '../keyed/trivia.ts';
import { listChainedCalls, identify, identifyLink, findReceiver, type WordsOf } from './keys.ts';
import {
  brackets,
  chainRule,
  mergedInside,
  listRule,
  isMergedByParts,
  statements,
} from './lists.ts';
import { isWhole } from './policy.ts';
import { listBindings, isOrdered, mayExit } from './names.ts';
import { readTokens, isParenthesized } from './tokens.ts';
import { calleeName, listChildren, isArray, elementEnd } from './children.ts';
import { lazyList, once } from './lazy-list.ts';

export function buildTree(file: ts.SourceFile): Omit<Tree, 'names'> {
  const source = readTokens(file);
  return { source, root: buildRoot({ file, source }) };
}

function buildRoot(context: TreeContext): List {
  const { file } = context;
  const inner = { start: 0, end: file.text.length };
  const [json] = file.statements;
  if (file.fileName.endsWith('.json') && json && ts.isExpressionStatement(json))
    return buildList(context, [json.expression], {
      rule: { ...statements, byPosition: true },
      inner,
      ...inner,
    });
  return buildList(context, file.statements, { rule: statements, inner, scope: inner, ...inner });
}

/** Reads children only when a merge needs them. */
function buildList(
  context: TreeContext,
  elements: readonly ts.Node[],
  list: Omit<List, 'kind' | 'items'>,
): List {
  return lazyList(list, () => readItems(context, elements, list.rule, list.inner));
}

/** `end` excludes a separator that the compiler counts as part of the node. */
function buildNode(context: TreeContext, node: ts.Node, end = node.end): Node {
  const start = node.getStart(context.file);
  if (!isMergedByParts(node)) return { kind: 'leaf', start, end };
  const calls = listChainedCalls(node);
  if (calls.length > 1) return buildChain(context, calls);
  const parts = once(() => readParts(context, node, { start, end }));
  const [only] = brackets.has(node.kind) ? parts() : [];
  if (only?.node.kind === 'list' && only.node.start === start && only.node.end === end)
    return only.node;
  return {
    kind: 'parts',
    type: ts.SyntaxKind[node.kind],
    ...calleeName(node),
    isWhole: isWhole(node),
    ...(calls.length === 1 && { chain: buildChain(context, calls) }),
    start,
    end,
    get parts() {
      return parts();
    },
  };
}

/** Each call of a chain is an item: `open`, `.selectFrom('posts')`, `.where(…)`, `.execute()`. */
function buildChain(context: TreeContext, calls: readonly ts.CallExpression[]): List {
  const { file, source } = context;
  const words = tokenReader(context);
  const [first] = calls;
  const span = { start: first?.getStart(file) ?? 0, end: calls.at(-1)?.end ?? 0 };
  const name = first && { name: words(first.expression).join(' ') };
  return lazyList({ rule: chainRule, ...name, inner: span, ...span }, () => {
    const objects = calls.map(findReceiver);
    const links = calls.flatMap((call, index) => {
      const object = objects[index];
      if (!object) return [{ key: headKey, node: buildNode(context, call) }];
      const link = {
        ...identifyLink(call, object, words),
        node: buildChainLink(context, call, object.end),
      };
      return index === 0 ? [{ key: headKey, node: buildNode(context, object) }, link] : [link];
    });
    return withComments(
      source,
      links.map((it) => ({ ...unnamedItem, isOrdered: true, ...it })),
      chainRule,
      span,
    );
  });
}

const headKey = { kind: 'head', name: [] } as const;

/** A call of a chain. `.where('id', '=', id)` is merged as a whole; the object of `.set({ … })` is merged inside. */
function buildChainLink(context: TreeContext, call: ts.CallExpression, after: number): Node {
  const span = { start: skipTrivia(context.source.text, after), end: call.end };
  const { arguments: given } = call;
  if (given.length > 1 && !given.some(({ kind }) => mergedInside.has(kind)))
    return { kind: 'leaf', ...span };
  return {
    kind: 'parts',
    type: 'link',
    ...calleeName(call),
    ...span,
    parts: readParts(context, call, span),
  };
}

/** The children of a node by their property names, with the text between them. */
function readParts(context: TreeContext, node: ts.Node, span: Span): Part[] {
  const parts: Part[] = [];
  let offset = span.start;
  for (const [role, child] of listChildren(node)) {
    const built = isArray(child)
      ? buildArray(context, node, role, child)
      : buildNode(context, isParenthesized(child) ? child.expression : child);
    if (!built || built.start < offset || built.end > span.end) continue;
    parts.push({ role, gap: { start: offset, end: built.start }, node: built });
    offset = built.end;
  }
  if (offset < span.end) {
    const rest = { start: offset, end: span.end };
    parts.push({
      role: 'end',
      gap: { start: offset, end: offset },
      node: { kind: 'leaf', ...rest },
    });
  }
  return parts;
}

function buildArray(
  context: TreeContext,
  parent: ts.Node,
  role: string,
  array: ts.NodeArray<ts.Node>,
): Node | undefined {
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
  const scope = chooseScope(role, { start: parent.getStart(context.file), end: parent.end });
  const isBare = !bracketed && role === 'parameters';
  return buildList(context, array, {
    rule,
    inner,
    isBare,
    isWhole: isWhole(parent),
    start,
    end,
    ...scope,
  });
}

function chooseScope(role: string, scope: Span): Pick<List, 'scope'> {
  return role === 'statements' || role === 'parameters' ? { scope } : {};
}

interface TreeContext {
  readonly file: ts.SourceFile;
  readonly source: Source;
}

function readItems(
  context: TreeContext,
  elements: readonly ts.Node[],
  rule: ListRule,
  inner: Span,
): Item[] {
  const found = elements.map((element) => {
    const node = buildNode(context, element, elementEnd(element, rule));
    return {
      ...identify(element, tokenReader(context, element, node.end)),
      node,
      bindings: listBindings(element),
      isOrdered: isOrdered(element),
      mayExit: () => mayExit(element),
      isImport: ts.isImportDeclaration(element),
    };
  });
  return withComments(context.source, found, rule, inner);
}

/** Reads the tokens of nodes, without the separator after `element`. */
function tokenReader({ file, source }: TreeContext, element?: ts.Node, end = 0): WordsOf {
  return (node) => {
    const span = { start: node.getStart(file), end: node === element ? end : node.end };
    return tokensIn(source, span);
  };
}
