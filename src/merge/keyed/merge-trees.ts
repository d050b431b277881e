import { mergeText } from '../text.ts';
import { isConflict, sideOf, type Stretch } from '../markers.ts';
import type { BrokenNames, Context, Disputed, MergedText, Reported } from './context.ts';
import { renameToken, type Renames } from './rename.ts';
import type { Language, OwnName, Three, Tree } from './tree.ts';
import { mergeNode } from './merge-node.ts';

interface Settings {
  readonly language: Language;
  readonly renames: Renames;
}

/**
 * Merges, and merges again with the names that the owner chose, and without breaking names that others still use.
 */
export function mergeTrees(trees: Three<Tree>, settings: Settings): readonly Stretch[] {
  const none = new Set<string>();
  const names = { lost: none, doubled: none, idle: none, disputed: [] };
  return mergeWhole(trees, settings, names) ?? mergeByLines(trees);
}

function mergeWhole(
  trees: Three<Tree>,
  settings: Settings,
  names: BrokenNames,
): readonly Stretch[] | undefined {
  const { merged, ownNames, disputed } = mergeOnce(trees, settings, names);
  const respelled = ownNames.length > 0 && settings.language.respell?.(trees, ownNames);
  if (respelled) return mergeWhole(respelled, settings, names);
  if (disputed.length > names.disputed.length)
    return mergeWhole(trees, settings, { ...names, disputed });
  const broken = merged && brokenNames(merged, trees, settings);
  if (!broken) return undefined;
  const isFirst = names.lost.size + names.doubled.size === 0;
  const { lost, doubled } = broken;
  // The merged code needs an import that the owner removed, or no longer needs one they kept: nobody has to decide.
  const missed = { lost: isFirst ? lost : new Set<string>(), idle: broken.idle };
  const mine = settings.language.repairImports?.(trees, missed);
  if (mine) return mergeWhole({ ...trees, mine }, settings, names);
  const idle = new Set([...names.idle, ...broken.idle]);
  if (idle.size > names.idle.size) return mergeWhole(trees, settings, { ...names, idle });
  return !isFirst || lost.size + doubled.size === 0
    ? merged
    : mergeWhole(trees, settings, { ...names, lost, doubled });
}

/** Always with a conflict: there is one, since the trees could not be merged. */
function mergeByLines({ base, mine, theirs }: Three<Tree>): readonly Stretch[] {
  const texts = { base: base.source.text, mine: mine.source.text, theirs: theirs.source.text };
  const stretches = mergeText(texts);
  return stretches.some(isConflict) ? stretches : [{ where: [], ...texts }];
}

function mergeOnce(trees: Three<Tree>, { renames }: Settings, names: BrokenNames) {
  const { base, mine, theirs } = trees;
  const ownNames: OwnName[] = [];
  const disputed: Disputed[] = [];
  const context: Context = {
    sources: { base: base.source, mine: mine.source, theirs: theirs.source },
    rename: renameToken(renames),
    declared: mine.names.bound,
    declaredByTheirs: theirs.names.bound,
    noteOwnNames: (found) => void ownNames.push(...found),
    noteDisputed: (found) => void disputed.push(...found),
    mergeNode,
    where: [],
    ...names,
  };
  const roots = { base: base.root, mine: mine.root, theirs: theirs.root };
  const merged = mergeNode(context, roots);
  return { merged: merged && stretchesOf(merged), ownNames, disputed };
}

/** A marked conflict brings its own line end. */
function stretchesOf(merged: MergedText): readonly Stretch[] {
  const all = merged.filter(isConflict);
  let isBehind = false;
  return merged.map((stretch) => {
    if (!isConflict(stretch)) {
      const text = isBehind ? stretch.replace(/^\n/, '') : stretch;
      isBehind &&= stretch === '';
      return text;
    }
    isBehind = true;
    const { declares: _, needs, ...conflict } = stretch;
    const decides = (it: Reported) => it.declares.some((name) => needs.includes(name));
    const waitsFor = all.findIndex(decides);
    return waitsFor < 0 ? conflict : { ...conflict, waitsFor };
  });
}

/**
 * Names that the merged file uses and no longer declares, declares twice, or declares for nothing; nothing when it does
 * not parse.
 */
function brokenNames(
  stretches: readonly Stretch[],
  trees: Three<Tree>,
  { language }: Settings,
): Omit<BrokenNames, 'disputed'> | undefined {
  const conflicts = stretches.filter(isConflict);
  const merged = language.readNames(sideOf(stretches, 'mine'));
  if (!merged) return undefined;
  if (conflicts.length > 0 && !language.readNames(sideOf(stretches, 'theirs'))) return undefined;
  const known = [trees.mine.names, trees.theirs.names];
  const isLost = (name: string) =>
    !merged.bound.has(name) &&
    known.some(({ bound }) => bound.has(name)) &&
    known.every(({ bound, used }) => bound.has(name) || !used.has(name));
  const { base, mine, theirs } = trees;
  const shown = conflicts.map((it) => it.mine).join('\n');
  const disputed = new Set(shown.match(/[\w$]+/g));
  const isIdle = (name: string) =>
    !merged.used.has(name) &&
    !disputed.has(name) &&
    base.names.used.has(name) &&
    base.names.bound.has(name) &&
    mine.names.bound.has(name) &&
    !theirs.names.bound.has(name);
  const before = new Set(known.flatMap(({ doubled }) => doubled));
  return {
    lost: new Set([...merged.used].filter(isLost)),
    doubled: new Set(merged.doubled.filter((name) => !before.has(name))),
    idle: new Set([...merged.bound].filter(isIdle)),
  };
}
