import type { App, Enum, Model } from '../../model/app.ts';
import { isOwn } from '../../model/model-pairs.ts';
import type { Rename } from '../../model/rename.ts';
import { present } from '../../schema/present.ts';
import { schemaName } from '../../naming/name.ts';

interface Branches<Thing> {
  /** Where the branches parted. */
  readonly fork: Thing;
  /** The one whose renames are asked for. */
  readonly branch: Thing;
  /** The one that gets them. */
  readonly other: Thing;
}

/**
 * What one branch has renamed, for an app of the other: from the name that a thing has there. Ids say what is the
 * same. Something new that has the name of something gone was renamed from nothing.
 */
export function branchRenames(apps: Branches<App>, winner: Winner): readonly Rename[] {
  const renamesOf = (names: Branches<readonly Identity[]>, owner?: string) =>
    findRenames(names, winner).map(([from, to]) => ({ ...present({ owner }), from, to }));
  const ofModels = siblings(apps, ({ models }) => identities(models, schemaName));
  const ofEnums = siblings(apps, ({ enums }) => identities(enums, nameOf));
  return [
    ...renamesOf(ofModels),
    ...renamesOf(ofEnums),
    ...shared(apps, ({ models }) => models).flatMap((pair) => {
      const owner = schemaName(pair.other);
      return [
        ...renamesOf(siblings(pair, ownFields), owner),
        ...renamesOf(siblings(pair, ownRelations), owner),
      ];
    }),
    ...shared(apps, ({ enums }) => enums).flatMap((pair) =>
      renamesOf(siblings(pair, valuesOf), pair.other.name),
    ),
  ];
}

/** Whose name stands when both have renamed a thing. */
type Winner = 'branch' | 'other';

interface Identity {
  readonly id: string;
  readonly name: string;
}

function identities<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  name: (thing: Thing) => string,
): readonly Identity[] {
  return things.map((thing) => ({ id: thing.id, name: name(thing) }));
}

const nameOf = ({ name }: { readonly name: string }) => name;

/** Keys go with their relations. */
function ownFields({ fields }: Model): readonly Identity[] {
  return fields.filter(({ role }) => role !== 'key');
}

function ownRelations({ relations }: Model): readonly Identity[] {
  return relations.filter(isOwn);
}

function valuesOf({ values }: Enum): readonly Identity[] {
  return identities(values, ({ value }) => value);
}

function siblings<Thing, Inner>(
  { fork, branch, other }: Branches<Thing>,
  inner: (thing: Thing) => Inner,
): Branches<Inner> {
  return { fork: inner(fork), branch: inner(branch), other: inner(other) };
}

/** What both branches still have. */
function shared<Thing extends { readonly id: string }>(
  apps: Branches<App>,
  list: (app: App) => readonly Thing[],
): readonly Branches<Thing>[] {
  const { fork, branch, other } = siblings(apps, list);
  return fork.flatMap((was) => {
    const [here, there] = [branch, other].map((things) => things.find(({ id }) => id === was.id));
    return here === undefined || there === undefined
      ? []
      : [{ fork: was, branch: here, other: there }];
  });
}

function findRenames(
  { fork, branch, other }: Branches<readonly Identity[]>,
  winner: Winner,
): readonly (readonly [from: string, to: string])[] {
  return branch.flatMap(({ id, name }): [string, string][] => {
    const was = fork.find((it) => it.id === id);
    const there = other.find((it) => it.id === id);
    if (was?.name === name || there?.name === name) return [];
    if (there !== undefined) {
      const isOthers = winner === 'other' && was?.name !== there.name;
      return isOthers ? [] : [[there.name, name]];
    }
    const namesake = other.find((it) => it.name === name);
    const isTaken = fork.some((it) => it.id === namesake?.id);
    return was === undefined && isTaken ? [['', name]] : [];
  });
}
