import type { Labels, Merged, ThreeTexts } from './conflict.ts';
import { json } from './json/parse.ts';
import { mergeTrees } from './keyed/merge-trees.ts';

/** By key, with the order, the comments and the layout of mine; a value that both sides changed is a conflict. */
export function mergeJson(texts: ThreeTexts, labels: Labels): Merged | undefined {
  const [base, mine, theirs] = [texts.base, texts.mine, texts.theirs].map(json.parse);
  if (!base || !mine || !theirs) return undefined;
  return mergeTrees({ base, mine, theirs }, { language: json, labels, renames: new Map() });
}
