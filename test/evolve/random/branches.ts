import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { AppliedMigration } from '../../../runner/history.ts';
import { makeInitialMigration, tablesSql } from '../../../src/evolve/initial.ts';
import {
  type HistoryAndSchema,
  type Join,
  joinHeads,
} from '../../../src/evolve/heads/join-heads.ts';
import { makeMigration } from '../../../src/evolve/make-migration.ts';
import type { Migration } from '../../../src/evolve/migration.ts';
import { readMigrations } from '../../../src/evolve/heads/stored-migrations.ts';
import { UserError } from '../../../src/errors.ts';
import type { App } from '../../../src/model/app.ts';
import { carryIds } from '../../../src/model/carry.ts';
import { parseRename } from '../../../src/model/rename.ts';
import { wholeSchema } from '../support/app-of.ts';
import { applyHistory } from '../support/apply-history.ts';
import { type Folder, writeMigrations } from '../support/migrations-folder.ts';
import { type Store, tablesOf } from '../support/store.ts';
import { type Data, evolveData } from './data.ts';
import { chance, type Draw } from './draw.ts';
import { hasNamesTwice, mergeWorlds, withoutFormerNames } from './merge-worlds.ts';
import {
  expectRows,
  firstStage,
  grow,
  insertData,
  legalApp,
  rethrow,
  type Stage,
} from './stage.ts';
import { drawStep } from './step.ts';
import { schemaText, type World } from './world.ts';
import type { Engine } from '../../../src/types/field-type.ts';

export interface BranchCounts {
  illegal: number;
  /** Merges in which their migrations follow ours. */
  linked: number;
  /** Merges in which one branch is written again. */
  chosen: number;
  refused: number;
  rows: number;
}

interface Bench {
  readonly engine: Engine;
  readonly open: () => Promise<Store>;
  /** Where migrations may be written. */
  readonly folder: string;
  readonly counts: BranchCounts;
  readonly join: (histories: HistoryAndSchema) => Join;
}

interface Branch {
  readonly stage: Stage;
  readonly store: Store;
  readonly migrations: readonly Migration[];
  /** The schema after each migration. */
  readonly worlds: readonly World[];
}

const noData: Data = { rows: new Map(), links: new Map() };

/**
 * Two branches, each with a migration or two and rows in a database of its own, are merged. Then a new database, one
 * that has applied neither, and those of both branches all end up with the same tables, and keep their rows.
 */
export async function runBranches(draw: Draw, bench: Bench): Promise<void> {
  const { engine, counts } = bench;
  const stage = firstStage(draw, engine);
  const { app, world } = stage;
  const root = makeInitialMigration(app, wholeSchema(schemaText(world), engine));
  const trunk = await plantTrunk(draw, { stage, root, bench });
  const ours = await drawBranch(draw, trunk, 'ours', bench);
  const theirs = await drawBranch(draw, trunk, 'theirs', bench);
  const sum = mergeWorlds(world, ours.stage.world, theirs.stage.world);
  const merged = chance(draw, 2) ? withoutFormerNames(sum) : sum;
  const built = hasNamesTwice(merged) ? undefined : legalApp(merged, engine);
  if (built === undefined) counts.illegal += 1;
  else await meet({ bench, merged, built, trunk, ours, theirs });
  for (const { store } of [trunk, ours, theirs]) await store.close();
}

interface Seed {
  readonly stage: Stage;
  readonly root: Migration;
  readonly bench: Bench;
}

async function plantTrunk(draw: Draw, { stage, root, bench }: Seed): Promise<Branch> {
  const store = await bench.open();
  await store.run(root.files['up.sql']);
  return { stage: await grow(draw, stage, store), store, migrations: [root], worlds: [] };
}

/** Goes on from the trunk, in a database of its own with the same rows. */
async function drawBranch(draw: Draw, trunk: Branch, name: string, bench: Bench): Promise<Branch> {
  const store = await bench.open();
  for (const { files } of trunk.migrations) await store.run(files['up.sql']);
  await insertData(trunk.stage, noData, store);
  let branch: Branch = { ...trunk, store, migrations: [], worlds: [] };
  const length = draw(fc.integer, { min: 1, max: 2 });
  for (let index = 0; index < length; index += 1) {
    branch = await extend(draw, branch, { name, bench, parent: trunk.migrations.at(-1)?.id ?? '' });
  }
  return branch;
}

interface Extension {
  readonly name: string;
  readonly parent: string;
  readonly bench: Bench;
}

/** By one migration, unless the schema is illegal or the rows do not allow it. */
async function extend(draw: Draw, branch: Branch, { name, parent, bench }: Extension) {
  const { stage, store, migrations, worlds } = branch;
  const { world, renames } = drawStep(draw, stage.world);
  const next = legalApp(world, bench.engine);
  const { data, refusals } = evolveData(stage.data, stage.world, world);
  if (next === undefined || refusals.length > 0) return branch;
  const told = renames.flatMap((text) => parseRename(text) ?? []);
  const app = carryIds(stage.app, next, told);
  const evolved = makeMigration(stage.app, app, {
    sequence: migrations.length + 2,
    parent: migrations.at(-1)?.id ?? parent,
    schemaText: wholeSchema(schemaText(world), bench.engine),
    name: `${name} ${migrations.length}`,
  });
  if (evolved === undefined) return branch;
  await store.apply(evolved.migration);
  return {
    store,
    stage: await grow(draw, { app, world, data }, store),
    migrations: [...migrations, evolved.migration],
    worlds: [...worlds, world],
  };
}

interface Meeting {
  readonly bench: Bench;
  readonly merged: World;
  readonly built: App;
  readonly trunk: Branch;
  readonly ours: Branch;
  readonly theirs: Branch;
}

