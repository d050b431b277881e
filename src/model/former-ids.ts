import { present } from '../present.ts';
import {
  type App,
  findRelationOfKey,
  isTime,
  isUser,
  type Links,
  type Model,
  type Relation,
  type ToOne,
} from './app.ts';
import { identities, isOwn, linksName, nameOfType } from './carried-ids.ts';
import type { Rename } from './rename.ts';

/** The ids of what was there before, by those that the same things would have if the next app were new. */
export function formerIds(
  previous: App,
  next: App,
  renames: readonly Rename[],
): ReadonlyMap<string, string> {
  const sides = previous.joinTables.flatMap((join) =>
    (['left', 'right'] as const).map((side) => {
      return [`join:${linksName(join, previous)}.${side}`, `${join.id}.${side}`] as const;
    }),
  );
  const ids = new Map([...identities(previous), ...sides]);
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

/** What a thing's id would be if the next app were new, and if the previous one were. */
type FreshPair = readonly [fresh: string, former: string];

interface Pairing {
  readonly previous: App;
  readonly next: App;
  readonly renames: readonly Rename[];
  /** Former names of models by present ones. */
  readonly models: ReadonlyMap<string, string>;
}

function pairEnums({ previous, next, renames }: Pairing): readonly FreshPair[] {
  const names = formerNames(previous.enums, next.enums, formerByNew(renames));
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

function pairModel(model: Model, pairing: Pairing): readonly FreshPair[] {
  const { name } = model;
  const former = pairing.previous.models.find((it) => it.name === pairing.models.get(name));
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
        : isTime(role) && it.role === role,
    );
    return was ? [[now, was.name]] : [];
  });
  const fields = formerNames(former.fields, model.fields, new Map([...given, ...renamed]));
  return [
    [`model:${name}`, `model:${former.name}`],
    ...ofRelations.flatMap((it) => it.pairs),
    ...[...fields]
      .filter(([now, then]) => {
        const [key, was] = [findRelationOfKey(model, now), findRelationOfKey(former, then)];
        return !linked.has(then) && (!key || !was || leadsToSame(key, was, pairing));
      })
      .map(([now, then]): FreshPair => [`field:${name}.${now}`, `field:${former.name}.${then}`]),
  ];
}

/** A relation with its other side and its links; links may take the key of what was a relation to one. */
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

/** The links of `was: Item.tags`, and the columns that the two keys of the model were. */
function pairLinks(model: Model, pairing: Pairing): readonly FreshPair[] {
  const { previous } = pairing;
  const join = previous.joinTables.find((it) => linksName(it, previous) === model.was);
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

function leadsToSame(now: Target, then: Target, { previous, next, models }: Pairing): boolean {
  return models.get(nameOfType(now.target, next)) === nameOfType(then.target, previous);
}

function ownRelations({ relations }: Model): readonly (ToOne | Links)[] {
  return relations.filter((it) => it.kind !== 'inverse').filter(isOwn);
}

/** Former names by new ones, of what these own; of models and enums without them. */
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
 * The name that each of `next` had in `previous`: known by a rename, by `was`, or unchanged. A `was` counts once: if
 * the previous schema had the same one, that rename is done.
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
