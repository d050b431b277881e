import type { List, Item } from '../keyed/tree.ts';

export function lazyList(list: Omit<List, 'kind' | 'items'>, read: () => Item[]): List {
  const items = once(read);
  return {
    kind: 'list',
    ...list,
    get items() {
      return items();
    },
  };
}

export function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}
