import { ts } from 'ts-morph';
import type { Tree } from '../keyed/tree.ts';
import { buildRoot } from './nodes.ts';
import { namesOf } from './names.ts';
import { readTokens } from './tokens.ts';

/** The keyed tree of a TypeScript file; nothing when it does not parse. */
export function parseTypeScript(text: string): Tree | undefined {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  if (hasErrors(file)) return undefined;
  const source = readTokens(file);
  return { source, root: buildRoot({ file, source }), ...namesOf(file) };
}

/** The parser's own findings: a property that the compiler keeps for itself. */
function hasErrors(file: ts.SourceFile): boolean {
  return (
    !('parseDiagnostics' in file) ||
    !Array.isArray(file.parseDiagnostics) ||
    file.parseDiagnostics.length > 0
  );
}
