import { present } from '../present.ts';
import {
  type App,
  type Enum,
  isServerTime,
  isUser,
  type LinksRelation,
  type Model,
  type Relation,
  type ToOneRelation,
} from './app.ts';
import { findModel, findRelationByKey } from './lookups.ts';
import { listIds, isDeclaredHere, nameOfLinks } from './carried-ids.ts';
import type { Rename } from './rename.ts';

/** The ids of the previous app by the fresh ids of the next one. */
export function matchFormerIds(
  previous: App,
  next: App,
  renames: readonly Rename[],
): ReadonlyMap<string, string> {
  const sides = previous.joinTables.flatMap((join) =>
    (['left', 'right'] as const).map((side) => {
      return [`join:${nameOfLinks(join, previous)}.${side}`, `${join.id}.${side}`] as const;
    }),
  );
  const ids = new Map([...listIds(previous), ...sides]);
  const models = formerNames(
    previous.models.filter((it) => !isUser(it)),
    next.models.filter((it) => !isUser(it)),
    formerByNew(renames),
  );
  const pairing = { previous, next, renames, models: new Map([['User', 'User'], ...models]) };
  const pairs = [
    ...pairEnums(pairing),
    ...next.models.flatMap((model) => pairModel(model, pairing)),
  ];
  return new Map(
    pairs.flatMap(([fresh, former]) => {
      const id = ids.get(former);
      return id === undefined ? [] : [[fresh, id] as const];
    }),
  );
}

/** The names or fresh ids of the same thing in the next and in the previous app. */
type FreshPair = readonly [fresh: string, former: string];

interface Pairing {
  readonly previous: App;
  readonly next: App;
  readonly renames: readonly Rename[];
  /** Former names of models by new ones. */
  readonly models: ReadonlyMap<string, string>;
}

function pairEnums({ previous, next, renames }: Pairing): readonly FreshPair[] {
  const known = new Map([...pairEnumsByValues(previous, next), ...formerByNew(renames)]);
  const names = formerNames(previous.enums, next.enums, known);
  return next.enums.flatMap(({ name, values }): readonly FreshPair[] => {
    const former = previous.enums.find((it) => it.name === names.get(name));
    if (former === undefined) return [];
    const renamed = formerByNew(renames, [name, former.name]);
    const [was, is] = [former.values, values].map((all) =>
      all.map((it) => ({ name: it.value, ...present({ was: it.was }) })),
    );
    const formerValues = formerNames(was ?? [], is ?? [], renamed);
    return [
      [`enum:${name}`, `enum:${former.name}`],
      ...[...formerValues].map(([now, then]): FreshPair => [
        `value:${name}.${now}`,
        `value:${former.name}.${then}`,
      ]),
    ];
  });
}

/** Where values of a new enum say what they were, it is the one that had them, if that is gone. */
function pairEnumsByValues(previous: App, next: App): readonly FreshPair[] {
  const gone = previous.enums.filter(({ name }) => !has(next, name));
  const isNew = ({ name }: Enum) => !has(previous, name);
  return next.enums.filter(isNew).flatMap(({ name, values }) => {
    const said = new Set(values.map(({ was }) => was));
    const [former, ...others] = gone.filter((it) => it.values.some(({ value }) => said.has(value)));
    return former === undefined || others.length > 0 ? [] : [[name, former.name] as const];
  });
}

const has = ({ enums }: App, name: string) => enums.some((it) => it.name === name);

function pairModel(model: Model, pairing: Pairing): readonly FreshPair[] {
  const { name } = model;
  const former = findModel(pairing.models.get(name) ?? '', pairing.previous);
  if (former === undefined) return pairLinks(model, pairing);
  const renamed = formerByNew(pairing.renames, [name, former.name]);
  const relations = formerNames(ownRelations(former), ownRelations(model), renamed);
  const ofRelations = [...relations].map(([now, then]) =>
    pairRelation({ model, name: now }, { model: former, name: then }, pairing),
  );
  const linked = new Set(ofRelations.map((it) => it.linkedKey));
  const given = model.fields.flatMap(({ name: now, role, relation }): [string, string][] => {
    const was = former.fields.find((it) =>
      role === 'key'
        ? it.role === 'key' && it.relation === relations.get(relation ?? '')
        : isServerTime(role) && it.role === role,
    );
    return was ? [[now, was.name]] : [];
  });
  const fields = formerNames(former.fields, model.fields, new Map([...given, ...renamed]));
  return [
    [`model:${name}`, `model:${former.name}`],
    ...ofRelations.flatMap((it) => it.pairs),
    ...[...fields]
      .filter(([now, then]) => {
        const [key, was] = [findRelationByKey(model, now), findRelationByKey(former, then)];
        return !linked.has(then) && (!key || !was || leadsToSame(key, was, pairing));
      })
      .map(([now, then]): FreshPair => [`field:${name}.${now}`, `field:${former.name}.${then}`]),
  ];
}

