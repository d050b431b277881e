import type { Labels, Merged } from '../conflict.ts';
import { mergeText } from '../text.ts';
import { printStretches, takeSide, type OpenConflict, type Stretch } from '../markers.ts';
import {
  type Context,
  changesAt,
  slice,
  tokensOf,
  type Disputed,
  type Printed,
  type Sides,
  isEqual,
} from './context.ts';
import { isRenamed, renameToken, type Renames } from './rename.ts';
import {
  type ImportedNames,
  type Language,
  type OwnName,
  type Three,
  type Tree,
  type Node,
  nodesIn,
  type Parts,
  type Part,
  type List,
  type Span,
} from './tree.ts';
import { dropsDisputed, mergeLeaf, takeTheirs, usesLost } from './leaf.ts';
import { mergeList } from './list.ts';
import { indentAt, indented } from './indent.ts';
import { matchLists } from './match.ts';
import { findOwnNames } from './own-names.ts';

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
  const none = new Set<string>();
  const names = { lost: none, doubled: none, idle: none, disputed: [] };
  const merged = mergeWhole(trees, settings, names);
  return printStretches(merged ?? mergeByLines(trees), settings.labels);
}

function mergeWhole(
  trees: Three<Tree>,
  settings: Settings,
  names: BrokenNames,
): Stretch[] | undefined {
  const { merged, ownNames, disputed } = mergeOnce(trees, settings, names);
  const respelled = ownNames.length > 0 && settings.language.respell?.(trees, ownNames);
  if (respelled) return mergeWhole(respelled, settings, names);
  if (disputed.length > names.disputed.length)
    return mergeWhole(trees, settings, { ...names, disputed });
  const broken = merged && brokenNames(merged, trees, settings);
  if (!broken) return undefined;
  const isFirst = names.lost.size + names.doubled.size === 0;
  const { lost, doubled } = broken;
  // The merged code needs an import that the owner removed, or no longer needs one they kept: nobody has to decide that.
  const missed = { lost: isFirst ? lost : new Set<string>(), idle: broken.idle };
  const mine = settings.language.repairImports?.(trees, missed);
  if (mine) return mergeWhole({ ...trees, mine }, settings, names);
  const idle = new Set([...names.idle, ...broken.idle]);
  if (idle.size > names.idle.size) return mergeWhole(trees, settings, { ...names, idle });
  return !isFirst || lost.size + doubled.size === 0
    ? merged
    : mergeWhole(trees, settings, { ...names, lost, doubled });
}

/** Never without a conflict: that the trees could not be merged says that there is one. */
function mergeByLines({ base, mine, theirs }: Three<Tree>): Stretch[] {
  const texts = { base: base.source.text, mine: mine.source.text, theirs: theirs.source.text };
  const stretches = mergeText(texts);
  return stretches.every((it) => typeof it === 'string') ? [{ where: '', ...texts }] : stretches;
}

interface BrokenNames extends ImportedNames {
  readonly doubled: ReadonlySet<string>;
  readonly disputed: readonly Disputed[];
}

function mergeOnce(trees: Three<Tree>, { renames }: Settings, names: BrokenNames) {
  const { base, mine, theirs } = trees;
  const conflicts: OpenConflict[] = [];
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
    report: (conflict) => `\0${conflicts.push(conflict) - 1}\0`,
    ...names,
  };
  const roots = { base: base.root, mine: mine.root, theirs: theirs.root };
  const text = mergeNode(context, roots, '');
  const merged = text?.split(/\0(\d+)\0\n?/).map((part, index) => {
    return index % 2 === 0 ? part : (conflicts[Number(part)] ?? '');
  });
  return { merged, ownNames, disputed };
}

/**
 * Names that the merged file uses and no longer declares, declares twice, or declares for nothing; nothing when it does not
 * parse.
 */
