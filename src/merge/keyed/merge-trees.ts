import type { Labels, Merged } from '../conflict.ts';
import { mergeText } from '../text.ts';
import { printStretches, takeSide, type OpenConflict, type Stretch } from '../markers.ts';
import type { Context, Three } from './context.ts';
import { mergeNode } from './node.ts';
import { renameToken, type Renames } from './rename.ts';
import type { List, Tree } from './tree.ts';

interface Settings {
  readonly parse: (text: string) => Tree | undefined;
  readonly labels: Labels;
  readonly renames: Renames;
}

/** Merges; and once more, with care for the names that the first merge took from under others. */
export function mergeTrees(trees: Three<Tree>, settings: Settings): Merged {
  const first = mergeOnce(trees, settings, { lost: new Set(), doubled: new Set() });
  const names = first && brokenNames(first, trees, settings);
  const isSound = names?.lost.size === 0 && names.doubled.size === 0;
  const merged = isSound || !names ? first : mergeOnce(trees, settings, names);
  const isWhole = merged && brokenNames(merged, trees, settings);
  return printStretches(isWhole ? merged : mergeByLines(trees), settings.labels);
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

function mergeOnce(
  trees: Three<Tree>,
  { renames }: Settings,
  names: BrokenNames,
): Stretch[] | undefined {
  const { base, mine, theirs } = trees;
  const conflicts: OpenConflict[] = [];
  const context: Context = {
    sources: { base: base.source, mine: mine.source, theirs: theirs.source },
    rename: renameToken(renames),
    mergeNode,
    report: (conflict) => `\0${conflicts.push(conflict) - 1}\0`,
    ...names,
  };
  const roots = { base: base.root, mine: mine.root, theirs: theirs.root };
  const text = mergeNode(context, roots, '');
  return text?.split(/\0(\d+)\0\n?/).map((part, index) => {
    return index % 2 === 0 ? part : (conflicts[Number(part)] ?? '');
  });
}

/** Names that the merged file uses and no longer declares, or declares twice; nothing when it does not parse. */
function brokenNames(
  stretches: readonly Stretch[],
  trees: Three<Tree>,
  { parse, labels }: Settings,
): BrokenNames | undefined {
  const { text } = printStretches(stretches, labels);
  const merged = parse(takeSide(text, 'mine'));
  if (!merged || !parse(takeSide(text, 'theirs'))) return undefined;
  const { mine, theirs } = trees;
  const known = [mine, theirs];
  const isLost = (name: string) =>
    !merged.bound.has(name) &&
    known.some(({ bound }) => bound.has(name)) &&
    known.every(({ bound, used }) => bound.has(name) || !used.has(name));
  const lost = [...merged.used].filter(isLost);
  const before = new Set(known.flatMap(({ root }) => doubles(root)));
  const doubled = doubles(merged.root).filter((name) => !before.has(name));
  return { lost: new Set(lost), doubled: new Set(doubled) };
}

/** Names that one list declares twice. */
function doubles({ items }: List): string[] {
  const names = items.flatMap(({ binds }) => binds);
  return names.filter((name, index) => names.indexOf(name) !== index);
}