/** Pairs a relation, its inverse and its join table, which may also continue the key of a to-one relation. */
function pairRelation(now: RelationOf, then: RelationOf, pairing: Pairing) {
  const [relation, former] = [now, then].map(({ model, name }) =>
    ownRelations(model).find((it) => it.name === name),
  );
  if (!relation || !former || !leadsToSame(relation, former, pairing)) return { pairs: [] };
  const [fresh, was] = [now, then].map(({ model, name }) => `${model.name}.${name}`);
  if (relation.kind === former.kind) {
    const kinds = ['relation', 'inverse', 'join'];
    return { pairs: kinds.map((kind): FreshPair => [`${kind}:${fresh}`, `${kind}:${was}`]) };
  }
  if (former.kind !== 'one' || (relation.kind === 'links' && relation.through !== undefined))
    return { pairs: [] };
  const pair: FreshPair = [`join:${fresh}`, `field:${then.model.name}.${former.key}`];
  return { pairs: [pair], linkedKey: former.key };
}

interface RelationOf {
  readonly model: Model;
  readonly name: string;
}

/** Pairs a model that was a many-to-many relation (`was: Item.tags`), and its keys with the columns of that. */
function pairLinks(model: Model, pairing: Pairing): readonly FreshPair[] {
  const { previous } = pairing;
  const join = previous.joinTables.find((it) => nameOfLinks(it, previous) === model.was);
  if (join === undefined) return [];
  const [left, right] = [join.left, join.right].map((side) =>
    model.relations.flatMap((it) =>
      it.kind === 'one' && leadsToSame(it, { target: side.model }, pairing) ? [it.key] : [],
    ),
  );
  const first = left?.[0];
  const second = right?.find((key) => key !== first);
  if (first === undefined || second === undefined) return [];
  const was = `join:${model.was}`;
  return [
    [`model:${model.name}`, was],
    [`field:${model.name}.${first}`, `${was}.left`],
    [`field:${model.name}.${second}`, `${was}.right`],
  ];
}

type Target = Pick<Relation, 'target'>;

function leadsToSame(now: Target, then: Target, { models }: Pairing): boolean {
  return models.get(now.target) === then.target;
}

function ownRelations({ relations }: Model): readonly (ToOneRelation | LinksRelation)[] {
  return relations.filter((it) => it.kind !== 'inverse').filter(isDeclaredHere);
}

/** Former names by new ones, for names inside these owners; without owners, for models and enums. */
function formerByNew(
  renames: readonly Rename[],
  owners: readonly (string | undefined)[] = [undefined],
): ReadonlyMap<string, string> {
  const own = renames.filter(({ owner }) => owners.includes(owner));
  return new Map(own.map(({ from, to }) => [to, from]));
}

interface Named {
  readonly name: string;
  readonly was?: string;
}

/**
 * The former name of each thing in `next`, from a rename, from `was`, or because it is unchanged. A `was` that the
 * previous schema had too is done already.
 */
function formerNames(
  previous: readonly Named[],
  next: readonly Named[],
  renames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const before = new Map(previous.map((item) => [item.name, item]));
  const former = new Map<string, string>();
  const claimed = new Set<string>();
  const claim = (name: string, from: string | undefined) => {
    if (from === undefined || former.has(name) || claimed.has(from) || !before.has(from)) return;
    former.set(name, from);
    claimed.add(from);
  };
  for (const { name } of next) claim(name, renames.get(name));
  for (const { name, was } of next) if (before.get(name)?.was !== was) claim(name, was);
  for (const { name } of next) claim(name, name);
  return former;
}
