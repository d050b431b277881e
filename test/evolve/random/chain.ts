import * as fc from 'fast-check';
import { expect } from 'vitest';
import { type NewMigration, makeMigration } from '../../../src/evolve/make-migration.ts';
import { tablesSql } from '../../../src/evolve/initial.ts';
import type { App } from '../../../src/model/app.ts';
import { carryIds } from '../../../src/model/carry.ts';
import { readCarriedIds, restoreIds } from '../../../src/model/carried-ids.ts';
import { parseRename } from '../../../src/model/rename.ts';
import { snapshotShape, snapshotApp } from '../../../src/model/snapshot.ts';
import { evolveData, fillData, stampsRows } from './data.ts';
import type { Draw } from './draw.ts';
import { expectRows, firstStage, grow, legalApp, rethrow, type Stage } from './stage.ts';
import { drawStep, type Step } from './step.ts';
import { type Store, tablesOf } from '../support/store.ts';
import { schemaText } from './world.ts';
import type { Engine } from '../../../src/types/field-type.ts';

export interface Counts {
  steps: number;
  refused: number;
  illegal: number;
  reversed: number;
  rows: number;
}

interface Laboratory {
  readonly engine: Engine;
  readonly open: () => Promise<Store>;
  readonly counts: Counts;
  /** Plants a mistake. */
  readonly spoil?: Spoil;
}

export type Spoil = (sql: string) => string;

/**
 * From a first schema through up to eight changes, with rows that the test itself carries along: after each step the
 * database equals one newly created from the schema, and holds those rows. A change that the rows do not allow is
 * refused and changes nothing.
 */
export async function runChain(
  draw: Draw,
  { engine, open, counts, spoil = (sql) => sql }: Laboratory,
): Promise<void> {
  const first = firstStage(draw, engine);
  const store = await open();
  await store.run(tablesSql(first.app));
  let stage = await grow(draw, first, store);
  const length = draw(fc.integer, { min: 1, max: 8 });
  for (let index = 0; index < length; index += 1) {
    const step = drawStep(draw, stage.world);
    const built = legalApp(step.world, engine);
    if (built === undefined) counts.illegal += 1;
    else stage = await advance(stage, { step, built, store, open, counts, index, spoil });
    stage = await grow(draw, stage, store);
  }
  counts.rows += [...stage.data.rows.values()].flat().length;
  await store.close();
}

interface Way {
  readonly step: Step;
  /** What the schema means without its history. */
  readonly built: App;
  readonly store: Store;
  readonly open: () => Promise<Store>;
  readonly counts: Counts;
  readonly index: number;
  readonly spoil: Spoil;
}

async function advance(stage: Stage, way: Way): Promise<Stage> {
  const { step, built, store, open, counts, index, spoil } = way;
  const told = step.renames.flatMap((text) => parseRename(text) ?? []);
  const next = carryIds(stage.app, built, told);
  const evolved = spoiled(
    spoil,
    makeMigration(stage.app, next, {
      sequence: index + 2,
      parent: 'before',
      schemaText: schemaText(step.world),
    }),
  );
  const { data, refusals } = evolveData(stage.data, stage.world, step.world);
  const where = `${schemaText(stage.world)}\n→ ${step.renames.join(' ')}\n${schemaText(step.world)}\n${evolved?.migration.files['up.sql']}`;
  const after = { app: saved(next), world: step.world, data };
  expect(restoreIds(built, readCarriedIds(next)), where).toEqual(next);
  expect(
    makeMigration(next, next, { sequence: 0, parent: '', schemaText: '' }),
    where,
  ).toBeUndefined();
  const before = await store.introspect();
  const expectBefore = async () => {
    expect(await store.introspect(), where).toEqual(before);
    await expectRows(store, stage, where);
  };
  if (evolved !== undefined && refusals.length > 0) {
    await expect(store.apply(evolved.migration), `${refusals.join()}\n${where}`).rejects.toThrow();
    await expectBefore();
    counts.refused += 1;
    return stage;
  }
  const made = await tablesOf(open, tablesSql(next));
  const expectAfter = async () => {
    if (evolved !== undefined) await store.apply(evolved.migration).catch(rethrow(where));
    expect(await store.introspect(), where).toEqual(made);
    await expectRows(store, after, where);
  };
  await expectAfter();
  if (evolved?.migration.files['down.sql'] !== undefined) {
    const error = await store.apply(evolved.migration, 'down.sql').catch((cause: unknown) => cause);
    const { filled, isFilled } = fillData(stage.data, stage.world, step.world);
    const isStamped = stampsRows(stage.data, stage.world, step.world);
    if (error === undefined) {
      expect(isStamped, where).toBe(false);
      expect(await store.introspect(), where).toEqual(before);
      await expectRows(store, { ...stage, data: filled }, where);
      await expectAfter();
      counts.reversed += 1;
    } else {
      if (!(isStamped || isFilled) || !/SCF4\d\d/.test(String(error))) rethrow(where)(error);
      expect(await store.introspect(), where).toEqual(made);
      await expectRows(store, after, where);
    }
  }
  counts.steps += 1;
  return after;
}

/** What the next run knows about this one. */
function saved(app: App): App {
  return snapshotShape.parse(JSON.parse(JSON.stringify(snapshotApp(app))));
}

function spoiled(spoil: Spoil, evolved: NewMigration | undefined): NewMigration | undefined {
  if (evolved === undefined) return undefined;
  const { migration } = evolved;
  const files = { ...migration.files, 'up.sql': spoil(migration.files['up.sql']) };
  return { ...evolved, migration: { ...migration, files } };
}
