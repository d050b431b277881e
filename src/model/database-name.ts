import { createHash } from 'node:crypto';
import type { JoinTable, Model } from './app.ts';

/** PostgreSQL silently cuts longer names, so that two could become equal. */
const longestName = 63;

/** `posts_author_id_slug_unique`. A longer name is cut and gets a hash of the whole: `…_1a2b3c4d_unique`. */
export function databaseName(parts: readonly string[], suffix?: string): string {
  const ending = suffix === undefined ? '' : `_${suffix}`;
  const whole = parts.join('_') + ending;
  if (Buffer.byteLength(whole) <= longestName) return whole;
  const hash = shortHash(whole);
  const room = longestName - Buffer.byteLength(ending) - hash.length - 1;
  return `${cutToBytes(parts.join('_'), room)}_${hash}${ending}`;
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

function cutToBytes(text: string, bytes: number): string {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > bytes) break;
    cut += character;
  }
  return cut;
}

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
