import type { App } from '../../model/app.ts';
import { carryIds } from '../../model/carry.ts';
import { isOwn } from '../../model/model-pairs.ts';
import type { Rename } from '../../model/rename.ts';
import { schemaName } from '../../naming/name.ts';
import { present } from '../../schema/present.ts';
import { dialects } from '../dialect.ts';
import { type Evolved, joinMigration, migrateBoth } from '../migrate.ts';
import { planChanges } from '../plan-changes.ts';
import { appTables } from '../tables/app-tables.ts';
import { shapeOf } from '../tables/differences.ts';
import {
  type Edit,
  type Fork,
  findHeads,
  type History,
  appAfter,
  numberOf,
  placeBehind,
  refusal,
  type StoredMigration,
} from './stored-migrations.ts';

export interface Histories extends History {
  /** The app of the record. */
  readonly before: App;
  /** What the schema means now, without the ids that it has carried. */
  readonly built: App;
  readonly renames: readonly Rename[];
  readonly schemaText: string;
  readonly name?: string;
}

/** From where, and as what, the next migration goes on. */
export interface Join {
  readonly before: App;
  /** Id of the last migration. */
  readonly head: string;
  /** Number of the next one. */
  readonly sequence: number;
  /** Those that were asked for, and those that the other branch knows of. */
  readonly renames: readonly Rename[];
  /** Keys of hazards that somebody has agreed to on a branch. */
  readonly accepted: readonly string[];
  /** Files below `migrations/` that get another text, and that go. */
  readonly edits: readonly Edit[];
  readonly removed: readonly string[];
  /** Brings both branches together: then there is nothing more to migrate. */
  readonly evolved?: Evolved;
}

/**
 * Two branches that each added migrations, merged. When what they did does not meet, theirs follow ours as they are;
 * else one new migration stands for theirs, and knows a way for databases that have applied those.
 */
