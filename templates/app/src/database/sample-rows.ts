import type { Links, One, Relation, Resource } from '../lib/resource.ts';
import { drawFrom, type Draw } from './draw.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface Sample {
  readonly resource: Resource;
  /** A value for every field but ids, times and keys. */
  readonly values: (draw: Draw) => Values;
}

/** Draws rows that differ from each other, and from those that are there, wherever a constraint wants it. */
export function distinctRows({ name, unique }: Resource, there: readonly Values[]) {
  const taken = new Set(there.flatMap((row) => keysOf(row, unique)));
  let drawn = there.length;
  /** Undefined when a hundred attempts found nothing new: a unique enum has only so many rows. */
  return (write: (draw: Draw) => Values): Values | undefined => {
    drawn += 1;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const values = write(drawFrom(`${name} ${drawn}`, attempt));
      const keys = keysOf(values, unique);
      if (keys.some((key) => taken.has(key))) continue;
      for (const key of keys) taken.add(key);
      return values;
    }
    return undefined;
  };
}

/** Rows with a null among the fields never collide. */
function keysOf(values: Values, unique: Resource['unique']): readonly string[] {
  return Object.entries(unique).flatMap(([constraint, fields]) => {
    const parts = fields.map((field) => values[field] ?? null);
    return parts.includes(null) ? [] : [JSON.stringify([constraint, ...parts])];
  });
}

/** Ids of the rows that a relation can point to. */
export type Targets = (relation: Relation) => readonly unknown[];

/** Whether there is a row for every key that must have one. */
export function canPoint({ relations }: Resource, targets: Targets): boolean {
  return Object.values(relations).every(
    (relation) => !isRequired(relation) || targets(relation).length > 0,
  );
}

/** Keys that point to rows that are there. */
export function drawKeys({ relations }: Resource, draw: Draw, targets: Targets): Values {
  const keys = Object.values(relations).map((relation) => {
    const ids = targets(relation);
    if (relation.kind === 'one') return { [relation.key]: drawKey(relation, draw, ids) };
    return isWritable(relation) ? { [relation.ids]: drawSome(draw, ids) } : {};
  });
  return Object.assign({}, ...keys);
}

export function isRequired(relation: Relation): relation is One {
  return relation.kind === 'one' && relation.nullable !== true;
}

/** Links that are written as a list of ids. */
export function isWritable(relation: Relation): relation is Links & { readonly ids: string } {
  return relation.kind === 'links' && relation.ids !== undefined && relation.through === undefined;
}

function drawKey(relation: One, draw: Draw, ids: readonly unknown[]): unknown {
  const isLeftOut = ids.length === 0 || (relation.nullable === true && draw.fraction() < 0.3);
  return isLeftOut ? null : draw.pick(ids);
}

function drawSome(draw: Draw, ids: readonly unknown[]): readonly unknown[] {
  const some = Array.from({ length: Math.min(ids.length, 3) }, () => draw.pick(ids));
  return [...new Set(some)];
}