async function meet({ bench, merged, built, trunk, ours, theirs }: Meeting): Promise<void> {
  const { counts, open, folder, engine } = bench;
  const folders = [trunk, ours, theirs].flatMap(({ migrations }) => migrations.map(folderOf));
  const text = wholeSchema(schemaText(merged), engine);
  const { history, after, isChosen } = joined({ bench, built, text, ours, trunk, folders });
  if (isChosen) counts.chosen += 1;
  else if (history.length > folders.length) counts.linked += 1;
  writeMigrations(folder, history);
  const where = story({ trunk, ours, theirs, merged, history });

  const expected = await tablesOf(open, tablesSql(after));
  const replayed = await open();
  await applyHistory(replayed, folder, []).catch(rethrow(where));
  expect(await replayed.introspect(), where).toEqual(expected);
  await replayed.close();

  // A database of the branch that is dropped takes its migrations back first.
  if (isChosen) return;
  // Steps that follow those of the other branch run one by one: the second finds what the first filled in.
  const base = trunk.stage.world;
  const theirSteps = theirs.worlds.map((it) => mergeWorlds(base, ours.stage.world, it));
  const ourSteps = ours.worlds.map((it) => mergeWorlds(base, it, theirs.stage.world));
  const databases = [
    { branch: trunk, applied: trunk.migrations, ahead: [...ours.worlds, ...theirSteps] },
    { branch: ours, applied: [...trunk.migrations, ...ours.migrations], ahead: theirSteps },
    { branch: theirs, applied: [...trunk.migrations, ...theirs.migrations], ahead: ourSteps },
  ];
  for (const { branch, applied, ahead } of databases) {
    const { stage, store } = branch;
    const way = follow(stage, [...ahead, merged]);
    const work = applyHistory(store, folder, applied.map(appliedAs));
    if (way === undefined) {
      await expect(work, where).rejects.toThrow();
      counts.refused += 1;
      continue;
    }
    await work.catch(rethrow(where));
    expect(await store.introspect(), where).toEqual(expected);
    await expectRows(store, { app: after, world: merged, data: way }, where);
    counts.rows += [...way.rows.values()].flat().length;
  }
}

interface Joining {
  readonly bench: Bench;
  readonly built: App;
  readonly text: string;
  readonly ours: Branch;
  readonly trunk: Branch;
  readonly folders: readonly Folder[];
}

/** What regenerate makes of the folders of both, after which the next run finds nothing to do. */
function joined({ bench, built, text, ours, trunk, folders }: Joining) {
  const recorded = [...trunk.migrations, ...ours.migrations].map(({ id }) => id);
  const request = { before: ours.stage.app, built, schemaText: text, accepted: [] };
  const histories = { ...request, migrations: stored(folders), recorded };
  const found = orUndecided(() => bench.join(histories));
  const accepted = folders.slice(trunk.migrations.length).map(({ id }) => `SCF514:${id}`);
  const join = found ?? bench.join({ ...histories, accepted });
  const after = carryIds(join.before, built);
  const options = { sequence: join.sequence, parent: join.head, schemaText: text };
  const evolved = join.newMigration ?? makeMigration(join.before, after, options);
  const edits = new Map(join.edits.map(({ path, content }) => [path, content]));
  const left = folders
    .filter(({ id }) => !join.removed.includes(`migrations/${id}/up.sql`))
    .map(({ id, files }) => {
      const meta = edits.get(`migrations/${id}/meta.json`);
      return { id, files: meta === undefined ? files : { ...files, 'meta.json': meta } };
    });
  const history: readonly Folder[] =
    evolved === undefined ? left : [...left, folderOf(evolved.migration)];
  const again = joinHeads({
    ...request,
    before: after,
    migrations: stored(history),
    recorded: history.map(({ id }) => id),
  });
  expect(again.newMigration).toBeUndefined();
  expect(again.head).toBe(evolved?.migration.id ?? join.head);
  return { history, after, isChosen: found === undefined };
}

/** Undefined when somebody has to choose whose migrations are written again. */
function orUndecided(join: () => Join): Join | undefined {
  try {
    return join();
  } catch (error) {
    if (error instanceof UserError && error.message.includes('cannot follow')) return undefined;
    throw error;
  }
}

function stored(folders: readonly Folder[]) {
  return readMigrations(folders.map(({ id, files }) => ({ id, texts: files })));
}

function folderOf({ id, files }: Migration): Folder {
  return { id, files: Object.fromEntries(Object.entries(files)) };
}

/** The rows after a series of schemas; undefined when they do not allow it. */
function follow({ data, world }: Stage, ahead: readonly World[]): Data | undefined {
  let [here, rows] = [world, data];
  for (const next of ahead) {
    const evolved = evolveData(rows, here, next);
    if (evolved.refusals.length > 0) return undefined;
    [here, rows] = [next, evolved.data];
  }
  return rows;
}

function appliedAs({ id, files }: Migration): AppliedMigration {
  const meta: { readonly checksums: Readonly<Record<string, string>> } = JSON.parse(
    files['meta.json'],
  );
  return { id, checksum: meta.checksums['up.sql'] ?? '' };
}

function story(
  told: Pick<Meeting, 'trunk' | 'ours' | 'theirs' | 'merged'> & {
    readonly history: readonly Folder[];
  },
) {
  const { trunk, ours, theirs, merged, history } = told;
  const worlds = [trunk.stage.world, ...ours.worlds, '---', ...theirs.worlds, '===', merged];
  return [
    ...worlds.map((it) => (typeof it === 'string' ? it : schemaText(it))),
    ...history.slice(1).flatMap(({ id, files }) => [id, ...Object.values(files)]),
  ].join('\n');
}
