import { keysAsLinks } from '../../../evolve/keys-as-links.ts';
import { pairById } from '../../../evolve/pairs.ts';
import type { App } from '../../../model/app.ts';
import { membersOf, type Called } from './handed-on.ts';

/** A word that no longer names anything in the database, or the address of a list. */
export interface GoneWord {
  readonly word: string;
  /** Its new name; absent: it was dropped. */
  readonly now?: string;
  /** Its tables: if something else has the word now, a table named beside it shows that this one is meant. */
  readonly tables: readonly string[];
  readonly isAmbiguous: boolean;
  /** Whether it is a value of an enum, which may have any letters. */
  readonly isValue?: boolean;
}

export function goneWords(before: App, after: App): readonly GoneWord[] {
  const present = new Set(thingsOf(after).flatMap(({ words }) => words));
  const linked = keysAsLinks({ before, after }).map(({ join }) => join);
  // Their tables are new, though they come from keys.
  const joinTables = after.joinTables.filter((it) => !linked.includes(it));
  const { kept, dropped } = pairById(thingsOf(before), thingsOf({ ...after, joinTables }));
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
  return [
    ...[...gone.values()].map((it) => ({ ...it, isAmbiguous: present.has(it.word) })),
    ...goneValues(before, after, present),
  ];
}

/** Values that their enum no longer has. */
function goneValues(before: App, after: App, words: ReadonlySet<string>): readonly GoneWord[] {
  const present = new Set([
    ...words,
    ...after.enums.flatMap(({ values }) => values.map(({ value }) => value)),
  ]);
  return before.enums.flatMap((was) => {
    const { values: left = [] } = after.enums.find(({ id }) => id === was.id) ?? {};
    const tables = [before, after].flatMap(({ models }) =>
      models.flatMap(({ table, fields }) =>
        fields.some(({ type }) => type.kind === 'enum' && type.enum === was.name) ? [table] : [],
      ),
    );
    return was.values.flatMap(({ id, value: word }): readonly GoneWord[] => {
      if (left.some(({ value }) => value === word)) return [];
      const now = left.find((it) => it.id === id)?.value;
      const isAmbiguous = present.has(word);
      return [{ word, ...(now !== undefined && { now }), tables, isAmbiguous, isValue: true }];
    });
  });
}

function thingsOf({ apiPrefix, models, joinTables }: App): readonly (Called & { table: string })[] {
  return [
    ...models.flatMap((model) => {
      const { id, table, path } = model;
      const own = { id, words: [table, `${apiPrefix}/${path}`] };
      return [own, ...membersOf(model)].map((it) => ({ ...it, table }));
    }),
    ...joinTables.map(({ id, table, left, right }) => ({
      id,
      words: [table, left.column, right.column],
      table,
    })),
  ];
}
