import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { App } from '../../../src/model/app.ts';
import { latestTablesVersion } from '../../../src/schema/internal-tables.ts';
import type { Store } from '../support/store.ts';
import { appOf } from '../support/app-of.ts';
import type { Data } from './data.ts';
import type { Draw } from './draw.ts';
import { growData } from './grow.ts';
import { insertLink, insertRow, modelOf, selectLinks, selectRows, textOf } from './sql.ts';
import { firstWorld } from './step.ts';
import { schemaText, type World } from './world.ts';
import type { Engine } from '../../../src/types/field-type.ts';

export interface Stage {
  readonly app: App;
  readonly world: World;
  readonly data: Data;
}

/** Undefined when the schema's own rules refuse it. */
export function legalApp(world: World, engine: Engine): App | undefined {
  try {
    return appOf(schemaText(world), engine);
  } catch {
    return undefined;
  }
}

/** The first world that the schema's own rules allow: one in four that are drawn is refused. */
export function firstStage(draw: Draw, engine: Engine): Stage {
  const world = firstWorld(draw);
  const app = legalApp(world, engine);
  if (app === undefined) return firstStage(draw, engine);
  // In the version before, the server's own tables had no totals.
  const layout = draw(fc.constantFrom, app.layout - 1, app.layout);
  return { app: { ...app, layout }, world, data: { rows: new Map(), links: new Map() } };
}

export function rethrow(where: string) {
  return (error: unknown) => {
    throw new Error(`${String(error)}\n${where}`, { cause: error });
  };
}

/** More rows, in the test's own books and in the database. */
export async function grow(draw: Draw, stage: Stage, store: Store): Promise<Stage> {
  const grown = { ...stage, data: growData(draw, stage.data, stage.world) };
  await insertData(grown, stage.data, store);
  return grown;
}

/** The rows that the database does not have yet. */
export async function insertData(stage: Stage, known: Data, store: Store): Promise<void> {
  for (const { id } of stage.world.models) await insertNew(id, { stage, known, store });
  for (const model of stage.world.models) {
    for (const relation of model.relations.filter(({ many }) => many)) {
      const count = known.links.get(relation.id)?.length ?? 0;
      for (const pair of (stage.data.links.get(relation.id) ?? []).slice(count)) {
        await store.run(insertLink(pair, relation, { ...stage, model }));
      }
    }
  }
}

interface Growth {
  readonly stage: Stage;
  readonly known: Data;
  readonly store: Store;
}

async function insertNew(id: number, { stage, known, store }: Growth): Promise<void> {
  const model = stage.world.models.find((it) => it.id === id);
  const count = known.rows.get(id)?.length ?? 0;
  for (const row of (stage.data.rows.get(id) ?? []).slice(count)) {
    if (model === undefined) continue;
    const sql = insertRow(row, model, stage);
    await store.run(sql).catch(rethrow(`${sql}\n${schemaText(stage.world)}`));
  }
}

export async function expectRows(store: Store, { app, world, data }: Stage, where: string) {
  for (const model of world.models) {
    const expected = (data.rows.get(model.id) ?? []).map((row) => ({
      mark: row.mark,
      deleted: row.deleted ? 1 : 0,
      ...Object.fromEntries(
        model.fields.map((field) => [
          `f${field.id}`,
          textOf(row.values.get(field.id) ?? null, field, world),
        ]),
      ),
      ...Object.fromEntries([...row.keys].map(([id, key]) => [`r${id}`, key])),
    }));
    const floats = model.fields.filter(({ type }) => type.kind === 'float');
    const rows = (await store.rows(selectRows(model, { app, world }))).map((row) => ({
      ...row,
      ...Object.fromEntries(floats.map(({ id }) => [`f${id}`, numberText(row[`f${id}`])])),
    }));
    expect(rows, `${model.name}\n${where}`).toEqual(expected);
    await expectTotal(store, app, { ...model, expected, where });
    for (const relation of model.relations.filter(({ many }) => many)) {
      const pairs = (data.links.get(relation.id) ?? []).map(([here, there]) => ({ here, there }));
      const links = await store.rows(selectLinks(relation, { model, app, world }));
      expect(links, `${model.name}.${relation.name}\n${where}`).toEqual(
        pairs.toSorted((left, right) => left.here - right.here || left.there - right.there),
      );
    }
  }
}

interface Expected {
  readonly name: string;
  readonly softDelete: boolean;
  readonly expected: readonly { readonly deleted: number }[];
  readonly where: string;
}

/** The totals that triggers keep are those of the rows. */
async function expectTotal(
  store: Store,
  app: App,
  { name, softDelete, expected, where }: Expected,
) {
  if (app.layout < latestTablesVersion) return;
  const [[total, deleted] = []] = await store.values(
    `SELECT coalesce(sum(total), 0), coalesce(sum(deleted), 0) FROM row_counts WHERE name = '${modelOf(app, name).table}'`,
  );
  const kept = softDelete ? Number(deleted) : 0;
  const found = { total: Number(total), deleted: kept };
  expect(found, `total of ${name}\n${where}`).toEqual({
    total: expected.length,
    deleted: expected.filter((row) => row.deleted === 1).length,
  });
}

/** As JavaScript prints it, however the database prints it. */
function numberText(value: unknown): string | null {
  return value === null ? null : String(Number(value));
}
