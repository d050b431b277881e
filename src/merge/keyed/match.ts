import { groupBy } from '../../group-by.ts';
import { tokensOf, type Context, type Sides, type EditedSide } from './context.ts';
import { hasSameKey, keyText, type ItemKey, tokensOfKey } from './key.ts';
import { isRenamed } from './rename.ts';
import { measureSimilarity, spellingOfSide } from './similarity.ts';
import type { Item, List } from './tree.ts';
import { unmatchedRuns, type MatchedItems } from './unmatched-runs.ts';

/** The items of each side that items of the base became. */
export interface Matches {
  readonly toOurs: MatchedItems;
  readonly toTheirs: MatchedItems;
}

/** The items of the base and of one side that are to be matched. */
export interface MatchInput {
  readonly base: readonly Item[];
  readonly items: readonly Item[];
  readonly side: EditedSide;
  readonly byPosition: boolean;
}

export function matchLists(context: Context, { base, ours, theirs }: Sides<List>): Matches {
  const shared = { base: base?.items ?? [], byPosition: ours.rule.byPosition };
  return {
    toOurs: matchItems(context, { ...shared, items: ours.items, side: 'ours' }),
    toTheirs: matchItems(context, { ...shared, items: theirs.items, side: 'theirs' }),
  };
}

/** Matches by key, then by alias, then, for items without names, by position. */
export function matchItems(context: Context, sought: MatchInput): MatchedItems {
  const found = new Map<Item, Item>();
  matchKeys(context, sought, found);
  matchAliases(context, sought, found);
  if (sought.side === 'ours') matchRenamed(context, sought.base, sought.items, found);
  if (sought.byPosition) matchByPosition(sought, found);
  return found;
}

function matchKeys(context: Context, sought: MatchInput, found: Map<Item, Item>): void {
  const { base, items, side } = sought;
  const spell = spellingOfSide(context, side);
  const groups = groupBy(items, ({ key }) => keyText(key));
  for (const [key, oldItems] of groupBy(base, (item) => keyText(item.key, spell))) {
    const newItems = groups.get(key) ?? [];
    const [old, other] = oldItems;
    const [item, otherItem] = newItems;
    if (old && item && !other && !otherItem) found.set(old, item);
    else matchMostSimilar(context, { ...sought, base: oldItems, items: newItems }, found);
  }
  // A key that is unchanged although its name was renamed elsewhere.
  pairItems(base, items, hasSameKey, found);
}

/** Matches items with the same key: equal ones first, then the most similar. */
function matchMostSimilar(
  context: Context,
  { base, items, side }: MatchInput,
  found: Map<Item, Item>,
): void {
  const spell = spellingOfSide(context, side);
  const pairs = base.flatMap((old) => {
    const before = tokensOf(context, 'base', old.node);
    return items.map((item) => {
      const isSame = isRenamed(before, tokensOf(context, side, item.node), spell);
      return { old, item, alike: isSame ? 2 : measureSimilarity(context, side, old, item) };
    });
  });
  const taken = new Set<Item>();
  for (const { old, item } of pairs.toSorted((left, right) => right.alike - left.alike)) {
    if (found.has(old) || taken.has(item)) continue;
    found.set(old, item);
    taken.add(item);
  }
}

/**
 * Matches items by a weaker key. The owner may have renamed a variable or changed the condition of an `if`. In theirs,
 * only a call may match, if it is the only one of its function: another name there means another thing.
 */
function matchAliases(
  context: Context,
  { base, items, side }: MatchInput,
  found: Map<Item, Item>,
): void {
  const taken = new Set(found.values());
  const isOurs = side === 'ours';
  const byAlias = (all: readonly Item[], isTaken: (it: Item) => boolean) =>
    groupBy(
      all.filter((it) => (isOurs ? !isTaken(it) : isCall(it))),
      ({ alias }) => alias && keyText(alias),
    );
  const ofAlias = byAlias(items, (it) => taken.has(it));
  for (const [alias, [old, otherOld]] of byAlias(base, (it) => found.has(it))) {
    const [item, otherItem] = ofAlias.get(alias) ?? [];
    if (alias === undefined || !old || !item || otherOld || otherItem) continue;
    const isSame =
      [old, item].every(isBareCall) ||
      measureSimilarity(context, side, old, item) >= leastSimilarity[side];
    if (isSame && !found.has(old) && !taken.has(item)) found.set(old, item);
  }
}

