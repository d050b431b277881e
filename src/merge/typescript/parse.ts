import { ts } from 'ts-morph';
import { type Language, noNames, type Tree } from '../keyed/tree.ts';
import { remember } from '../../remember.ts';
import { collectNames } from './names.ts';
import { withOwnerNames } from './owner-names.ts';
import { parseSourceFile } from './source-file.ts';
import { buildTree } from './build-tree.ts';

export const typescriptLanguage: Language = {
  parse: remember((text): Tree | undefined => {
    const file = parseFile(text);
    return file && { ...buildTree(file), names: collectNames(file) };
  }),
  readNames(text) {
    const file = parseFile(text);
    return file && collectNames(file);
  },
  respell(trees, names) {
    const { base, theirs } = withOwnerNames(trees, names);
    if (base === trees.base.source.text && theirs === trees.theirs.source.text) return undefined;
    const respelled = {
      base: typescriptLanguage.parse(base),
      theirs: typescriptLanguage.parse(theirs),
    };
    return respelled.base && respelled.theirs
      ? { base: respelled.base, ours: trees.ours, theirs: respelled.theirs }
      : undefined;
  },
};

/** JSON with comments and trailing commas. */
export const jsonLanguage: Language = {
  parse(text) {
    const { Latest } = ts.ScriptTarget;
    const file = ts.createSourceFile('file.json', text, Latest, true, ts.ScriptKind.JSON);
    return hasErrors(file) ? undefined : { ...buildTree(file), names: noNames };
  },
  readNames: (text) => jsonLanguage.parse(text)?.names,
};

function parseFile(text: string): ts.SourceFile | undefined {
  const file = parseSourceFile(text);
  return hasErrors(file) ? undefined : file;
}

/** Reads syntax errors from a property that the compiler does not publish. */
function hasErrors(file: ts.SourceFile): boolean {
  return (
    !('parseDiagnostics' in file) ||
    !Array.isArray(file.parseDiagnostics) ||
    file.parseDiagnostics.length > 0
  );
}
