import type { Labels, Merged } from '../conflict.ts';
import { mergeText } from '../text.ts';
import { printStretches, takeSide, type OpenConflict, type Stretch } from '../markers.ts';
import type { Context } from './context.ts';
import { mergeNode } from './node.ts';
import { renameToken, type Renames } from './rename.ts';
import type { Language, OwnName, Three, Tree } from './tree.ts';

interface Settings {
  readonly language: Language;
  readonly labels: Labels;
  readonly renames: Renames;
}

/**
 * Merges; and again, with the names that the owner chose for what was made, and with care for those that a merge took
 * from under others.
 */
export function mergeTrees(trees: Three<Tree>, settings: Settings): Merged {
  const merged = mergeWhole(trees, settings, { lost: new Set(), doubled: new Set() });
  return printStretches(merged ?? mergeByLines(trees), settings.labels);
}

function mergeWhole(
  trees: Three<Tree>,
  settings: Settings,
  names: BrokenNames,
): Stretch[] | undefined {
  const { merged, ownNames } = mergeOnce(trees, settings, names);
  const respelled = ownNames.length > 0 && settings.language.respell?.(trees, ownNames);
  if (respelled) return mergeWhole(respelled, settings, names);
  const broken = merged && brokenNames(merged, trees, settings);
  const isFirst = names.lost.size + names.doubled.size === 0;
  if (!broken || !isFirst || broken.lost.size + broken.doubled.size === 0) return broken && merged;
  return mergeWhole(trees, settings, broken);
}

/** Never without a conflict: that the trees could not be merged says that there is one. */
function mergeByLines({ base, mine, theirs }: Three<Tree>): Stretch[] {
  const texts = { base: base.source.text, mine: mine.source.text, theirs: theirs.source.text };
  const stretches = mergeText(texts);
  return stretches.every((it) => typeof it === 'string') ? [{ where: '', ...texts }] : stretches;
}

interface BrokenNames {
  readonly lost: ReadonlySet<string>;
  readonly doubled: ReadonlySet<string>;
}

interface Once {
  readonly merged: Stretch[] | undefined;
  readonly ownNames: readonly OwnName[];
}

function mergeOnce(trees: Three<Tree>, { renames }: Settings, names: BrokenNames): Once {
  const { base, mine, theirs } = trees;
  const conflicts: OpenConflict[] = [];
  const ownNames: OwnName[] = [];
  const context: Context = {
    sources: { base: base.source, mine: mine.source, theirs: theirs.source },
    rename: renameToken(renames),
    noteOwnNames: (found) => void ownNames.push(...found),
    mergeNode,
    report: (conflict) => `\0${conflicts.push(conflict) - 1}\0`,
    ...names,
  };
  const roots = { base: base.root, mine: mine.root, theirs: theirs.root };
  const text = mergeNode(context, roots, '');
  const merged = text?.split(/\0(\d+)\0\n?/).map((part, index) => {
    return index % 2 === 0 ? part : (conflicts[Number(part)] ?? '');
  });
  return { merged, ownNames };
}

/** Names that the merged file uses and no longer declares, or declares twice; nothing when it does not parse. */
function brokenNames(
  stretches: readonly Stretch[],
  trees: Three<Tree>,
  { language, labels }: Settings,
): BrokenNames | undefined {
  const { text, conflicts } = printStretches(stretches, labels);
  const merged = language.readNames(takeSide(text, 'mine'));
  if (!merged) return undefined;
  if (conflicts.length > 0 && !language.readNames(takeSide(text, 'theirs'))) return undefined;
  const known = [trees.mine.names, trees.theirs.names];
  const isLost = (name: string) =>
    !merged.bound.has(name) &&
    known.some(({ bound }) => bound.has(name)) &&
    known.every(({ bound, used }) => bound.has(name) || !used.has(name));
  const before = new Set(known.flatMap(({ doubled }) => doubled));
  return {
    lost: new Set([...merged.used].filter(isLost)),
    doubled: new Set(merged.doubled.filter((name) => !before.has(name))),
  };
}
