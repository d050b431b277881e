import { listLinkedKeys } from '../../../evolve/keys-as-links.ts';
import { pairById } from '../../../evolve/pairs.ts';
import { present } from '../../../present.ts';
import type { App } from '../../../model/app.ts';
import { listMembers, type RenamedPart } from './reused-names.ts';

/** A word that no longer names anything in the database, or the path of a list. */
export interface RemovedWord {
  readonly word: string;
  /** Its new name; absent if it was dropped. */
  readonly newName?: string;
  /** Its tables. If something else has the word now, a table that is named beside it shows what is meant. */
  readonly tables: readonly string[];
  readonly isAmbiguous: boolean;
  /** Whether it is an enum value, which may contain any character. */
  readonly isValue?: boolean;
}

export function listRemovedWords(before: App, after: App): readonly RemovedWord[] {
  const known = new Set(listNamedThings(after).flatMap(({ words }) => words));
  const linked = listLinkedKeys({ before, after }).map(({ join }) => join);
  // Join tables that come from keys are new tables.
  const joinTables = after.joinTables.filter((it) => !linked.includes(it));
  const { kept, dropped } = pairById(
    listNamedThings(before),
    listNamedThings({ ...after, joinTables }),
  );
  const renamed = kept.flatMap((pair) =>
    pair.before.words.flatMap((word, at) => {
      const newName = pair.after.words[at] ?? word;
      return newName === word
        ? []
        : [{ word, newName, tables: [pair.before.table, pair.after.table] }];
    }),
  );
  const lost = dropped.flatMap(({ words, table }) =>
    words.map((word) => ({ word, tables: [table] })),
  );
  const gone = new Map([...lost, ...renamed].map((it) => [`${it.tables[0]}.${it.word}`, it]));
  return [
    ...[...gone.values()].map((it) => ({ ...it, isAmbiguous: known.has(it.word) })),
    ...goneValues(before, after, known),
  ];
}

/** Values that their enum no longer has. */
function goneValues(before: App, after: App, words: ReadonlySet<string>): readonly RemovedWord[] {
  const known = new Set([
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
    return was.values.flatMap(({ id, value: word }): readonly RemovedWord[] => {
      if (left.some(({ value }) => value === word)) return [];
      const newName = left.find((it) => it.id === id)?.value;
      const isAmbiguous = known.has(word);
      return [{ word, ...present({ newName }), tables, isAmbiguous, isValue: true }];
    });
  });
}

function listNamedThings({
  apiPrefix,
  models,
  joinTables,
}: App): readonly (RenamedPart & { table: string })[] {
  return [
    ...models.flatMap((model) => {
      const { id, table, path } = model;
      const own = { id, words: [table, `${apiPrefix}/${path}`] };
      return [own, ...listMembers(model)].map((it) => ({ ...it, table }));
    }),
    ...joinTables.map(({ id, table, left, right }) => ({
      id,
      words: [table, left.column, right.column],
      table,
    })),
  ];
}
