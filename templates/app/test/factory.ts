import type { FastifyInstance } from 'fastify';
import { samples } from '../src/database/samples.ts';
import { drawFrom, type Draw } from '../src/database/samples/draw.ts';
import {
  distinctRows,
  isRequired,
  isWritable,
  type Sample,
  type Values,
} from '../src/database/samples/rows.ts';
import { system } from '../src/lib/access.ts';
import type { Relation, Resource } from '../src/lib/resource.ts';
import { insertRow } from '../src/database/insert-row.ts';
import { users, type User } from '../src/users/schema.ts';
import { only } from './behaviours/subject.ts';

/** Of every user that a factory makes. */
export const testPassword = 'correct horse battery staple';

export interface Row extends Values {
  readonly id: number | string;
}

/** Makes rows with whatever they must point to. */
export interface Factory {
  user(values?: Values): Promise<User>;
  row(resource: Resource, values?: Values): Promise<Row>;
  /** As many as asked for, or as the unique constraints leave room for. */
  rows(resource: Resource, count: number): Promise<readonly Row[]>;
  /** What a client would send to create a row; `filled` are fields that must not be null. */
  body(resource: Resource, filled?: readonly string[]): Promise<Values>;
  /** Forgets the rows: the tables are empty. */
  reset(): void;
}

export function factory(app: FastifyInstance): Factory {
  const { database, hasher } = app;
  const password = hasher.hash(testPassword);
  const drawers = new Map<Resource, ReturnType<typeof distinctRows>>();

  const lastIds = new Map<Resource, unknown>();

  return {
    user: (values) => insert<User>(users, values),
    row: (resource, values) => insert<Row>(resource, values),
    async rows(resource, count) {
      const rows: Row[] = [];
      while (rows.length < count) {
        const row = await insertNext(resource);
        if (row === undefined) break;
        rows.push(row);
      }
      return rows;
    },
    async body(resource, filled = []) {
      const { fields } = resource;
      const values = only(
        await drawFilled(resource, filled),
        (name) => fields[name]?.set !== 'server',
      );
      const secret = resource === users ? { password: testPassword } : {};
      return { ...values, ...(await drawLinks(resource)), ...secret };
    },
    reset() {
      drawers.clear();
      lastIds.clear();
    },
  };

  async function insert<Made extends Pick<Row, 'id'>>(resource: Resource, given: Values = {}) {
    return keep<Made>(resource, await draw(resource, given));
  }

  /** Undefined when every row that the constraints allow is there already. */
  async function insertNext(resource: Resource): Promise<Row | undefined> {
    const values = nextRow(resource)(await writer(resource));
    return values && keep<Row>(resource, values);
  }

  async function keep<Made extends Pick<Row, 'id'>>(resource: Resource, values: Values) {
    const row = await insertRow<Made>(database, resource, { viewer: system, values });
    lastIds.set(resource, row.id);
    return row;
  }

  async function draw(resource: Resource, given?: Values): Promise<Values> {
    return drawWith(resource, await writer(resource, given));
  }

  async function drawFilled(resource: Resource, filled: readonly string[]): Promise<Values> {
    const write = await writer(resource);
    return drawWith(resource, (stream) => {
      let values = write(stream);
      while (filled.some((name) => values[name] === null)) values = write(stream);
      return values;
    });
  }

  /** What is given may be a row's that is gone, or drawn for a body before: then no new values are looked for. */
  function drawWith(resource: Resource, write: (stream: Draw) => Values): Values {
    return nextRow(resource)(write) ?? write(drawFrom(resource.name));
  }

  function nextRow(resource: Resource) {
    const next = drawers.get(resource) ?? distinctRows(resource, []);
    drawers.set(resource, next);
    return next;
  }

  async function writer(resource: Resource, given: Values = {}) {
    const { values } = sampleOf(resource);
    const keys = await drawKeys(resource, given);
    const secret = resource === users ? { password: await password } : {};
    return (stream: Draw): Values => ({ ...values(stream), ...secret, ...keys, ...given });
  }

  async function drawKeys({ relations }: Resource, given: Values): Promise<Values> {
    const keys: Record<string, unknown> = {};
    for (const relation of Object.values(relations)) {
      if (!isRequired(relation) || Object.hasOwn(given, relation.key)) continue;
      keys[relation.key] = await target(relation);
    }
    return keys;
  }

  async function drawLinks({ relations }: Resource): Promise<Values> {
    const links: Record<string, unknown> = {};
    for (const relation of Object.values(relations)) {
      if (!isWritable(relation)) continue;
      const id = await target(relation);
      links[relation.ids] = id === undefined ? [] : [id];
    }
    return links;
  }

  /** The id of a new row, or of the last one when there is no room for another; undefined without any. */
  async function target(relation: Relation): Promise<unknown> {
    const resource = relation.to();
    const row = await insertNext(resource);
    return row?.id ?? lastIds.get(resource);
  }
}

function sampleOf(resource: Resource): Sample {
  const sample = Object.values<Sample>(samples).find((each) => each.resource === resource);
  if (sample === undefined) throw new Error(`There is no sample of ${resource.name}.`);
  return sample;
}