export function joinHeads(histories: Histories): Join {
  const { migrations, recorded, renames } = histories;
  const { ours, branches } = findHeads(migrations, recorded);
  const numbers = [...migrations.map(({ id }) => id), ...recorded].map(numberOf);
  let join: Join = {
    before: histories.before,
    head: ours.at(-1)?.id ?? recorded.toSorted().at(-1) ?? '',
    sequence: Math.max(0, ...numbers) + 1,
    renames,
    accepted: [],
    edits: [],
    removed: [],
  };
  for (const fork of branches) {
    if (join.evolved !== undefined) {
      throw refusal(
        `More than two branches meet: ${branches.map(({ theirs }) => `\`${theirs.at(-1)?.id}\``).join(', ')}.`,
        'Merge one branch, run `npx scaffold regenerate` and commit; then the next.',
      );
    }
    const last = fork.shared.at(-1)?.id ?? join.head;
    const parting = last === join.head ? ordered(fork) : fork;
    join = parting === undefined ? follow(join, fork) : meet(histories, join, parting);
  }
  return join;
}

/** They come after ours already, or are all that there is. */
function follow(join: Join, { theirs }: Fork): Join {
  const { formerDatabase } = join.before;
  return {
    ...join,
    before: { ...(lastApp(theirs) ?? join.before), ...present({ formerDatabase }) },
    head: theirs.at(-1)?.id ?? join.head,
    accepted: theirs.flatMap(({ accepted }) => accepted),
  };
}

/**
 * Where the branches parted, when somebody has put theirs behind ours by hand: what one of theirs did leads from there,
 * and not from the one that it follows now, to the tables after it.
 */
function ordered({ shared, theirs }: Fork): Fork | undefined {
  const [former, later] = [shared.filter(isGenerated), theirs.filter(isGenerated)];
  const jump = later.findLast((it, index) => {
    const before = later[index - 1] ?? former.at(-1);
    return before !== undefined && !leadsTo(before, it);
  });
  // What says what two branches have come to does nothing itself.
  if (jump === undefined || jump.operations.length === 0) return undefined;
  const place = shared.findLastIndex((it) => isGenerated(it) && leadsTo(it, jump)) + 1;
  if (place === 0) return undefined;
  return { shared: shared.slice(0, place), ours: shared.slice(place), theirs };
}

/** Whether the tables after one migration, and what another has done, make the tables after that. */
function leadsTo(from: StoredMigration, to: StoredMigration): boolean {
  const [before, after] = [appAfter(from), appAfter(to)];
  if (before === undefined || after === undefined) return false;
  const { changes } = planChanges({ before, after });
  return namesOf(changes) === namesOf(to.operations);
}

function namesOf(operations: StoredMigration['operations']): string {
  return operations.map(({ kind, target }) => `${kind} ${target}`).join('\n');
}

function isGenerated({ texts }: StoredMigration): boolean {
  return texts['schema.yaml'] !== undefined;
}

function meet(histories: Histories, join: Join, fork: Fork): Join {
  const theirs = lastApp(fork.theirs);
  if (theirs === undefined) return putBehind(fork, join);
  const apps = { fork: lastApp(fork.shared) ?? theirs, ours: join.before, theirs };
  const { built, schemaText, name } = histories;
  const renames = [
    ...join.renames,
    ...branchRenames({ ...apps, branch: apps.theirs, other: apps.ours }, 'other'),
  ];
  const after = carryIds(apps.ours, built, renames);
  const accepted = [...fork.ours, ...fork.theirs].flatMap((it) => it.accepted);
  const both = { ...join, renames, accepted };
  const options = { sequence: join.sequence, schemaText, ...present({ name }) };
  const ours = [...appsAfter(fork.ours), apps.ours];
  const isOrdered = fork.theirs[0]?.parent === join.head;
  if (isOrdered || isSum(apps.fork, ours, appsAfter(fork.theirs), after)) {
    const behind = putBehind(fork, both);
    return { ...behind, evolved: joinMigration(after, { ...options, parent: behind.head }) };
  }
  refuseEdited(fork);
  const reversed = [
    ...join.renames,
    ...branchRenames({ ...apps, branch: apps.ours, other: apps.theirs }, 'branch'),
  ];
  const branch = {
    before: apps.theirs,
    after: carryIds(apps.theirs, built, reversed),
    replaces: fork.theirs.map(({ id }) => id),
  };
  const pair = { before: apps.ours, after };
  const evolved = migrateBoth(pair, branch, { ...options, parent: join.head });
  const removed = fork.theirs.flatMap(({ id, texts }) =>
    Object.keys(texts).map((file) => `migrations/${id}/${file}`),
  );
  return { ...both, removed, evolved };
}

/** Theirs follow ours; their SQL stays what it is. */
function putBehind({ theirs }: Fork, join: Join): Join {
  const [first] = theirs;
  if (first === undefined) return join;
  return {
    ...join,
    edits: first.parent === join.head ? [] : [placeBehind(first, join.head)],
    head: theirs.at(-1)?.id ?? join.head,
  };
}

/** What somebody has written into the SQL of one branch would be missing on the way of the other. */
function refuseEdited({ ours, theirs }: Fork): void {
  const edited = [...theirs, ...ours].find(({ isEdited }) => isEdited);
  if (edited === undefined) return;
  throw refusal(
    `Two branches have changed the same tables, and \`migrations/${edited.id}/up.sql\` was written or edited by hand.`,
    `Put one after the other yourself: write \`"parent": "${ours.at(-1)?.id}"\` into \`migrations/${theirs[0]?.id}/meta.json\`, change its SQL to fit, and run \`npx scaffold regenerate\` again. A database that has only that one takes it back first, with the code of its branch: \`npm run db:rollback\`.`,
  );
}

/** After the last one that was generated. */
function lastApp(migrations: readonly StoredMigration[]): App | undefined {
  const last = migrations.findLast(isGenerated);
  return last && appAfter(last);
}

function appsAfter(migrations: readonly StoredMigration[]): readonly App[] {
  return migrations.flatMap((it) => appAfter(it) ?? []);
}

