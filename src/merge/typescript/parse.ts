import { ts } from 'ts-morph';
import {
  type Language,
  type Tree,
  type OwnName,
  type Span,
  type Three,
  type List,
  type ListRule,
  type Node,
  type Part,
  type Parts,
  type Item,
  type Source,
  tokensIn,
} from '../keyed/tree.ts';
import { skipTrivia, withComments } from '../keyed/trivia.ts';
import { remember } from '../remember.ts';
import { identify } from './keys.ts';
import { listRule, open } from './lists.ts';
import { namesOf, isDeclaration, isMemberName, bindsOf, leaves } from './names.ts';
import { applyEdits, renameUse, replaceNode, type Edit } from './rename-edits.ts';
import { sourceFileOf } from './source-file.ts';
import { readTokens, isWrapping } from './tokens.ts';

export const typescript: Language = {
  parse: remember((text): Tree | undefined => {
    const file = readFile(text);
    if (!file) return undefined;
    const source = readTokens(file);
    return { source, root: buildRoot({ file, source }), names: namesOf(file) };
  }),
  readNames(text) {
    const file = readFile(text);
    return file && namesOf(file);
  },
  respell(trees, names) {
    const { base, theirs } = withOwnNames(trees, names);
    if (base === trees.base.source.text && theirs === trees.theirs.source.text) return undefined;
    const respelled = { base: typescript.parse(base), theirs: typescript.parse(theirs) };
    return respelled.base && respelled.theirs
      ? { base: respelled.base, mine: trees.mine, theirs: respelled.theirs }
      : undefined;
  },
};

function readFile(text: string): ts.SourceFile | undefined {
  const file = sourceFileOf(text);
  return hasErrors(file) ? undefined : file;
}

/** The parser's own findings: a property that the compiler keeps for itself. */
function hasErrors(file: ts.SourceFile): boolean {
  return (
    !('parseDiagnostics' in file) ||
    !Array.isArray(file.parseDiagnostics) ||
    file.parseDiagnostics.length > 0
  );
}

/** Base and theirs with the names that the owner gave to what they declare, as far as nothing else has them there. */
function withOwnNames(
  { base, mine, theirs }: Three<Tree>,
  names: readonly OwnName[],
): Pick<Three<string>, 'base' | 'theirs'> {
  const files = {
    base: sourceFileOf(base.source.text),
    mine: sourceFileOf(mine.source.text),
    theirs: sourceFileOf(theirs.source.text),
  };
  const edits = { base: new Map<number, Edit>(), theirs: new Map<number, Edit>() };
  for (const { names: named, within } of names) {
    const find = (side: keyof Three<string>, name: string) =>
      identifiers(files[side], { name, within: within[side] });
    const uses = { base: find('base', named.base), theirs: find('theirs', named.theirs) };
    const isTaken =
      uses.base.filter(isDeclaration).length !== 1 ||
      uses.theirs.filter(isDeclaration).length > 1 ||
      find('mine', named.base).length > 0 ||
      [...find('base', named.mine), ...find('theirs', named.mine)].length > 0;
    if (isTaken) continue;
    for (const side of ['base', 'theirs'] as const)
      for (const use of uses[side]) edits[side].set(use.pos, renameLocal(use, named.mine));
  }
  return {
    base: applyEdits(base.source.text, [...edits.base.values()]),
    theirs: applyEdits(theirs.source.text, [...edits.theirs.values()]),
  };
}

/** Where a variable of a name is declared or used in a stretch of a file. */
function identifiers(
  file: ts.SourceFile,
  { name, within }: { readonly name: string; readonly within: Span },
): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (node.end <= within.start || node.pos >= within.end) return;
    if (ts.isIdentifier(node) && node.text === name) found.push(node);
    ts.forEachChild(node, (child) => {
      if (!isMemberName(child, node)) visit(child);
    });
  };
  visit(file);
  return found;
}

/** What it is a name for keeps its own: `{ title }` becomes `{ title: heading }`. */
function renameLocal(node: ts.Identifier, name: string): Edit {
  const { parent } = node;
  if (ts.isImportSpecifier(parent)) {
    const { text } = parent.propertyName ?? node;
    const start = (parent.propertyName ?? node).getStart();
    return { start, end: node.end, text: text === name ? name : `${text} as ${name}` };
  }
  const isShort =
    ts.isBindingElement(parent) &&
    ts.isObjectBindingPattern(parent.parent) &&
    !parent.propertyName &&
    !parent.dotDotDotToken &&
    parent.name === node;
  return isShort ? replaceNode(node, `${node.text}: ${name}`) : renameUse(node, name);
}

/** What lies below a node is read when a merge gets there: it seldom does. */
function buildRoot(context: Context): List {
  const { file } = context;
  const found = listRule(file, 'statements');
  const inner = { start: 0, end: file.text.length };
  const rule = found?.rule ?? { separator: '', order: 'fixed', byPlace: false, together: true };
  return listOf(context, file.statements, { rule, inner, scope: inner, ...inner });
}

function listOf(
  context: Context,
  elements: readonly ts.Node[],
  list: Pick<List, 'rule' | 'inner' | 'scope' | 'start' | 'end'>,
): List {
  const { rule, inner } = list;
  const items = once(() => readItems(context, elements, rule, inner));
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
      ? buildArray(context, node, role, child)
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

function buildArray(
  context: Context,
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
  const scope = scopeOf(role, { start: parent.getStart(context.file), end: parent.end });
  return listOf(context, array, { rule, inner, start, end, ...scope });
}

function scopeOf(role: string, scope: Span): Pick<List, 'scope'> {
  return role === 'statements' || role === 'parameters' ? { scope } : {};
}

interface Context {
  readonly file: ts.SourceFile;
  readonly source: Source;
}

function readItems(
  context: Context,
  elements: readonly ts.Node[],
  rule: ListRule,
  inner: Span,
): Item[] {
  const found = elements.map((element) => {
    const node = buildNode(context, element, elementEnd(element, rule));
    return {
      ...identityOf(context, element, node),
      node,
      binds: bindsOf(element),
      placed: isPlaced(element),
      leaves: () => leaves(element),
      unites: ts.isImportDeclaration(element),
      isHeaded: ts.isImportDeclaration(element),
    };
  });
  return withComments(context.source, found, rule, inner);
}

function identityOf({ file, source }: Context, element: ts.Node, core: Span) {
  const words = (node: ts.Node) => {
    const end = node === element ? core.end : node.end;
    return tokensIn(source, { start: node.getStart(file), end }).join(' ');
  };
  return identify(element, words);
}

/** The compiler counts the separators of an interface to its members. */
function elementEnd(element: ts.Node, rule: ListRule): number {
  const last = element.getText().at(-1);
  return rule.separator === ';' && (last === ';' || last === ',') ? element.end - 1 : element.end;
}

/** Imports, types and functions are there wherever they are written. */
function isPlaced(element: ts.Node): boolean {
  return !(
    ts.isImportDeclaration(element) ||
    ts.isExportDeclaration(element) ||
    ts.isFunctionDeclaration(element) ||
    ts.isInterfaceDeclaration(element) ||
    ts.isTypeAliasDeclaration(element) ||
    ts.isModuleDeclaration(element)
  );
}
