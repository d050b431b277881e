import { mergeText } from '../text.ts';
import { isConflict, textOfSide, type Chunk } from '../markers.ts';
import type { BrokenNames, Context, NameInConflict, MergedText, NamedConflict } from './context.ts';
import { renameToken, type Renames } from './rename.ts';
import type { Language, OwnerRename, Three, Tree } from './tree.ts';
import { mergeNode } from './merge-node.ts';

const none: ReadonlySet<string> = new Set();

interface Settings {
  readonly language: Language;
  readonly renames: Renames;
}

/** Merges again until the result has the names that the owner chose and needs no further repair. */
export function mergeTrees(trees: Three<Tree>, settings: Settings): readonly Chunk[] {
  const names = { undeclared: none, declaredTwice: none, unneeded: none, inConflict: [] };
  return mergeRepeatedly(trees, settings, names) ?? mergeByLines(trees);
}

function mergeRepeatedly(
  trees: Three<Tree>,
  settings: Settings,
  names: BrokenNames,
): readonly Chunk[] | undefined {
  const { merged, ownerRenames, inConflict } = mergeOnce(trees, settings, names);
  const respelled = ownerRenames.length > 0 && settings.language.respell?.(trees, ownerRenames);
  if (respelled) return mergeRepeatedly(respelled, settings, names);
  if (inConflict.length > names.inConflict.length)
    return mergeRepeatedly(trees, settings, { ...names, inConflict });
  const broken = merged && findBrokenNames(merged, trees, settings);
  if (!broken) return undefined;
  const isFirst = names.undeclared.size + names.declaredTwice.size === 0;
  const { undeclared, declaredTwice } = broken;
  // The merged code needs an import that the owner removed, or no longer needs one that they kept.
  const repaired = { undeclared: isFirst ? undeclared : none, unneeded: broken.unneeded };
  const ours = settings.language.repairImports?.(trees, repaired);
  if (ours) return mergeRepeatedly({ ...trees, ours }, settings, names);
  const unneeded = new Set([...names.unneeded, ...broken.unneeded]);
  if (unneeded.size > names.unneeded.size)
    return mergeRepeatedly(trees, settings, { ...names, unneeded });
  return !isFirst || undeclared.size + declaredTwice.size === 0
    ? merged
    : mergeRepeatedly(trees, settings, { ...names, undeclared, declaredTwice });
}

/** The trees could not be merged, so the result always has a conflict. */
function mergeByLines({ base, ours, theirs }: Three<Tree>): readonly Chunk[] {
  const texts = { base: base.source.text, ours: ours.source.text, theirs: theirs.source.text };
  const chunks = mergeText(texts);
  return chunks.some(isConflict) ? chunks : [{ where: [], ...texts }];
}

function mergeOnce(trees: Three<Tree>, { renames }: Settings, names: BrokenNames) {
  const { base, ours, theirs } = trees;
  const ownerRenames: OwnerRename[] = [];
  const inConflict: NameInConflict[] = [];
  const context: Context = {
    sources: { base: base.source, ours: ours.source, theirs: theirs.source },
    rename: renameToken(renames),
    declared: ours.names.declared,
    declaredByTheirs: theirs.names.declared,
    noteOwnerRenames: (found) => void ownerRenames.push(...found),
    noteInConflict: (found) => void inConflict.push(...found),
    mergeNode,
    where: [],
    ...names,
  };
  const roots = { base: base.root, ours: ours.root, theirs: theirs.root };
  const merged = mergeNode(context, roots);
  return { merged: merged && joinChunks(merged), ownerRenames, inConflict };
}

/** Drops the line end after each conflict, since its markers have one. */
function joinChunks(merged: MergedText): readonly Chunk[] {
  const all = merged.filter(isConflict);
  let isBehind = false;
  return merged.map((chunk) => {
    if (!isConflict(chunk)) {
      const text = isBehind ? chunk.replace(/^\n/, '') : chunk;
      isBehind &&= chunk === '';
      return text;
    }
    isBehind = true;
    const { declares: _, needs, ...conflict } = chunk;
    const decides = (it: NamedConflict) => it.declares.some((name) => needs.includes(name));
    const waitsFor = all.findIndex(decides);
    return waitsFor < 0 ? conflict : { ...conflict, waitsFor };
  });
}

/** Names that the result leaves undeclared, declares twice or no longer needs; undefined if it does not parse. */
function findBrokenNames(
  chunks: readonly Chunk[],
  trees: Three<Tree>,
  { language }: Settings,
): Omit<BrokenNames, 'inConflict'> | undefined {
  const conflicts = chunks.filter(isConflict);
  const merged = language.readNames(textOfSide(chunks, 'ours'));
  if (!merged) return undefined;
  if (conflicts.length > 0 && !language.readNames(textOfSide(chunks, 'theirs'))) return undefined;
  const known = [trees.ours.names, trees.theirs.names];
  const isLost = (name: string) =>
    !merged.declared.has(name) &&
    known.some(({ declared }) => declared.has(name)) &&
    known.every(({ declared, used }) => declared.has(name) || !used.has(name));
  const { base, ours, theirs } = trees;
  const shown = conflicts.map((it) => it.ours).join('\n');
  const inConflict = new Set(shown.match(/[\w$]+/g));
  const isIdle = (name: string) =>
    !merged.used.has(name) &&
    !inConflict.has(name) &&
    base.names.used.has(name) &&
    base.names.declared.has(name) &&
    ours.names.declared.has(name) &&
    !theirs.names.declared.has(name);
  const before = new Set(known.flatMap(({ declaredTwice }) => declaredTwice));
  return {
    undeclared: new Set([...merged.used].filter(isLost)),
    declaredTwice: new Set(merged.declaredTwice.filter((name) => !before.has(name))),
    unneeded: new Set([...merged.declared].filter(isIdle)),
  };
}
