import { databaseName, shortHash } from '../naming/database-name.ts';
import type { JoinTable, Model } from './app.ts';

/**
 * Makes names of indexes unique, since those of all tables share one namespace: `post_tags (id)` and `post (tags_id)`
 * would both be `post_tags_id_index`.
 */
export function distinctIndexNames(
  models: readonly Model[],
  joinTables: readonly JoinTable[],
): readonly Model[] {
  const taken = new Set(joinTables.map((join) => join.index));
  const settle = (name: string, suffix: string, content: unknown) => {
    const distinct = taken.has(name) ? marked(name, suffix, content) : name;
    taken.add(distinct);
    return distinct;
  };
  return models.map((model) => ({
    ...model,
    unique: model.unique.map((unique) => ({
      ...unique,
      name: settle(unique.name, 'unique', [model.table, unique.fields, ...conditionOf(unique)]),
    })),
    indexes: model.indexes.map((index) => ({
      ...index,
      name: settle(index.name, 'index', [model.table, index.keys, ...conditionOf(index)]),
    })),
  }));
}

const conditionOf = ({ where }: Pick<Model['indexes'][number], 'where'>) =>
  where === undefined ? [] : [where];

function marked(name: string, suffix: string, content: unknown): string {
  return databaseName(
    [name.slice(0, -suffix.length - 1), shortHash(JSON.stringify(content))],
    suffix,
  );
}
