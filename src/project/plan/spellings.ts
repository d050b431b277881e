import { listWords } from '../../words.ts';
import { type Pair, pairById } from '../../evolve/pairs.ts';
import type { App, Enum, Model } from '../../model/app.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { respell } from './respell.ts';

/** New names by old ones. */
export type Spellings = ReadonlyMap<string, string>;

/** What was renamed between two apps with the same ids. */
export interface Renamed {
  /** Names that have one meaning in the old app. */
  readonly everywhere: Spellings;
  /** By the type name of a new model: `everywhere`, with the names of its own fields and relations. */
  readonly inModel: ReadonlyMap<string, Spellings>;
  /** Names of models only: `roomRoutes` is renamed with the model even if a relation is called `room` too. */
  readonly ofModels: Spellings;
  /** Names that stay: `OrderLine`, if only `Order` was renamed. */
  readonly unchanged: ReadonlySet<string>;
}

export function collectRenamed(before: App, after: App): Renamed {
  const models = pairWithDropped(before.models, after.models);
  const enums = pairWithDropped(before.enums, after.enums);
  const names = [
    ...models.flatMap(pairModelNames),
    ...models.flatMap(memberNames),
    ...enums.flatMap(enumNames),
  ];
  const everywhere = unambiguous(names);
  const inModel = pairById(before.models, after.models).kept.map(
    (pair) => [pair.after.name, ownSpellings(pair, everywhere)] as const,
  );
  const unchanged = new Set(names.flatMap(([from, to]) => (from === to ? [from] : [])));
  const ofModels = unambiguous(models.flatMap(pairModelNames));
  return { everywhere, inModel: new Map(inModel), ofModels, unchanged };
}

/** The names that a word of the old app may have now. If there are several, the compiler shows which applies. */
export function newNames(
  before: App,
  { app: after, spellings }: { readonly app: App; readonly spellings: Spellings },
): (word: string) => readonly string[] {
  const { inModel, unchanged } = collectRenamed(before, after);
  const ofEnums = pairWithDropped(before.enums, after.enums).flatMap(enumNames);
  const meanings = listMeanings([
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

/** The renames that apply to a rendered file. `base`: the text that was emitted in its place. */
export function spellingsFor(
  { model, content }: Pick<RenderedFile, 'model' | 'content'>,
  { everywhere, inModel, ofModels }: Renamed,
  base: string,
): Spellings {
  const own = (model === undefined ? undefined : inModel.get(model)) ?? everywhere;
  return withCompounds(own, ofModels, { base, theirs: content });
}

/** Adds compounds of renamed words, such as `createPost` → `createArticle`, that occur in the base and the new text. */
export function withCompounds(
  spellings: Spellings,
  ofModels: Spellings,
  texts: { readonly base: string; readonly theirs: string },
): Spellings {
  const parts = new Map([...ofModels, ...spellings]);
  if (parts.size === 0) return spellings;
  const present = new Set(listWords(texts.theirs));
  const compounds = [...new Set(listWords(texts.base))].flatMap((word) => {
    if (spellings.has(word) || present.has(word)) return [];
    const respelled = respell(word, parts);
    return respelled !== word && present.has(respelled) ? [[word, respelled] as const] : [];
  });
  return new Map([...spellings, ...compounds]);
}

type NamePairs = readonly (readonly [string, string])[];

/** Pairs removed things with themselves: their names stay. */
function pairWithDropped<Thing extends { readonly id: string }>(
  before: readonly Thing[],
  after: readonly Thing[],
): readonly Pair<Thing>[] {
  const { kept, dropped } = pairById(before, after);
  return [...kept, ...dropped.map((thing) => ({ before: thing, after: thing }))];
}

/** Each old name with its new one, which may be the same. */
function namesBy<Thing>({ before, after }: Pair<Thing>, list: (thing: Thing) => readonly string[]) {
  const present = list(after);
  return list(before).map((name, at): readonly [string, string] => [name, present[at] || name]);
}

function pairModelNames(pair: Pair<Model>): NamePairs {
  const { type } = pair.before.names;
  const isRenamed = pair.after.names.type !== type;
  // The table of an imported model may be called as its type is, and stays. In code it is always in quotes.
  return listModelNames(pair).filter(([from, to]) => !isRenamed || from !== type || to !== type);
}

function listModelNames(pair: Pair<Model>): NamePairs {
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

function memberNames({ before, after }: Pair<Model>): NamePairs {
  return [
    ...pairWithDropped(before.fields, after.fields).flatMap((pair) =>
      namesBy(pair, ({ name, column }) => [name, column]),
    ),
    ...pairWithDropped(before.relations, after.relations).flatMap((pair) =>
      namesBy(pair, (it) =>
        it.kind === 'links' ? [it.name, it.table, it.idsField ?? ''] : [it.name],
      ),
    ),
  ];
}

function enumNames(pair: Pair<Enum>): NamePairs {
  const values = pairWithDropped(pair.before.values, pair.after.values);
  return [
    ...namesBy(pair, ({ name }) => [name]),
    ...values.flatMap((value) => namesBy(value, (it) => [it.value])),
  ];
}

/** Leaves out names that two things shared, of which only one was renamed. */
function unambiguous(names: NamePairs): Spellings {
  return new Map(
    [...listMeanings(names)].flatMap(([from, to]) => {
      const [only = from] = to;
      return to.size === 1 && only !== from && from !== '' ? [[from, only] as const] : [];
    }),
  );
}

function listMeanings(names: NamePairs): ReadonlyMap<string, ReadonlySet<string>> {
  const meanings = new Map<string, Set<string>>();
  for (const [from, to] of names) meanings.set(from, (meanings.get(from) ?? new Set()).add(to));
  return meanings;
}

function ownSpellings(pair: Pair<Model>, everywhere: Spellings): Spellings {
  const own = new Map([...pairModelNames(pair), ...memberNames(pair)]);
  const spelled = [...new Map([...everywhere, ...own])];
  return new Map(spelled.filter(([from, to]) => from !== to && from !== ''));
}
