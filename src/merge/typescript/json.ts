import { ts } from 'ts-morph';
import type { Labels, Merged, ThreeTexts } from '../conflict.ts';
import { mergeTrees } from '../keyed/merge-trees.ts';
import type { Language, Names, Tree } from '../keyed/tree.ts';
import { hasErrors, treeOf } from './parse.ts';

/** By key, with the order, the comments and the layout of mine; a value that both sides changed is a conflict. */
export function mergeJson(texts: ThreeTexts, labels: Labels): Merged | undefined {
  const [base, mine, theirs] = [texts.base, texts.mine, texts.theirs].map(json.parse);
  if (!base || !mine || !theirs) return undefined;
  return mergeTrees({ base, mine, theirs }, { language: json, labels, renames: new Map() });
}

/** JSON, with comments and trailing commas. It declares no names. */
export const json: Language = {
  parse: parseJson,
  readNames: (text) => parseJson(text)?.names,
};

const names: Names = { bound: new Set(), used: new Set(), doubled: [] };

function parseJson(text: string): Tree | undefined {
  const file = ts.createSourceFile(
    'file.json',
    text,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JSON,
  );
  return hasErrors(file) ? undefined : { ...treeOf(file), names };
}
