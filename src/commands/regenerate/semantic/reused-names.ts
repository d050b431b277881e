import { pairById } from '../../../evolve/pairs.ts';
import { present } from '../../../present.ts';
import { type App, showsIds, type Model } from '../../../model/app.ts';

/** A name that means something else now. Code that uses it still compiles. */
export interface ReusedName {
  readonly word: string;
  /** The new name of what it meant; absent if that is gone. */
  readonly newName?: string;
  readonly kind: 'member' | 'value' | 'model';
  /** Names of the model that it is a member of, if a member of another model has this name too. */
  readonly owner?: ReadonlySet<string>;
}

export function listReusedNames(before: App, after: App): readonly ReusedName[] {
  const models = pairById(before.models, after.models).kept;
  const enums = pairById(before.enums, after.enums).kept;
  const members = models.flatMap((pair) => {
    const owner = new Set([
      ...Object.values(pair.before.names),
      ...Object.values(pair.after.names),
    ]);
    const isShared = (word: string) =>
      after.models.some(
        (other) =>
          other.id !== pair.after.id &&
          listMembers(other).some(({ words }) => words.includes(word)),
      );
    return listNewMeanings(listMembers(pair.before), listMembers(pair.after)).map((it) => ({
      ...it,
      kind: 'member' as const,
      ...(isShared(it.word) && { owner }),
    }));
  });
  const values = enums.flatMap((pair) =>
    listNewMeanings(valueWords(pair.before), valueWords(pair.after)),
  );
  const names = listNewMeanings(before.models.map(modelWords), after.models.map(modelWords));
  return [
    ...members,
    ...values.map((it) => ({ ...it, kind: 'value' as const })),
    ...names.map((it) => ({ ...it, kind: 'model' as const })),
  ];
}

/** A part of the schema, with its names before and after in the same order. */
export interface RenamedPart {
  readonly id: string;
  readonly words: readonly string[];
}

export function listMembers({ fields, relations }: Model): readonly RenamedPart[] {
  return [
    ...fields.map(({ id, name, column }) => ({ id, words: [name, column] })),
    ...relations.map((it) => ({
      id: it.id,
      words: showsIds(it) ? [it.name, it.idsField] : [it.name],
    })),
  ];
}

function valueWords({ values }: App['enums'][number]): readonly RenamedPart[] {
  return values.map(({ id, value }) => ({ id, words: [value] }));
}

function modelWords({ id, names, table }: Model): RenamedPart {
  const { type, typePlural, variable, variablePlural } = names;
  return { id, words: [type, typePlural, variable, variablePlural, table] };
}

/** Names that exist before and after with different meanings. */
function listNewMeanings(
  before: readonly RenamedPart[],
  after: readonly RenamedPart[],
): readonly { readonly word: string; readonly newName?: string }[] {
  const byId = new Map(after.map((it) => [it.id, it.words]));
  const owners = new Map(after.flatMap(({ id, words }) => words.map((word) => [word, id])));
  const found = before.flatMap(({ id, words }) =>
    words.flatMap((word, at) => {
      const owner = owners.get(word);
      const newName = byId.get(id)?.[at];
      if (owner === undefined || owner === id || newName === word) return [];
      return [[word, { word, ...present({ newName }) }] as const];
    }),
  );
  return [...new Map(found).values()];
}
