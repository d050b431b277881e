import * as fc from 'fast-check';
import { type Data, type DataRow, faults } from './data.ts';
import { chance, type Draw, drawValue, oneOf } from './draw.ts';
import type { World, WorldModel } from './world.ts';

/** Up to three new rows in each table, and links between them. */
export function growData(draw: Draw, data: Data, world: World): Data {
  const rows = new Map(data.rows);
  let mark = Math.max(0, ...[...rows.values()].flat().map((row) => row.mark));
  for (const model of world.models) {
    const count = draw(fc.nat, { max: 3 });
    for (let index = 0; index < count; index += 1) {
      mark += 1;
      const row = drawRow(draw, { model, mark, rows, world });
      const all = [...(rows.get(model.id) ?? []), ...(row === undefined ? [] : [row])];
      if (faults(model, all).length === 0) rows.set(model.id, all);
    }
  }
  const links = new Map(data.links);
  for (const model of world.models) {
    for (const { id, to } of model.relations.filter(({ many }) => many)) {
      const [here, there] = [
        oneOf(draw, rows.get(model.id) ?? []),
        oneOf(draw, rows.get(to) ?? []),
      ];
      const pairs = links.get(id) ?? [];
      const isNew = !pairs.some(([left, right]) => left === here?.mark && right === there?.mark);
      if (here !== undefined && there !== undefined && isNew) {
        links.set(id, [...pairs, [here.mark, there.mark]]);
      }
    }
  }
  return { rows, links };
}

interface Room {
  readonly model: WorldModel;
  readonly mark: number;
  readonly rows: ReadonlyMap<number, readonly DataRow[]>;
  readonly world: World;
}

/** Undefined when there is nothing that a required key could point to, or no value that a field accepts. */
function drawRow(draw: Draw, { model, mark, rows, world }: Room): DataRow | undefined {
  const values = model.fields.map((field): [number, ReturnType<typeof drawValue> | null] => {
    const isLeftOut = field.optional && chance(draw, 3);
    return [field.id, isLeftOut ? null : drawValue(draw, field, world)];
  });
  const keys = model.relations
    .filter(({ many }) => !many)
    .map(({ id, to, optional }): [number, number | null | undefined] => {
      const isLeftOut = optional && chance(draw, 2);
      return [
        id,
        isLeftOut ? null : (oneOf(draw, rows.get(to) ?? [])?.mark ?? (optional ? null : undefined)),
      ];
    });
  const drawn = values.flatMap(([id, value]): [number, Exclude<typeof value, undefined>][] =>
    value === undefined ? [] : [[id, value]],
  );
  const pointed = keys.flatMap(([id, key]): [number, number | null][] =>
    key === undefined ? [] : [[id, key]],
  );
  if (drawn.length < values.length || pointed.length < keys.length) return undefined;
  return {
    mark,
    deleted: model.softDelete && chance(draw, 4),
    values: new Map(drawn),
    keys: new Map(pointed),
  };
}
