import { spellModel } from '../naming/name.ts';
import {
  type App,
  isIdList,
  isTime,
  isUser,
  type Model,
  findModel,
  type Relation,
  findRelationOfKey,
} from './app.ts';
import type { Rename } from './rename.ts';

/** A model and its former one; names map from the present ones to the former ones. */
export interface ModelPair {
  readonly former: Model;
  readonly fields: ReadonlyMap<string, string>;
  readonly relations: ReadonlyMap<string, string>;
  /** Relations to many that were to one, with their keys, which become links. */
  readonly linked: ReadonlyMap<string, string>;
}

/** Models that were there before, by their present type name. */
export function pairModels(
  previous: App,
  next: App,
  renames: readonly Rename[],
): ReadonlyMap<string, ModelPair> {
  const names = formerModelNames(previous, next, renames);
  return new Map(
    next.models.flatMap((model) => {
      const former = findModel(names.get(model.names.type) ?? '', previous);
      return former
        ? [[model.names.type, pairOf(former, model, { previous, names, renames })]]
        : [];
    }),
  );
}

/** `User` is always there and always the same. */
function formerModelNames(
  previous: App,
  next: App,
  renames: readonly Rename[],
): ReadonlyMap<string, string> {
  const renamed = renames
    .filter(({ owner }) => owner === undefined)
    .map(({ from, to }) => ({ from: spellModel(from).type, to: spellModel(to).type }));
  const former = formerNames(others(previous), others(next), formerByNew(renamed));
  return new Map([['User', 'User'], ...former]);
}

function others({ models }: App): readonly Named[] {
  return models
    .filter((model) => !isUser(model))
    .map(({ names, was }) => ({
      name: names.type,
      ...(was === undefined || was.includes('.') ? {} : { was: spellModel(was).type }),
    }));
}

interface Pairing {
  readonly previous: App;
  /** Former names of models by present ones. */
  readonly names: ReadonlyMap<string, string>;
  readonly renames: readonly Rename[];
}

function pairOf(former: Model, model: Model, pairing: Pairing): ModelPair {
  const renamed = formerByNew(
    pairing.renames.filter(({ owner }) => owner === model.name || owner === former.name),
  );
  const relations = formerNames(ownRelations(former), ownRelations(model), renamed);
  const given = model.fields.flatMap(({ name, role, relation }): [string, string][] => {
    const was =
      role === 'key'
        ? former.fields.find(
            (it) => it.role === 'key' && it.relation === relations.get(relation ?? ''),
          )
        : isTime(role) && former.fields.find((it) => it.role === role);
    return was ? [[name, was.name]] : [];
  });
  const fields = formerNames(former.fields, model.fields, new Map([...given, ...renamed]));
  const linked = keysBecomingLinks(relations, { model, former }, pairing);
  const goesAlong = new Set(linked.values());
  return {
    former,
    linked,
    relations: kept(relations, (name, was) => {
      const now = ownRelations(model).find((it) => it.name === name);
      const then = ownRelations(former).find((it) => it.name === was);
      return now?.kind === then?.kind && leadsToSame(now, then, pairing);
    }),
    fields: kept(fields, (name, was) => {
      if (goesAlong.has(was)) return false;
      const now = findRelationOfKey(model, name);
      const then = findRelationOfKey(former, was);
      return now === undefined || then === undefined || leadsToSame(now, then, pairing);
    }),
  };
}

function keysBecomingLinks(
  relations: ReadonlyMap<string, string>,
  { model, former }: { readonly model: Model; readonly former: Model },
  pairing: Pairing,
): ReadonlyMap<string, string> {
  return new Map(
    [...relations].flatMap(([name, was]): [string, string][] => {
      const now = ownRelations(model).find((it) => it.name === name);
      const then = ownRelations(former).find((it) => it.name === was);
      const isLinks = now?.kind === 'links' && now.through === undefined;
      return isLinks && then?.kind === 'one' && leadsToSame(now, then, pairing)
        ? [[name, then.key]]
        : [];
    }),
  );
}

function leadsToSame(
  now: Relation | undefined,
  then: Relation | undefined,
  { names }: Pairing,
): boolean {
  return now !== undefined && then !== undefined && names.get(now.target) === then.target;
}

/** Whether the model itself declares the relation, and not the model at the other side. */
export const isOwn = (relation: Relation) => relation.kind === 'one' || isIdList(relation);

function ownRelations(model: Model): readonly Exclude<Relation, { kind: 'inverse' }>[] {
  return model.relations.filter((it) => it.kind !== 'inverse').filter(isOwn);
}

function kept(
  names: ReadonlyMap<string, string>,
  isSame: (name: string, former: string) => boolean,
): ReadonlyMap<string, string> {
  return new Map([...names].filter(([name, former]) => isSame(name, former)));
}

function formerByNew(renames: readonly Rename[]): ReadonlyMap<string, string> {
  return new Map(renames.map(({ from, to }) => [to, from]));
}

interface Named {
  readonly name: string;
  readonly was?: string;
}

/**
 * The name that each of `next` had in `previous`: known by a rename, by `was`, or unchanged. A `was` counts once: if
 * the previous schema had the same one, that rename is done. A rename from nothing makes the thing new, whatever had
 * its name.
 */
export function formerNames(
  previous: readonly Named[],
  next: readonly Named[],
  renames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const before = new Map(previous.map((item) => [item.name, item]));
  const former = new Map<string, string>();
  const claimed = new Set<string>();
  const claim = (name: string, from: string | undefined) => {
    if (from === undefined || former.has(name) || claimed.has(from) || !before.has(from)) return;
    if (renames.get(name) === '') return;
    former.set(name, from);
    claimed.add(from);
  };
  for (const { name } of next) claim(name, renames.get(name));
  for (const { name, was } of next) if (before.get(name)?.was !== was) claim(name, was);
  for (const { name } of next) claim(name, name);
  return former;
}
