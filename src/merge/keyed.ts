import type { Labels, Merged, ThreeTexts } from './conflict.ts';
import { mergeTrees } from './keyed/merge-trees.ts';
import type { Renames } from './keyed/rename.ts';
import type { Tree } from './keyed/tree.ts';
import { typescript } from './typescript/parse.ts';
import { restyle, styleOf } from './typescript/style.ts';

/** Three versions of a TypeScript file; nothing when one of them, or what comes out, does not parse. */
export function mergeTypeScript(
  texts: ThreeTexts,
  labels: Labels,
  renames: Renames,
): Merged | undefined {
  const mine = typescript.parse(texts.mine);
  const base = mine && inStyleOf(mine, texts.base);
  const theirs = mine && inStyleOf(mine, texts.theirs);
  if (!mine || !base || !theirs) return undefined;
  return mergeTrees({ base, mine, theirs }, { language: typescript, labels, renames });
}

/** A text of ours as the user's file would have it. */
function inStyleOf({ source }: Tree, text: string): Tree | undefined {
  const tree = typescript.parse(text);
  if (!tree) return undefined;
  const styled = restyle(tree.source, styleOf(tree.source), styleOf(source));
  return styled === text ? tree : typescript.parse(styled);
}
