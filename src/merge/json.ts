import type { Labels, Merged, ThreeTexts } from './conflict.ts';
import { parseJson } from './json/parse.ts';
import { mergeTrees } from './keyed/merge-trees.ts';

/** By key, with the order, the comments and the layout of mine; a value that both sides changed is a conflict. */
export function mergeJson(texts: ThreeTexts, labels: Labels): Merged | undefined {
  const [base, mine, theirs] = [
    parseJson(texts.base),
    parseJson(texts.mine),
    parseJson(texts.theirs),
  ];
  if (!base || !mine || !theirs) return undefined;
  return mergeTrees({ base, mine, theirs }, { parse: parseJson, labels, renames: new Map() });
}
