import { ts } from 'ts-morph';

/**
 * What a text says, whatever formatter ran over it: its syntax tree, with the comments where they stand, and imports
 * in the order of their names. Undefined when it does not parse.
 */
export function signatureOf(text: string): string | undefined {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  if ('parseDiagnostics' in file && Array.isArray(file.parseDiagnostics)) {
    if (file.parseDiagnostics.length > 0) return undefined;
  }
  let place = 0;
  const commentsUntil = (end: number): string[] => {
    const found = [...text.slice(place, end).matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g)];
    place = Math.max(place, end);
    return found.map(([comment]) => comment.replace(/\s*\n\s*/g, '\n').trimEnd());
  };
  const print = (node: ts.Node): string => {
    const inside: string[] = [];
    ts.forEachChild(node, (child) => void inside.push(print(child)));
    if (inside.length > 0) return `${node.kind}(${inOrder(node, inside).join(' ')})`;
    const before = commentsUntil(node.getStart(file)).join(' ');
    place = Math.max(place, node.end);
    return `${before}${node.kind}${ts.isStringLiteral(node) ? node.text : node.getText(file)}`;
  };
  const statements = file.statements.map(print);
  const isImport = (_: string, index: number) => {
    const statement = file.statements[index];
    return statement !== undefined && ts.isImportDeclaration(statement);
  };
  const imports = statements.filter(isImport).toSorted();
  const others = statements.filter((_, index) => !isImport('', index));
  return [...imports, ...others, ...commentsUntil(text.length)].join('\n');
}

function inOrder(node: ts.Node, inside: string[]): string[] {
  return ts.isNamedImports(node) ? inside.toSorted() : inside;
}
