import type { ThreeTexts } from '../conflict.ts';
import type { Stretch } from '../markers.ts';
import { mergeTrees } from '../keyed/merge-trees.ts';
import { renameToken, type Renames } from '../keyed/rename.ts';
import type { Three, Tree } from '../keyed/tree.ts';
import { repairImports } from './needed-imports.ts';
import { withNewNames } from './own-names.ts';
import { typescript } from './parse.ts';
import { restyle, styleOf } from './style.ts';
import { inFormsOf } from './own-forms.ts';

/** Merges three versions of a TypeScript file; undefined if one of them, or the result, does not parse. */
export function mergeTypeScript(
  texts: ThreeTexts,
  renames: Renames,
): readonly Stretch[] | undefined {
  const mine = typescript.parse(texts.mine);
  const formerly = renameToken(new Map([...renames].map(([from, to]) => [to, from])));
  const base = mine && inStyleOf(mine, texts, 'base', (it) => it);
  const theirs = mine && inStyleOf(mine, texts, 'theirs', formerly);
  if (!mine || !base || !theirs) return undefined;
  const language = { ...typescript, repairImports };
  const trees =
    renames.size === 0 ? { base, mine, theirs } : inNewNames({ base, mine, theirs }, renames);
  return mergeTrees(trees, { language, renames });
}

function inNewNames(trees: Three<Tree>, renames: Renames): Three<Tree> {
  const { base, mine } = withNewNames(trees, renameToken(renames));
  const respelled = { base: typescript.parse(base), mine: typescript.parse(mine) };
  return { ...trees, base: respelled.base ?? trees.base, mine: respelled.mine ?? trees.mine };
}

/** A text of ours as the user's file would have it. */
function inStyleOf(
  { source }: Tree,
  texts: ThreeTexts,
  side: 'base' | 'theirs',
  formerly: (token: string) => string,
): Tree | undefined {
  const tree = typescript.parse(inFormsOf(texts, side, formerly));
  if (!tree) return undefined;
  const styled = restyle(tree.source, styleOf(tree.source), styleOf(source));
  return styled === tree.source.text ? tree : typescript.parse(styled);
}
