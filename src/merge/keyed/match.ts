import { tokensOf, type Context, type Sides, type Edited } from './context.ts';
import { hasSameKey, identityOf, type ItemKey, tokensOfKey } from './key.ts';
import { isRenamed } from './rename.ts';
import { likeness, spellingOf } from './similarity.ts';
import type { Item, List } from './tree.ts';
import { runsBetween, type Matching } from './unmatched-runs.ts';

/** What became of the items of the base on either side. */
export interface Matches {
  readonly toMine: Matching;
  readonly toTheirs: Matching;
}

/** Items of one side, and those of the base among which theirs are sought. */
export interface Sought {
  readonly base: readonly Item[];
  readonly items: readonly Item[];
  readonly side: Edited;
  readonly byPlace: boolean;
}

export function matchLists(context: Context, { base, mine, theirs }: Sides<List>): Matches {
  const shared = { base: base?.items ?? [], byPlace: mine.rule.byPlace };
  return {
    toMine: matchItems(context, { ...shared, items: mine.items, side: 'mine' }),
    toTheirs: matchItems(context, { ...shared, items: theirs.items, side: 'theirs' }),
  };
}

/** By key; then by a weaker key; then, for items without names, by place. */
export function matchItems(context: Context, sought: Sought): Matching {
  const found = new Map<Item, Item>();
  matchKeys(context, sought, found);
  matchAliases(context, sought, found);
  if (sought.side === 'mine') matchRenamed(context, sought.base, sought.items, found);
  if (sought.byPlace) matchPlaces(sought, found);
  return found;
}

function matchKeys(context: Context, sought: Sought, found: Map<Item, Item>): void {
  const { base, items, side } = sought;
  const spell = spellingOf(context, side);
  const groups = groupBy(items, ({ key }) => identityOf(key));
  for (const [key, olds] of groupBy(base, (item) => identityOf(item.key, spell))) {
    const news = groups.get(key) ?? [];
    const [old, other] = olds;
    const [item, otherItem] = news;
    if (old && item && !other && !otherItem) found.set(old, item);
    else matchAlike(context, { ...sought, base: olds, items: news }, found);
  }
  // If the old name is still there, it stood for something else.
  pairUp(base, items, hasSameKey, found);
}

/** Items with the same name: equal ones first, then the most similar. */
function matchAlike(context: Context, { base, items, side }: Sought, found: Map<Item, Item>): void {
  const spell = spellingOf(context, side);
  const pairs = base.flatMap((old) => {
    const before = tokensOf(context, 'base', old.node);
    return items.map((item) => {
      const isSame = isRenamed(before, tokensOf(context, side, item.node), spell);
      return { old, item, alike: isSame ? 2 : likeness(context, side, old, item) };
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
 * The user may have renamed a variable or changed the condition of an `if`. A different name or path of the generator's
 * own means a different thing; only a call that is the only one of its function is matched by that.
 */
function matchAliases(
  context: Context,
  { base, items, side }: Sought,
  found: Map<Item, Item>,
): void {
  const taken = new Set(found.values());
  const isOurs = side === 'mine';
  const byAlias = (all: readonly Item[], isTaken: (it: Item) => boolean) =>
    groupBy(
      all.filter((it) => (isOurs ? !isTaken(it) : isCall(it))),
      ({ alias }) => alias && identityOf(alias),
    );
  const news = byAlias(items, (it) => taken.has(it));
  for (const [alias, [old, otherOld]] of byAlias(base, (it) => found.has(it))) {
    const [item, otherItem] = news.get(alias) ?? [];
    if (alias === undefined || !old || !item || otherOld || otherItem) continue;
    const isSame =
      [old, item].every(isBareCall) || likeness(context, side, old, item) >= least[side];
    if (isSame && !found.has(old) && !taken.has(item)) found.set(old, item);
  }
}

function isCall({ alias, declares }: Item): boolean {
  return alias?.kind === 'call' && declares === undefined;
}

/** Without a string that would name it. */
function isBareCall({ key }: Item): boolean {
  return !tokensOfKey(key).some((token) => token.includes('"'));
}

/** Theirs gave it another name, and left it as it was; mine may have changed more, but not made another thing of it. */
const least = { mine: 0.5, theirs: 0.9 } as const;

/** Between two matched neighbours, equally many items on both sides are taken for the same, changed. */
function matchPlaces({ base, items }: Sought, found: Map<Item, Item>): void {
  for (const [olds, news] of runsBetween(base, items, found))
    if (olds.length === news.length)
      for (const [index, old] of olds.entries()) {
        const item = news[index];
        if (item) found.set(old, item);
      }
}

/** Whether one side changed the order of items that mind. */
export function isReordered(
  base: readonly Item[],
  items: readonly Item[],
  found: Matching,
): boolean {
  const places = base
    .filter(({ placed }) => placed)
    .flatMap((item) => found.get(item) ?? [])
    .map((item) => items.indexOf(item));
  return places.some((place, index) => place < (places[index - 1] ?? 0));
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Items that the owner renamed in place, and imports of the same by another path. */
function matchRenamed(
  context: Context,
  base: readonly Item[],
  mine: readonly Item[],
  found: Map<Item, Item>,
): void {
  const isSame = (old: Item, item: Item) => isNamedOtherwise(context, old, item);
  // Imports may be sorted.
  const [before, after] = [base, mine].map((items) => items.filter((it) => !it.unites));
  const runs = runsBetween(before ?? [], after ?? [], found);
  for (const [olds, news] of runs) pairUp(olds, news, isSame, found);
  pairUp(base, mine, bringsSame, found);
}

function pairUp(
  olds: readonly Item[],
  news: readonly Item[],
  isSame: (old: Item, item: Item) => boolean,
  found: Map<Item, Item>,
): void {
  const taken = new Set(found.values());
  for (const old of olds) {
    if (found.has(old)) continue;
    const item = news.find((it) => !taken.has(it) && isSame(old, it));
    if (!item) continue;
    found.set(old, item);
    taken.add(item);
  }
}

/** Functions of the same kind are similar anyway, so two that are not similar are not a rename. */
function isNamedOtherwise(context: Context, old: Item, item: Item): boolean {
  if (![old, item].every(({ declares }) => declares === 'value')) return false;
  return likeness(context, 'mine', old, item) >= 0.8;
}

/**
 * `import { listPage } from '../lib/list.ts'` and from `#lib/list`, also by another name, or from `../lib/index.ts`.
 */
function bringsSame(old: Item, item: Item): boolean {
  if (!old.unites || !item.unites) return false;
  const [before, after] = [wayTo(old.key), wayTo(item.key)];
  const last = after.at(-1);
  const isOneFile = last !== undefined && after.every((name) => before.includes(name));
  const isShared = item.binds.some((bound) =>
    old.binds.some(({ name, of }) => of === bound.of && (isOneFile || name === bound.name)),
  );
  return isShared && (last === undefined || before.includes(last));
}

/** Of an import: `"../lib/list.ts"` → `lib`, `list` */
function wayTo({ name: [path = ''] }: ItemKey): readonly string[] {
  const names = path.replace(/\.\w+"$/, '').match(/[\w-]+/g) ?? [];
  return names.filter((name) => name !== 'index');
}
