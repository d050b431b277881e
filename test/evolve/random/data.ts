import { convertValue, isLost } from './convert.ts';
import {
  checksOf,
  uniquesOf,
  type Value,
  type World,
  type WorldField,
  type WorldModel,
} from './world.ts';

/** The rows that the database should hold. A row is recognized by its mark, whatever becomes of its id. */
export interface Data {
  /** By the id of the model. */
  readonly rows: ReadonlyMap<number, readonly DataRow[]>;
  /** Pairs of marks, by the id of the relation. */
  readonly links: ReadonlyMap<number, Links>;
}

type Links = readonly (readonly [number, number])[];

export interface DataRow {
  readonly mark: number;
  readonly deleted: boolean;
  /** By the id of the field. */
  readonly values: ReadonlyMap<number, Value | null>;
  /** Marks of other rows, by the id of the relation. */
  readonly keys: ReadonlyMap<number, number | null>;
}

export interface Outcome {
  readonly data: Data;
  /** Why the rows do not allow the change: if there is a reason, nothing may change. */
  readonly refusals: readonly string[];
}

export function evolveData(data: Data, before: World, after: World): Outcome {
  const refusals: string[] = [];
  const rows = after.models.map((model): [number, readonly DataRow[]] => {
    const former = before.models.find(({ id }) => id === model.id);
    if (former === undefined) return [model.id, []];
    const refuse = (reason: string) => refusals.push(`${model.name}.${reason}`);
    const evolved = (data.rows.get(model.id) ?? []).map((row): DataRow => ({
      mark: row.mark,
      deleted: row.deleted && model.softDelete,
      values: new Map(
        model.fields.map((field) => {
          const was = former.fields.find(({ id }) => id === field.id);
          const pair = { was, field, before, after };
          return [field.id, evolveValue(row.values.get(field.id) ?? null, pair, refuse)];
        }),
      ),
      keys: new Map(
        model.relations
          .filter(({ many }) => !many)
          .map(({ id, name, optional }) => {
            const key = row.keys.get(id) ?? null;
            if (key === null && !optional) refuse(`${name} is missing`);
            return [id, key];
          }),
      ),
    }));
    for (const reason of faults(model, evolved)) refuse(reason);
    return [model.id, evolved];
  });
  const links = after.models.flatMap((model) =>
    model.relations
      .filter(({ many }) => many)
      .map(({ id }): [number, Links] => [id, data.links.get(id) ?? keysAsLinks(data, model, id)]),
  );
  return { data: { rows: new Map(rows), links: new Map(links) }, refusals };
}

/** For a relation that led to one row. */
function keysAsLinks({ rows }: Data, model: WorldModel, relation: number): Links {
  return (rows.get(model.id) ?? []).flatMap(({ mark, keys }): Links => {
    const key = keys.get(relation);
    return key === undefined || key === null ? [] : [[mark, key]];
  });
}

interface Fields {
  readonly was: WorldField | undefined;
  readonly field: WorldField;
  readonly before: World;
  readonly after: World;
}

function evolveValue(
  value: Value | null,
  { was, field, before, after }: Fields,
  refuse: (reason: string) => void,
): Value | null {
  const fill = field.backfill ?? null;
  if (was !== undefined && value === null && field.optional) return null;
  if (was === undefined || isLost(was.type, field.type)) {
    const first = fill ?? field.default ?? null;
    if (first === null && !field.optional) refuse(`${field.name} has no value`);
    return first;
  }
  if (value === null) {
    if (fill === null) refuse(`${field.name} is missing`);
    return fill;
  }
  const converted = convertValue(value, { field: was, world: before }, { field, world: after });
  if (typeof converted === 'object') return converted.value;
  if (fill === null) refuse(`${field.name} does not take ${String(value)}`);
  return fill;
}

/** What rows hold after a way back: a value that they were given because they had none is kept. */
export function fillData(data: Data, before: World, after: World) {
  let isFilled = false;
  const rows = before.models.map((model): [number, readonly DataRow[]] => {
    const later = after.models.find(({ id }) => id === model.id);
    const fills = new Map(
      (later?.fields ?? [])
        .filter(({ optional }) => !optional)
        .map(({ id, backfill }) => [id, backfill ?? null]),
    );
    const filled = (data.rows.get(model.id) ?? []).map((row): DataRow => {
      const values = [...row.values].map(([id, value]): [number, Value | null] => [
        id,
        value ?? fills.get(id) ?? null,
      ]);
      isFilled ||= values.some(([id, value]) => value !== row.values.get(id));
      return { ...row, values: new Map(values) };
    });
    return [model.id, filled];
  });
  return { filled: { ...data, rows: new Map(rows) }, isFilled };
}

/** Whether rows were given the time, which cannot be taken back. */
export function stampsRows(data: Data, before: World, after: World): boolean {
  return after.models.some(({ id, timestamps }) => {
    const former = before.models.find((model) => model.id === id);
    return timestamps && former?.timestamps === false && (data.rows.get(id) ?? []).length > 0;
  });
}

/** What is wrong with the rows. */
export function faults(model: WorldModel, rows: readonly DataRow[]): readonly string[] {
  return [...duplicates(model, rows), ...disorder(model, rows)];
}

/** Rows that have no value, or are deleted, count as distinct. */
function duplicates(model: WorldModel, rows: readonly DataRow[]): readonly string[] {
  const members = [...model.fields, ...model.relations];
  const single = members
    .filter(({ unique }) => unique)
    .map((member) => ({ keys: [member], where: undefined }));
  const living = rows.filter(({ deleted }) => !deleted);
  return [...single, ...uniquesOf(model)]
    .filter(({ keys, where }) => {
      const present = living
        .filter(({ values }) => !where || (values.get(where.field.id) === null) === where.isNull)
        .map((row) => keys.map(({ id }) => row.values.get(id) ?? row.keys.get(id) ?? null))
        .filter((values) => !values.includes(null))
        .map((values) => JSON.stringify(values));
      return new Set(present).size < present.length;
    })
    .map(({ keys }) => `${keys.map(({ name }) => name).join('+')} is not unique`);
}

/** A check holds where one of the two has no value; it applies to deleted rows as well. */
function disorder(model: WorldModel, rows: readonly DataRow[]): readonly string[] {
  return checksOf(model)
    .filter(({ left, operator, right }) =>
      rows.some(({ values }) => {
        const [less, more] = [left, right].map(({ id }) => orderOf(values.get(id) ?? null));
        if (less === undefined || more === undefined) return false;
        return less > more || (less === more && operator === '<');
      }),
    )
    .map(({ left, operator, right }) => `${left.name} ${operator} ${right.name} does not hold`);
}

/** The order of numbers and of dates. */
function orderOf(value: Value | null): bigint | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'object') return undefined;
  return BigInt(String(value).replaceAll('-', (_, at: number) => (at === 0 ? '-' : '')));
}
