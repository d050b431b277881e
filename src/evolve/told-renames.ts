import type { App, Model } from '../model/app.ts';
import { isOwn } from '../model/model-pairs.ts';
import type { Rename } from '../model/rename.ts';
import { schemaName } from '../model/schema-name.ts';
import { type Pair, pairById } from './pairs.ts';

/**
 * What one branch has renamed, for an app of the other: from the name that a thing has there. Both come from the same
 * app, by which ids tell what is the same.
 */
export function toldRenames(fork: App, told: App, other: App): readonly Rename[] {
  const models = triples(fork.models, told.models, other.models);
  const enums = triples(fork.enums, told.enums, other.enums);
  return [
    ...renamesOf(models, schemaName),
    ...models.flatMap(ofModel),
    ...renamesOf(enums, nameOf),
    ...enums.flatMap(({ fork: was, told: is, other: there }) =>
      renamesOf(triples(was.values, is.values, there.values), ({ value }) => value, there.name),
    ),
  ];
}

interface Triple<Thing> {
  readonly fork: Thing;
  readonly told: Thing;
  readonly other: Thing;
}

function ofModel({ fork, told, other }: Triple<Model>): readonly Rename[] {
  const owner = schemaName(other);
  const fields = triples(ownFields(fork), ownFields(told), ownFields(other));
  const relations = triples(ownRelations(fork), ownRelations(told), ownRelations(other));
  return [...renamesOf(fields, nameOf, owner), ...renamesOf(relations, nameOf, owner)];
}

const nameOf = ({ name }: { readonly name: string }) => name;

/** Keys go with their relations. */
function ownFields({ fields }: Model) {
  return fields.filter(({ role }) => role !== 'key');
}

function ownRelations({ relations }: Model) {
  return relations.filter(isOwn);
}

function triples<Thing extends { readonly id: string }>(
  fork: readonly Thing[],
  told: readonly Thing[],
  other: readonly Thing[],
): readonly Triple<Thing>[] {
  const there = new Map(other.map((thing) => [thing.id, thing]));
  return pairById(fork, told).kept.flatMap(({ before, after }: Pair<Thing>) => {
    const thing = there.get(before.id);
    return thing === undefined ? [] : [{ fork: before, told: after, other: thing }];
  });
}

function renamesOf<Thing>(
  things: readonly Triple<Thing>[],
  name: (thing: Thing) => string,
  owner?: string,
): readonly Rename[] {
  return things
    .filter(({ fork, told }) => name(fork) !== name(told))
    .filter(({ told, other }) => name(told) !== name(other))
    .map(({ told, other }) => ({
      ...(owner === undefined ? {} : { owner }),
      from: name(other),
      to: name(told),
    }));
}
