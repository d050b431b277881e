import { createHash } from 'node:crypto';
import type { JoinTable, Model } from './app.ts';
import { identifier } from './identifier.ts';

/**
 * The indexes of all tables share one namespace: `post_tags (id)` and `post (tags_id)` would both be
 * `post_tags_id_index`. The later one gets a name of its own.
 */
export function distinctIndexNames(
  models: readonly Model[],
  joinTables: readonly JoinTable[],
): readonly Model[] {
  const taken = new Set(joinTables.map((join) => join.index));
  const settle = (name: string, content: unknown) => {
    const distinct = taken.has(name) ? marked(name, content) : name;
    taken.add(distinct);
    return distinct;
  };
  return models.map((model) => ({
    ...model,
    unique: model.unique.map((unique) => ({
      ...unique,
      name: settle(unique.name, [model.table, unique.fields]),
    })),
    indexes: model.indexes.map((index) => ({
      ...index,
      name: settle(index.name, [model.table, index.keys]),
    })),
  }));
}

function marked(name: string, content: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8);
  const [, start = name, suffix] = /^(.*)_(unique|index)$/s.exec(name) ?? [];
  return identifier([start, hash], suffix);
}