function isCall({ alias, declares }: Item): boolean {
  return alias?.kind === 'call' && declares === undefined;
}

/** Whether no argument of the call is a string that names it. */
function isBareCall({ key }: Item): boolean {
  return !tokensOfKey(key).some((token) => token.includes('"'));
}

/** Theirs must be almost the same. Ours may have been edited. */
const leastSimilarity = { ours: 0.5, theirs: 0.9 } as const;

/** Matches unmatched items between two matched neighbours if both sides have equally many. */
function matchByPosition({ base, items }: MatchInput, found: Map<Item, Item>): void {
  for (const [oldItems, newItems] of unmatchedRuns(base, items, found))
    if (oldItems.length === newItems.length)
      for (const [index, old] of oldItems.entries()) {
        const item = newItems[index];
        if (item) found.set(old, item);
      }
}

/** Whether one side changed the order of items whose order matters. */
export function isReordered(
  base: readonly Item[],
  items: readonly Item[],
  found: MatchedItems,
): boolean {
  const indexes = base
    .filter(({ isOrdered }) => isOrdered)
    .flatMap((item) => found.get(item) ?? [])
    .map((item) => items.indexOf(item));
  return indexes.some((at, index) => at < (indexes[index - 1] ?? 0));
}

/** Matches items that the owner renamed in place, and imports of the same names by another path. */
function matchRenamed(
  context: Context,
  base: readonly Item[],
  ours: readonly Item[],
  found: Map<Item, Item>,
): void {
  const isSame = (old: Item, item: Item) => isRenamedByOwner(context, old, item);
  // Imports may have been sorted.
  const [before, after] = [base, ours].map((items) => items.filter((it) => !it.isImport));
  const runs = unmatchedRuns(before ?? [], after ?? [], found);
  for (const [oldItems, newItems] of runs) pairItems(oldItems, newItems, isSame, found);
  pairItems(base, ours, importsSame, found);
}

function pairItems(
  oldItems: readonly Item[],
  newItems: readonly Item[],
  isSame: (old: Item, item: Item) => boolean,
  found: Map<Item, Item>,
): void {
  const taken = new Set(found.values());
  for (const old of oldItems) {
    if (found.has(old)) continue;
    const item = newItems.find((it) => !taken.has(it) && isSame(old, it));
    if (!item) continue;
    found.set(old, item);
    taken.add(item);
  }
}

/** Functions of one kind always resemble each other, so a rename needs a high similarity. */
function isRenamedByOwner(context: Context, old: Item, item: Item): boolean {
  if (![old, item].every(({ declares }) => declares === 'value')) return false;
  return measureSimilarity(context, 'ours', old, item) >= 0.8;
}

/** `import { listPage }` from `../lib/list.ts`, `#lib/list` or `../lib/index.ts`, also under another name. */
function importsSame(old: Item, item: Item): boolean {
  if (!old.isImport || !item.isImport) return false;
  const [before, after] = [moduleWords(old.key), moduleWords(item.key)];
  const last = after.at(-1);
  const isOneFile = last !== undefined && after.every((name) => before.includes(name));
  const isShared = item.bindings.some((bound) =>
    old.bindings.some(({ name, of }) => of === bound.of && (isOneFile || name === bound.name)),
  );
  return isShared && (last === undefined || before.includes(last));
}

/** The words of an import's path: `"../lib/list.ts"` → `lib`, `list`. */
function moduleWords({ name: [path = ''] }: ItemKey): readonly string[] {
  const names = path.replace(/\.\w+"$/, '').match(/[\w-]+/g) ?? [];
  return names.filter((name) => name !== 'index');
}
