import type { ThreeTexts } from '../conflict.ts';
import type { Chunk } from '../markers.ts';
import { mergeTrees } from '../keyed/merge-trees.ts';
import { renameToken, type Renames } from '../keyed/rename.ts';
import type { Three, Tree } from '../keyed/tree.ts';
import { repairImports } from './needed-imports.ts';
import { withNewNames } from './owner-names.ts';
import { typescriptLanguage } from './parse.ts';
import { restyle, measureStyle } from './style.ts';
import { inOwnerForms } from './owner-forms.ts';

/** Merges three versions of a TypeScript file; undefined if one of them or the result has syntax errors. */
export function mergeTypeScript(texts: ThreeTexts, renames: Renames): readonly Chunk[] | undefined {
  const ours = typescriptLanguage.parse(texts.ours);
  const formerName = renameToken(new Map([...renames].map(([from, to]) => [to, from])));
  const base = ours && inStyleOf(ours, texts, 'base');
  const theirs = ours && inStyleOf(ours, texts, 'theirs', formerName);
  if (!ours || !base || !theirs) return undefined;
  const language = { ...typescriptLanguage, repairImports };
  const trees =
    renames.size === 0 ? { base, ours, theirs } : inNewNames({ base, ours, theirs }, renames);
  return mergeTrees(trees, { language, renames });
}

function inNewNames(trees: Three<Tree>, renames: Renames): Three<Tree> {
  const { base, ours } = withNewNames(trees, renameToken(renames));
  const respelled = { base: typescriptLanguage.parse(base), ours: typescriptLanguage.parse(ours) };
  return { ...trees, base: respelled.base ?? trees.base, ours: respelled.ours ?? trees.ours };
}

/** A text of scaffold's in the style of the owner's file. */
function inStyleOf(
  { source }: Tree,
  texts: ThreeTexts,
  side: 'base' | 'theirs',
  formerName?: (token: string) => string,
): Tree | undefined {
  const tree = typescriptLanguage.parse(inOwnerForms(texts, side, formerName));
  if (!tree) return undefined;
  const styled = restyle(tree.source, measureStyle(tree.source), measureStyle(source));
  return styled === tree.source.text ? tree : typescriptLanguage.parse(styled);
}
