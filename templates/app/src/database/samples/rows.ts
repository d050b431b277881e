import type { Links, One, Relation, Resource } from '../../lib/resource.ts';
import { drawFrom, type Draw } from './draw.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface Sample {
  readonly resource: Resource;
  /** A value for every field but ids, times and keys. */
  readonly values: (draw: Draw) => Values;
}

/** Whether no row has these values yet, as far as the unique constraints look at them. */
export type IsFree = (values: Values) => boolean;

/** Draws rows that differ from each other, and from those that are there, wherever a constraint wants it. */
export function distinctRows({ name, unique }: Resource, there: readonly Values[]) {
  const taken = new Set(there.flatMap((row) => keysOf(row, unique)));
  const isFree: IsFree = (values) => keysOf(values, unique).every((key) => !taken.has(key));
  let row = there.length;
  /** Undefined when a hundred attempts found nothing new: a unique number from 1 to 3 makes three rows. */
  return (write: (draw: Draw, isFree: IsFree) => Values): Values | undefined => {
    row += 1;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const values = write(drawFrom(name, { row, attempt }), isFree);
      if (!isFree(values)) continue;
      for (const key of keysOf(values, unique)) taken.add(key);
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

interface Choice {
  readonly draw: Draw;
  readonly isFree: IsFree;
}

/** Keys that point to rows that are there. */
export function drawKeys({ relations }: Resource, choice: Choice, targets: Targets): Values {
  const keys = Object.values(relations).map((relation) => {
    const ids = targets(relation);
    if (relation.kind === 'one') return { [relation.key]: drawKey(relation, choice, ids) };
    return isWritable(relation) ? { [relation.ids]: drawSome(choice.draw, ids) } : {};
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

/** One-to-one, a target has to be free; otherwise any is. */
function drawKey(
  { key, nullable }: One,
  { draw, isFree }: Choice,
  ids: readonly unknown[],
): unknown {
  if (ids.length === 0 || (nullable === true && draw.fraction() < 0.3)) return null;
  const any = draw.pick(ids);
  if (isFree({ [key]: any })) return any;
  const inTurn = ids.map((_, index) => ids[(draw.row + index) % ids.length]);
  return inTurn.find((id) => isFree({ [key]: id })) ?? any;
}

function drawSome(draw: Draw, ids: readonly unknown[]): readonly unknown[] {
  const some = Array.from({ length: Math.min(ids.length, 3) }, () => draw.pick(ids));
  return [...new Set(some)];
}
