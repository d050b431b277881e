import { wordsOf } from '../../words.ts';
import { type Pair, pairById } from '../../evolve/pairs.ts';
import type { App, Enum, Model } from '../../model/app.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { respell } from './words.ts';

/** Old names and new ones. */
export type Spellings = ReadonlyMap<string, string>;

/** What was renamed between two apps whose ids are carried over. */
export interface Renamed {
  /** Names that had one meaning in the old app. */
  readonly everywhere: Spellings;
  /** By the type name of the new model: with the names of its own fields and relations. */
  readonly inModel: ReadonlyMap<string, Spellings>;
  /** Names of models alone: a relation that is called `room` still does not keep `roomRoutes` from a new name. */
  readonly ofModels: Spellings;
  /** Names of what was not renamed: `OrderLine`, though `Order` was. */
  readonly unchanged: ReadonlySet<string>;
}

export function findRenamed(before: App, after: App): Renamed {
  const models = pairs(before.models, after.models);
  const enums = pairs(before.enums, after.enums);
  const names = [
    ...models.flatMap(modelNames),
    ...models.flatMap(memberNames),
    ...enums.flatMap(enumNames),
  ];
  const everywhere = unambiguous(names);
  const inModel = pairById(before.models, after.models).kept.map(
    (pair) => [pair.after.names.type, ownSpellings(pair, everywhere)] as const,
  );
  const unchanged = new Set(names.flatMap(([from, to]) => (from === to ? [from] : [])));
  const ofModels = unambiguous(models.flatMap(modelNames));
  return { everywhere, inModel: new Map(inModel), ofModels, unchanged };
}

/** What a word of the old app may be now; of several meanings, the compiler shows which applies. */
export function newNames(
  before: App,
  { app: after, spellings }: { readonly app: App; readonly spellings: Spellings },
): (word: string) => readonly string[] {
  const { inModel, unchanged } = findRenamed(before, after);
  const ofEnums = pairs(before.enums, after.enums).flatMap(enumNames);
  const meanings = meaningsOf([
    ...spellings,
    ...[...inModel.values()].flatMap((own) => [...own]),
    ...ofEnums.filter(([from, to]) => from !== to),
  ]);
  const parts = new Map([...[...unchanged].map((it) => [it, it] as const), ...spellings]);
  return (word) => {
    const known = [...(meanings.get(word) ?? [])];
    const made = respell(word, parts);
    return known.length > 0 || made === word ? known : [made];
  };
}

/** For a file that is made, and what was made in its place. */
export function spellingsFor(
  { model, content }: Pick<RenderedFile, 'model' | 'content'>,
  { everywhere, inModel, ofModels }: Renamed,
  base: string,
): Spellings {
  const own = (model === undefined ? undefined : inModel.get(model)) ?? everywhere;
  return withCompounds(own, ofModels, { base, theirs: content });
}

/**
 * Adds the compounds of renamed words in a text, `createPost` → `createArticle`, that the new text contains.
 */
export function withCompounds(
  spellings: Spellings,
  ofModels: Spellings,
  texts: { readonly base: string; readonly theirs: string },
): Spellings {
  const parts = new Map([...ofModels, ...spellings]);
  if (parts.size === 0) return spellings;
  const present = new Set(wordsOf(texts.theirs));
  const compounds = [...new Set(wordsOf(texts.base))].flatMap((word) => {
    if (spellings.has(word) || present.has(word)) return [];
    const respelled = respell(word, parts);
    return respelled !== word && present.has(respelled) ? [[word, respelled] as const] : [];
  });
  return new Map([...spellings, ...compounds]);
}

type Names = readonly (readonly [string, string])[];

/** Removed things keep their names. */
function pairs<Thing extends { readonly id: string }>(
  before: readonly Thing[],
  after: readonly Thing[],
): readonly Pair<Thing>[] {
  const { kept, dropped } = pairById(before, after);
  return [...kept, ...dropped.map((thing) => ({ before: thing, after: thing }))];
}

/** Each name with its replacement, which may be the same. */
function namesBy<Thing>({ before, after }: Pair<Thing>, list: (thing: Thing) => readonly string[]) {
  const present = list(after);
  return list(before).map((name, at): readonly [string, string] => [name, present[at] || name]);
}

function modelNames(pair: Pair<Model>): Names {
  return namesBy(pair, (model) => {
    const { names } = model;
    return [
      names.type,
      names.typePlural,
      names.variable,
      names.variablePlural,
      names.folder,
      names.human,
      names.humanPlural,
      names.snake,
      names.snakePlural,
      model.name,
      model.table,
      model.path,
    ];
  });
}

function memberNames({ before, after }: Pair<Model>): Names {
  return [
    ...pairs(before.fields, after.fields).flatMap((pair) =>
      namesBy(pair, ({ name, column }) => [name, column]),
    ),
    ...pairs(before.relations, after.relations).flatMap((pair) =>
      namesBy(pair, (it) =>
        it.kind === 'links' ? [it.name, it.table, it.idsField ?? ''] : [it.name],
      ),
    ),
  ];
}

function enumNames(pair: Pair<Enum>): Names {
  const values = pairs(pair.before.values, pair.after.values);
  return [
    ...namesBy(pair, ({ name }) => [name]),
    ...values.flatMap((value) => namesBy(value, (it) => [it.value])),
  ];
}

/** Two things had the same name and one keeps it, so the name alone does not show which is meant. */
function unambiguous(names: Names): Spellings {
  return new Map(
    [...meaningsOf(names)].flatMap(([from, to]) => {
      const [only = from] = to;
      return to.size === 1 && only !== from && from !== '' ? [[from, only] as const] : [];
    }),
  );
}

function meaningsOf(names: Names): ReadonlyMap<string, ReadonlySet<string>> {
  const meanings = new Map<string, Set<string>>();
  for (const [from, to] of names) meanings.set(from, (meanings.get(from) ?? new Set()).add(to));
  return meanings;
}

function ownSpellings(pair: Pair<Model>, everywhere: Spellings): Spellings {
  const own = new Map([...modelNames(pair), ...memberNames(pair)]);
  const spelled = [...new Map([...everywhere, ...own])];
  return new Map(spelled.filter(([from, to]) => from !== to && from !== ''));
}
