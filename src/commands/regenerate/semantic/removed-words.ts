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
  readonly tables: readonly string[];
  /** The tables and enums that have the word now: a table that is named beside it shows what is meant. */
  readonly others: readonly string[];
  /** Whether it is an enum value, which may contain any character. */
  readonly isValue?: boolean;
}

export function listRemovedWords(before: App, after: App): readonly RemovedWord[] {
  const tablesWith = holdersIn(after);
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
    ...[...gone.values()].map((it) => ({ ...it, others: tablesWith(it.word) })),
    ...goneValues(before, after, tablesWith),
  ];
}

/** Finds the tables in which something has a word. */
function holdersIn(app: App): (word: string) => readonly string[] {
  const things = listNamedThings(app);
  return (word) => things.filter(({ words }) => words.includes(word)).map(({ table }) => table);
}

/** Values that their enum no longer has. */
function goneValues(
  before: App,
  after: App,
  tablesWith: (word: string) => readonly string[],
): readonly RemovedWord[] {
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
      const enums = after.enums.filter(({ values }) => values.some(({ value }) => value === word));
      const others = [...tablesWith(word), ...enums.map(({ name }) => name)];
      return [{ word, ...present({ newName }), tables, others, isValue: true }];
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
