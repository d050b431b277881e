import { ts } from 'ts-morph';
import { withComments } from '../keyed/items.ts';
import type { Item, ListRule, Node, Source, Span } from '../keyed/tree.ts';
import { tokensIn } from '../keyed/tree.ts';
import { identify } from './keys.ts';
import { bindsOf, leaves } from './names.ts';

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

export function readItems(
  context: Context,
  { elements, rule, inner, buildNode }: Contents,
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
  return withComments(context.source, { elements: found, rule, inner });
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
