import type { Change } from '../../evolve/changes/change.ts';
import { findChanges } from '../../evolve/changes/find-changes.ts';
import { pairById } from '../../evolve/pairs.ts';
import type { Conflict } from '../../merge/conflict.ts';
import type { App, Model } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';

/** Something of the schema that changed, and the words that speak of it in code. */
export interface Element {
  /** `Post.heading` */
  readonly name: string;
  /** Type name of its model. */
  readonly model?: string;
  readonly words: ReadonlySet<string>;
}

export function findElements(before: App, after: App): readonly Element[] {
  const changes = findChanges(before, after).map(elementOf);
  const models = pairById(before.models, after.models).kept.flatMap((pair) =>
    settings
      .filter((key) => JSON.stringify(pair.before[key]) !== JSON.stringify(pair.after[key]))
      .map((key) => ({
        name: `${schemaName(pair.after)}.${settingNames[key] ?? key}`,
        model: pair.after.names.type,
        words: new Set(settingWords[key](pair)),
      })),
  );
  return [...new Map([...changes, ...models].map((it) => [it.name, it])).values()];
}

/** Those behind a conflict in a file of this model; of any, when it is nobody's. */
export function elementsBehind(
  conflict: Conflict,
  elements: readonly Element[],
  model: string | undefined,
): readonly string[] {
  const near = elements.filter((it) => model === undefined || it.model === model);
  const words = new Set(`${conflict.base}\n${conflict.theirs}`.match(/[\p{L}\p{N}_$]+/gu));
  const named = near.filter((it) => [...it.words].some((word) => words.has(word)));
  const behind = named.length > 0 || model === undefined ? named : near;
  return behind.map(({ name }) => name);
}

/** `scaffold (Post.heading)` */
export function labelOf(elements: readonly string[]): string {
  const shown = elements.slice(0, 3).join(', ');
  if (elements.length === 0) return 'scaffold';
  return elements.length > 3
    ? `scaffold (${shown} and ${elements.length - 3} more)`
    : `scaffold (${shown})`;
}

/** What a model says that no table knows of. */
const settings = ['access', 'endpoints', 'path', 'orderBy', 'description', 'owner'] as const;

const accessWords =
  'definePolicy policy identify authenticate onRequest viewer everyone signedIn self owner role anyOf allOf admin'.split(
    ' ',
  );

/** What speaks of them in code: the names of the model stand everywhere. */
const settingWords: Readonly<
  Record<(typeof settings)[number], (pair: { before: Model; after: Model }) => readonly string[]>
> = {
  access: ({ after }) => [`${after.names.variable}Policy`, ...accessWords],
  endpoints: ({ before, after }) =>
    [before, after].flatMap(({ names: { type, typePlural } }) => [
      `list${typePlural}`,
      ...['create', 'find', 'update', 'delete'].map((verb) => `${verb}${type}`),
    ]),
  path: ({ before, after }) => [before, after].flatMap(({ path }) => path.match(/\w+/g) ?? []),
  orderBy: () => ['orderBy', 'order_by'],
  description: () => ['description'],
  owner: (pair) =>
    [pair.before.owner, pair.after.owner].flatMap((it) =>
      it === undefined ? [] : ['owner', it, `${it}_id`],
    ),
};

const settingNames: Partial<Record<(typeof settings)[number], string>> = { orderBy: 'order_by' };

function elementOf(change: Change): Element {
  const sides = [
    ...('before' in change ? [change.before] : []),
    ...('after' in change ? [change.after] : []),
  ];
  const model = sides.map(modelOf).findLast((it) => it !== undefined);
  return {
    name: change.target,
    words: new Set(sides.flatMap(wordsOf)),
    ...(model && { model }),
  };
}

type Side = Extract<Change, { after: unknown }>['after'];

function modelOf(side: Side): string | undefined {
  if ('names' in side) return side.names.type;
  if ('left' in side) return side.left.model;
  return 'model' in side ? side.model.names.type : undefined;
}

function wordsOf(side: Side): readonly string[] {
  if ('names' in side) return Object.values(side.names);
  if ('left' in side) return [side.table, side.left.column, side.right.column];
  if ('value' in side) return [side.value];
  if ('fields' in side) return side.fields;
  const { name, column, relation, role } = side.field;
  const { type } = side.model.names;
  const ofDeletion = role === 'deleted_at' ? ['softDelete', 'restore', `restore${type}`] : [];
  return [name, column, relation ?? name, ...ofDeletion];
}
