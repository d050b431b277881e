import { ts } from 'ts-morph';
import { type Language, noNames, type Tree } from '../keyed/tree.ts';
import { treeOf } from './build-tree.ts';
import { hasErrors } from './parse.ts';

/** JSON, with comments and trailing commas. It declares no names. */
export const json: Language = {
  parse: parseJson,
  readNames: (text) => parseJson(text)?.names,
};

function parseJson(text: string): Tree | undefined {
  const file = ts.createSourceFile(
    'file.json',
    text,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JSON,
  );
  return hasErrors(file) ? undefined : { ...treeOf(file), names: noNames };
}
