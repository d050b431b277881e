import type { Change } from '../../evolve/changes/change.ts';
import { findChanges } from '../../evolve/changes/find-changes.ts';
import { type Pair, pairById } from '../../evolve/pairs.ts';
import { type App, type Model, toOneOf } from '../../model/app.ts';
import { accessRules, whoMay } from '../../model/describe-access.ts';
import { schemaName } from '../../naming/name.ts';
import { operations } from '../../schema/language.ts';

/** Something of the schema that changed, and the words that speak of it in code. */
export interface Element {
  /** `Post.heading` */
  readonly name: string;
  /** Type name of its model. */
  readonly model?: string;
  readonly words: ReadonlySet<string>;
  readonly isAccess?: boolean;
}

export function findElements(before: App, after: App): readonly Element[] {
  const changes = findChanges(before, after).map((it) => elementOf(it, [before, after]));
  const { kept } = pairById(before.models, after.models);
  const rules = kept.flatMap(ruleElements);
  const models = kept.flatMap((pair) =>
    settings
      .filter((key) => JSON.stringify(pair.before[key]) !== JSON.stringify(pair.after[key]))
      .map((key) => ({
        name: `${schemaName(pair.after)}.${settingNames[key] ?? key}`,
        model: pair.after.names.type,
        words: new Set(settingWords[key](pair)),
        isAccess: key === 'access',
      })),
  );
  return [...new Map([...rules, ...changes, ...models].map((it) => [it.name, it])).values()];
}

/** Who may do what besides the operations: `write accepted` of `Membership` is said at `Membership.accepted`. */
function ruleElements({ before, after }: Pair<Model>): readonly Element[] {
  const [was, is] = [whoMay(before), whoMay(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (label) => was.get(label) !== is.get(label) && !operations.some((name) => name === label),
  );
  const rules = new Map([...accessRules(before), ...accessRules(after)]);
  return changed.map((label) => {
    const name = rules.get(label)?.member ?? label;
    const keys = after.fields.filter(({ relation }) => relation === name).map((it) => it.name);
    const words = new Set([name, ...keys]);
    const model = after.names.type;
    return { name: `${schemaName(after)}.${name}`, model, words, isAccess: true };
  });
}

/** What a model says that no table knows of. */
const settings = ['access', 'endpoints', 'path', 'orderBy', 'description', 'owner'] as const;

const accessWords =
  'definePolicy policy identify authenticate onRequest viewer everyone signedIn self owner role anyOf allOf when over via admin'.split(
    ' ',
  );

/** What speaks of them in code: the names of the model stand everywhere. */
const settingWords: Readonly<
  Record<(typeof settings)[number], (pair: Pair<Model>) => readonly string[]>
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
  owner: ({ before, after }) =>
    [before, after].flatMap((model) => {
      const relation = toOneOf(model, model.owner);
      return relation === undefined ? [] : ['owner', relation.name, relation.key];
    }),
};

const settingNames: Partial<Record<(typeof settings)[number], string>> = { orderBy: 'order_by' };

function elementOf(change: Change, apps: readonly App[]): Element {
  const sides = [
    ...('before' in change ? [change.before] : []),
    ...('after' in change ? [change.after] : []),
  ];
  const model = sides.map(modelOf).findLast((it) => it !== undefined);
  return {
    name: change.target,
    words: new Set(sides.flatMap((side) => [...wordsFor(side), ...relationWords(side, apps)])),
    ...(model && { model }),
  };
}

type ChangedThing = Extract<Change, { after: unknown }>['after'];

function modelOf(side: ChangedThing): string | undefined {
  if ('names' in side) return side.names.type;
  if ('left' in side) return side.left.model;
  return 'model' in side ? side.model.names.type : undefined;
}

function wordsFor(side: ChangedThing): readonly string[] {
  if ('names' in side) return Object.values(side.names);
  if ('left' in side) return [side.table, side.left.column, side.right.column];
  if ('value' in side) return [side.value];
  if ('fields' in side) return side.fields;
  const { name, column, relation, role } = side.field;
  const { type } = side.model.names;
  const ofDeletion = role === 'deleted_at' ? ['softDelete', 'restore', `restore${type}`] : [];
  return [name, column, relation ?? name, ...ofDeletion];
}

/** By which code speaks of a table of pairs: `tags`, `tag_ids`. */
function relationWords(side: ChangedThing, apps: readonly App[]): readonly string[] {
  if (!('left' in side)) return [];
  const relations = apps.flatMap(({ models }) => models.flatMap((model) => model.relations));
  return relations.flatMap((it) =>
    it.kind === 'links' && it.table === side.table ? [it.name, it.idsField ?? it.name] : [],
  );
}