/**
 * Whether two branches have changed different tables, and an app has those of both as each has left them: then it does
 * not matter in which order a database gets their migrations. What a branch has changed and taken back, it has changed:
 * `ours` and `theirs` are the apps after each of their migrations.
 */
export function isSum(fork: App, ours: readonly App[], theirs: readonly App[], sum: App): boolean {
  const was = shapes(fork);
  const [here, there] = [ours.map(shapes), theirs.map(shapes)];
  const ids = [...new Set([was, ...here, ...there].flatMap((tables) => [...tables.keys()]))];
  const isChanged = (id: string, way: readonly Shapes[]) =>
    way.some((tables) => tables.get(id) !== was.get(id));
  if (ids.some((id) => isChanged(id, here) && isChanged(id, there))) return false;
  const added = ids.flatMap((id) => (isChanged(id, there) ? there : here).at(-1)?.get(id) ?? []);
  return added.toSorted().join('\n') === [...shapes(sum).values()].toSorted().join('\n');
}

/** By the ids of the tables. */
type Shapes = ReadonlyMap<string, string>;

function shapes(app: App): Shapes {
  const tables = appTables(app, dialects[app.database]);
  return new Map(tables.map((table) => [table.id, shapeOf(table)]));
}

interface Branches {
  /** Where the branches parted. */
  readonly fork: App;
  /** The one whose renames are asked for. */
  readonly branch: App;
  /** The one that gets them. */
  readonly other: App;
}

/**
 * What one branch has renamed, for an app of the other: from the name that a thing has there. Ids say what is the
 * same. Something new that has the name of something gone was renamed from nothing. `winner` says whose name stands
 * when both have renamed a thing.
 */
function branchRenames(apps: Branches, winner: 'branch' | 'other'): readonly Rename[] {
  const fork = new Map(thingsOf(apps.fork).map((thing) => [thing.id, thing]));
  const others = thingsOf(apps.other);
  return thingsOf(apps.branch).flatMap(({ id, name, kind, owner }) => {
    const was = fork.get(id);
    const siblings = others.filter((it) => it.kind === kind && it.owner?.id === owner?.id);
    const there = siblings.find((it) => it.id === id);
    const namesake = siblings.find((it) => it.name === name);
    const isOwnerNew = owner !== undefined && !fork.has(owner.id);
    if (isOwnerNew || was?.name === name || there?.name === name) return [];
    const isOthers = winner === 'other' && was?.name !== there?.name;
    if (there !== undefined) return isOthers ? [] : [renameOf(there, there.name, name)];
    const isTaken = was === undefined && namesake !== undefined && fork.has(namesake.id);
    return isTaken ? [renameOf(namesake, '', name)] : [];
  });
}

function renameOf({ owner }: Thing, from: string, to: string): Rename {
  return { ...present({ owner: owner?.name }), from, to };
}

interface Identity {
  readonly id: string;
  readonly name: string;
}

/** What may be renamed by itself. */
interface Thing extends Identity {
  readonly kind: 'model' | 'enum' | 'field' | 'relation' | 'value';
  readonly owner?: Identity;
}

/** Keys go with their relations. */
function thingsOf({ models, enums }: App): readonly Thing[] {
  return [
    ...models.map((it): Thing => ({ kind: 'model', id: it.id, name: schemaName(it) })),
    ...enums.map(({ id, name }): Thing => ({ kind: 'enum', id, name })),
    ...models.flatMap((model) => {
      const owner = { id: model.id, name: schemaName(model) };
      const fields = model.fields.filter(({ role }) => role !== 'key');
      return [
        ...fields.map(({ id, name }): Thing => ({ kind: 'field', id, name, owner })),
        ...model.relations
          .filter(isOwn)
          .map(({ id, name }): Thing => ({ kind: 'relation', id, name, owner })),
      ];
    }),
    ...enums.flatMap((owner) =>
      owner.values.map(({ id, value }): Thing => ({ kind: 'value', id, name: value, owner })),
    ),
  ];
}
