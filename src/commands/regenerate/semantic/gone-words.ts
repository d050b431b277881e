import { pairById } from '../../../evolve/pairs.ts';
import type { App, Model, Relation } from '../../../model/app.ts';

/** A word that used to name something of the database, or the address of a list, and does so no more. */
export interface GoneWord {
  readonly word: string;
  /** Its new name; absent: it was dropped. */
  readonly now?: string;
  /** Of these tables; they tell which is meant while something else has the word. */
  readonly tables: readonly string[];
  readonly isAmbiguous: boolean;
}

export function goneWords(before: App, after: App): readonly GoneWord[] {
  const present = new Set(thingsOf(after).flatMap(({ words }) => words));
  const { kept, dropped } = pairById(thingsOf(before), thingsOf(after));
  const renamed = kept.flatMap((pair) =>
    pair.before.words.flatMap((word, at) => {
      const now = pair.after.words[at] ?? word;
      return now === word ? [] : [{ word, now, tables: [pair.before.table, pair.after.table] }];
    }),
  );
  const lost = dropped.flatMap(({ words, table }) =>
    words.map((word) => ({ word, tables: [table] })),
  );
  const gone = new Map([...lost, ...renamed].map((it) => [`${it.tables[0]}.${it.word}`, it]));
  return [...gone.values()].map((it) => ({ ...it, isAmbiguous: present.has(it.word) }));
}

interface Thing {
  readonly id: string;
  readonly words: readonly string[];
  readonly table: string;
}

function thingsOf({ apiPrefix, models, joinTables }: App): readonly Thing[] {
  return [
    ...models.flatMap((model) => thingsOfModel(model, apiPrefix)),
    ...joinTables.map(({ id, table, left, right }) => ({
      id,
      words: [table, left.column, right.column],
      table,
    })),
  ];
}

function thingsOfModel(
  { id, table, path, fields, relations }: Model,
  apiPrefix: string,
): readonly Thing[] {
  return [
    { id, words: [table, `${apiPrefix}/${path}`], table },
    ...fields.map(({ id: of, name, column }) => ({ id: of, words: [name, column], table })),
    ...relations.map((it) => ({ id: it.id, words: wordsOf(it), table })),
  ];
}

function wordsOf(relation: Relation): readonly string[] {
  const ids = relation.kind === 'links' ? relation.idsField : undefined;
  return ids === undefined ? [relation.name] : [relation.name, ids];
}
