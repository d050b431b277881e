import { ts } from 'ts-morph';
import type { Language, Tree, OwnName, Span, Three } from '../keyed/tree.ts';
import { buildRoot } from './nodes.ts';
import { namesOf, isDeclaration, isMemberName } from './names.ts';
import { readTokens } from './tokens.ts';
import { applyEdits, renameUse, replaceNode, type Edit } from './rename-edits.ts';

export const typescript: Language = {
  parse(text): Tree | undefined {
    const file = readFile(text);
    if (!file) return undefined;
    const source = readTokens(file);
    return { source, root: buildRoot({ file, source }), names: namesOf(file) };
  },
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
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    // To us they are comments like any other.
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const file = ts.createSourceFile('file.ts', text, options, true);
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
  const files = { base: parse(base), mine: parse(mine), theirs: parse(theirs) };
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

function parse({ source }: Tree): ts.SourceFile {
  return ts.createSourceFile('file.ts', source.text, ts.ScriptTarget.Latest, true);
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
