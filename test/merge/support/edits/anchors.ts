import { ts } from 'ts-morph';

/** A place in a file that an edit can find again in another version of the file. */
export interface Anchor {
  readonly path: string;
  readonly text: string;
}

export interface Found extends Anchor {
  readonly node: ts.Node;
  /** The one right above, up to the node. */
  readonly comment: string;
  readonly start: number;
  readonly end: number;
}

/** Statements, members and properties, each under a name that no other has. */
export function readAnchors(text: string): readonly Found[] {
  const known = recent.get(text);
  if (known) return known;
  const found = parseAnchors(text);
  if (recent.size > 500) recent.clear();
  recent.set(text, found);
  return found;
}

const recent = new Map<string, readonly Found[]>();

function parseAnchors(text: string): readonly Found[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const all: Found[] = [];
  const times = new Map<string, number>();
  const visit = (node: ts.Node, above: string): void => {
    const isNamed = isAnchor(node);
    const path = isNamed ? `${above} > ${head(node, file)}` : above;
    const [start, end] = [node.getStart(file), node.end];
    const comment = commentAbove.exec(text.slice(node.pos, start))?.[0] ?? '';
    if (isNamed) all.push({ path, text: text.slice(start, end), node, comment, start, end });
    if (isNamed) times.set(path, (times.get(path) ?? 0) + 1);
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(file, '');
  return all.filter(({ path }) => times.get(path) === 1);
}

const commentAbove = /(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/)\n[ \t]*$/;

export function findAnchor(text: string, { path }: Pick<Anchor, 'path'>): Found | undefined {
  return readAnchors(text).find((it) => it.path === path);
}

function isAnchor(node: ts.Node): boolean {
  return (
    (ts.isStatement(node) && !ts.isBlock(node)) ||
    ts.isTypeElement(node) ||
    ts.isClassElement(node) ||
    ts.isPropertyAssignment(node)
  );
}

function head(node: ts.Node, file: ts.SourceFile): string {
  const [line = ''] = node.getText(file).split('\n');
  if (ts.isImportDeclaration(node)) return `import ${node.moduleSpecifier.getText(file)}`;
  return /^[^,={:]*/.exec(line)?.[0].trim() ?? line;
}

export function isInBody({ node }: Found): boolean {
  return ts.isBlock(node.parent) && ts.isStatement(node);
}

export function isTopLevel({ node }: Found): boolean {
  return ts.isSourceFile(node.parent);
}
