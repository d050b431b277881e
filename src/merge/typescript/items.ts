import { ts } from 'ts-morph';
import type { Item, ListRule, Node, Source, Span } from '../keyed/tree.ts';
import { tokensIn } from '../keyed/tree.ts';
import { identify } from './keys.ts';
import { bindsOf, leaves } from './names.ts';
import { commentsBefore, endOfLineComments, skipTrivia } from './trivia.ts';

export interface Context {
  readonly file: ts.SourceFile;
  readonly source: Source;
}

interface Contents {
  readonly elements: readonly ts.Node[];
  readonly rule: ListRule;
  readonly inner: Span;
  readonly buildNode: (context: Context, node: ts.Node, end: number) => Node;
}

/** The items of a list, each with its comments; comments that belong to none are items too. */
export function readItems(context: Context, { elements, rule, inner, buildNode }: Contents): Item[] {
  const { text } = context.source;
  const items: Item[] = [];
  let place = inner.start;
  for (const element of elements) {
    const core = { start: element.getStart(context.file), end: elementEnd(element, rule) };
    const { alone, attached } = commentsBefore(text, {
      span: { start: place, end: core.start },
      opens: place === inner.start,
      isHeader: place === 0 && inner.start === 0 && ts.isImportDeclaration(element),
    });
    const separator = separatorAfter(text, { end: core.end, rule, limit: inner.end });
    const end = endOfLineComments(text, { start: separator?.end ?? core.end, end: inner.end });
    items.push(...alone.map((span) => commentItem(context, span)), {
      ...identityOf(context, element, core),
      node: buildNode(context, element, core.end),
      full: { start: attached?.start ?? core.start, end },
      ...(separator && { separator }),
      binds: bindsOf(element),
      placed: isPlaced(element),
      leaves: leaves(element),
      unites: ts.isImportDeclaration(element),
    });
    place = end;
  }
  const rest = commentsBefore(text, {
    span: { start: place, end: inner.end },
    opens: place === inner.start,
    isHeader: false,
  });
  const last = [...rest.alone, ...(rest.attached ? [rest.attached] : [])];
  return [...items, ...last.map((span) => commentItem(context, span))];
}

function identityOf({ file, source }: Context, element: ts.Node, core: Span) {
  const words = (node: ts.Node) => {
    const end = node === element ? core.end : node.end;
    return tokensIn(source, { start: node.getStart(file), end }).join(' ');
  };
  return identify(element, words);
}

function commentItem({ source }: Context, span: Span): Item {
  const rest = { binds: [], placed: false, leaves: false, unites: false };
  const key = tokensIn(source, span).join(' ');
  return { key, node: { kind: 'leaf', ...span }, full: span, ...rest };
}

/** The compiler counts the separators of an interface to its members. */
function elementEnd(element: ts.Node, rule: ListRule): number {
  const last = element.getText().at(-1);
  return rule.separator === ';' && (last === ';' || last === ',') ? element.end - 1 : element.end;
}

interface After {
  readonly end: number;
  readonly rule: ListRule;
  readonly limit: number;
}

function separatorAfter(text: string, { end, rule, limit }: After): Span | undefined {
  if (rule.separator !== ',' && rule.separator !== ';') return undefined;
  const start = skipTrivia(text, end);
  const isThere = start < limit && (text[start] === ',' || text[start] === ';');
  return isThere ? { start, end: start + 1 } : undefined;
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
