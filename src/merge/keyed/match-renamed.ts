import { tokensOf, type Context } from './context.ts';
import { similarity } from './similarity.ts';
import type { Item } from './tree.ts';
import { runsBetween } from './unmatched-runs.ts';

interface Sides {
  readonly base: readonly Item[];
  readonly mine: readonly Item[];
}

/** What its owner gave another name where it stands, and imports that come to the same by another path. */
export function matchRenamed(
  context: Context,
  { base, mine }: Sides,
  found: Map<Item, Item>,
): void {
  const isSame = (old: Item, item: Item) => isNamedOtherwise(context, old, item);
  // Imports may be sorted.
  const [before, after] = [base, mine].map((items) => items.filter((it) => !it.unites));
  const runs = runsBetween(before ?? [], after ?? [], found);
  for (const [olds, news] of runs) pairUp({ olds, news }, isSame, found);
  pairUp({ olds: base, news: mine }, bringsSame, found);
}

interface Free {
  readonly olds: readonly Item[];
  readonly news: readonly Item[];
}

function pairUp(
  { olds, news }: Free,
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

/** Functions of one kind are much alike: of two that are not, one is no other name for the other. */
const leastLikeness = 0.8;

function isNamedOtherwise(context: Context, old: Item, item: Item): boolean {
  if (![old, item].every(({ key }) => key.startsWith('value '))) return false;
  const before = tokensOf(context, 'base', old.node);
  return similarity(before, tokensOf(context, 'mine', item.node)) >= leastLikeness;
}

/** `import { listPage } from '../lib/list.ts'` and from `#lib/list`, or from `../lib/index.ts`. */
function bringsSame(old: Item, item: Item): boolean {
  if (!old.unites || !item.unites) return false;
  const isShared = item.binds.some((bound) =>
    old.binds.some(({ name, of }) => name === bound.name && of === bound.of),
  );
  const last = wayTo(item.key).at(-1);
  return isShared && (last === undefined || wayTo(old.key).includes(last));
}

/** `import "../lib/list.ts"` → `lib`, `list` */
function wayTo(key: string): readonly string[] {
  const names = key.replace(/\.\w+"$/, '').match(/[\w-]+/g) ?? [];
  return names.filter((name) => name !== 'import' && name !== 'index');
}