function brokenNames(
  stretches: readonly Stretch[],
  trees: Three<Tree>,
  { language, labels }: Settings,
): Omit<BrokenNames, 'disputed'> | undefined {
  const { text, conflicts } = printStretches(stretches, labels);
  const merged = language.readNames(takeSide(text, 'mine'));
  if (!merged) return undefined;
  if (conflicts.length > 0 && !language.readNames(takeSide(text, 'theirs'))) return undefined;
  const known = [trees.mine.names, trees.theirs.names];
  const isLost = (name: string) =>
    !merged.bound.has(name) &&
    known.some(({ bound }) => bound.has(name)) &&
    known.every(({ bound, used }) => bound.has(name) || !used.has(name));
  const { base, mine, theirs } = trees;
  const shown = stretches.flatMap((it) => (typeof it === 'string' ? [] : it.mine)).join('\n');
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

/** Descends as far as the three sides have the same shape. */
function mergeNode(context: Context, place: Sides<Node>, where: string): Printed {
  const { base, mine, theirs } = place;
  const changes = changesAt(context, place);
  if (changes.agreed) return slice(context, 'mine', mine);
  if (!dropsDisputed(context, place)) {
    if (!changes.theirs) return slice(context, 'mine', mine);
    if (base && isUntouched(context, base, mine) && !usesLost(context, theirs))
      return takeTheirs(context, place);
  }
  const isWhole = isTakenWhole(place);
  const lists = isWhole ? undefined : listsAt(place);
  if (lists) return isOneThing(context, lists) ? mergeList(context, lists, where) : undefined;
  if (!isWhole && hasOneShape(context, place)) return mergeParts(context, place, where);
  return mergeAround(context, place, where) ?? mergeLeaf(context, place, isWhole);
}

function isTakenWhole({ base, mine, theirs }: Sides<Node>): boolean {
  return [base, mine, theirs].some((it) => it && it.kind !== 'leaf' && it.isWhole);
}

/** One side put something around what was made, and left that as it was: what the other side changed follows into it. */
function mergeAround(context: Context, place: Sides<Node>, where: string): Printed {
  const { base } = place;
  if (!base || base.kind === 'leaf' || usesLost(context, place.theirs)) return undefined;
  const old = tokensOf(context, 'base', base);
  for (const side of ['mine', 'theirs'] as const) {
    const outer = place[side];
    const [inner, another] = nodesIn(outer).filter((it) =>
      isRenamed(old, tokensOf(context, side, it), context.rename),
    );
    if (!inner || another) continue;
    const inside = { ...place, [side]: inner };
    const isAlike = listsAt(inside) !== undefined || hasOneShape(context, inside);
    const text = isAlike && context.mergeNode(context, inside, where);
    if (!text) continue;
    const before = slice(context, side, { start: outer.start, end: inner.start });
    return before + text + slice(context, side, { start: inner.end, end: outer.end });
  }
  return undefined;
}

/** Where all sides are lists; of one call and a chain of several, the one is a chain too. */
function listsAt({ base, mine, theirs }: Sides<Node>): Sides<List> | undefined {
  const isChain = [base, mine, theirs].some(
    (it) => it?.kind === 'list' && it.rule.separator === '.',
  );
  const listIn = (node: Node) =>
    node.kind === 'list' ? node : node.kind === 'parts' && isChain ? node.chain : undefined;
  const lists = { base: base && listIn(base), mine: listIn(mine), theirs: listIn(theirs) };
  if (!lists.mine || !lists.theirs || (base && !lists.base)) return undefined;
  return { base: lists.base, mine: lists.mine, theirs: lists.theirs };
}

/** Arguments are not merged where one side calls something else: they would be handed to the wrong one. */
function hasOneShape(context: Context, place: Sides<Node>): place is Sides<Parts> {
  const { base, mine, theirs } = place;
  if (mine.kind !== 'parts' || theirs.kind !== 'parts') return false;
  if (base && base.kind !== 'parts') return false;
  if (mine.type !== theirs.type || (base && mine.type !== base.type)) return false;
  return isOneThing(context, { base, mine, theirs });
}

function isOneThing(
  { rename }: Context,
  { base, mine, theirs }: Sides<{ readonly name?: string }>,
): boolean {
  if (mine.name === theirs.name) return true;
  const renamed = base?.name?.split(' ').map(rename).join(' ');
  return renamed !== undefined && mine.name === base?.name && theirs.name === renamed;
}

/** As it was made; but what others need of it is looked at piece by piece. */
function isUntouched(context: Context, base: Node, mine: Node): boolean {
  if (slice(context, 'base', base) !== slice(context, 'mine', mine)) return false;
  const { lost } = context;
  return lost.size === 0 || !tokensOf(context, 'base', base).some((token) => lost.has(token));
}

/** Part by part, and the words between them. */
function mergeParts(context: Context, place: Sides<Parts>, where: string): Printed {
  const texts = rolesOf(place).map((role) => {
    const [base, mine, theirs] = [place.base, place.mine, place.theirs].map((it) =>
      it?.parts.find((part) => part.role === role),
    );
    if (mine && theirs && (base || !place.base))
      return mergePart(context, { base, mine, theirs }, where);
    return optionalPart(context, { base, mine, theirs }, place.mine);
  });
  return texts.includes(undefined) ? undefined : texts.join('');
}

/** Of mine in their order; those that only the new output has, after the one before them. */
function rolesOf({ mine, theirs }: Sides<Parts>): string[] {
  const roles = mine.parts.map(({ role }) => role);
  for (const [index, { role }] of theirs.parts.entries()) {
    const before = theirs.parts[index - 1]?.role;
    if (!roles.includes(role))
      roles.splice(before === undefined ? 0 : roles.indexOf(before) + 1, 0, role);
  }
  return roles;
}

function mergePart(context: Context, { base, mine, theirs }: Sides<Part>, where: string): Printed {
  const gaps = { base: base?.gap, mine: mine.gap, theirs: theirs.gap };
  const gap = mergeLeaf(context, gaps);
  const nodes = { base: base?.node, mine: mine.node, theirs: theirs.node };
  noteOwnNames(context, nodes);
  const node = context.mergeNode(context, nodes, where);
  return gap === undefined || node === undefined ? undefined : gap + node;
}

/** The names of parameters hold beside them, too: also where theirs left the parameters as they were. */
function noteOwnNames(context: Context, { base, mine, theirs }: Sides<Node>): void {
  if (base?.kind !== 'list' || mine.kind !== 'list' || theirs.kind !== 'list' || !mine.scope)
    return;
  const lists = { base, mine, theirs };
  context.noteOwnNames(findOwnNames(context, lists, matchLists(context, lists)));
}

/** A part that not all sides have: a return type, an initial value, an `else`. */
function optionalPart(
  context: Context,
  { base, mine, theirs }: Three<Part | undefined>,
  at: Span,
): Printed {
  const tokens = {
    base: base ? tokensOf(context, 'base', whole(base)) : [],
    mine: mine ? tokensOf(context, 'mine', whole(mine)) : [],
    theirs: theirs ? tokensOf(context, 'theirs', whole(theirs)) : [],
  };
  if (isEqual(tokens.theirs, tokens.base) || isEqual(tokens.theirs, tokens.mine))
    return mine ? slice(context, 'mine', whole(mine)) : '';
  if (!isEqual(tokens.mine, tokens.base)) return undefined;
  if (!theirs) return '';
  if (usesLost(context, whole(theirs))) return undefined;
  const indent = indentAt(context.sources.mine, mine?.gap.start ?? at.start);
  return indented(context.sources.theirs, whole(theirs), indent);
}

function whole({ gap, node }: Part): Span {
  return { start: gap.start, end: node.end };
}
