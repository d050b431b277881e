import type { FastifyInstance } from 'fastify';
import {
  distinctRows,
  isRequired,
  isWritable,
  type Sample,
  type Values,
} from '../src/database/sample-rows.ts';
import { samples } from '../src/database/samples.ts';
import { system } from '../src/lib/access.ts';
import type { Resource } from '../src/lib/resource.ts';
import { insertRow } from '../src/lib/rows.ts';
import { users, type User } from '../src/users/schema.ts';

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
  let drawers = new Map<Resource, ReturnType<typeof distinctRows>>();

  const make: Factory = {
    async user(values) {
      return insert<User>(users, values);
    },
    async row(resource, values) {
      return insert<Row>(resource, values);
    },
    async rows(resource, count) {
      const rows: Row[] = [];
      while (rows.length < count) {
        const values = await draw(resource);
        if (values === undefined) break;
        rows.push(await insertRow<Row>(database, resource, { viewer: system, values }));
      }
      return rows;
    },
    async body(resource, filled = []) {
      const values = await drawFilled(resource, filled);
      const secret = resource === users ? { password: testPassword } : {};
      const { fields } = resource;
      const sent = Object.entries(values).filter(([name]) => fields[name]?.set !== 'server');
      return { ...Object.fromEntries(sent), ...(await linksOf(resource)), ...secret };
    },
    reset() {
      drawers = new Map();
    },
  };
  return make;

  async function insert<Made>(resource: Resource, given: Values = {}): Promise<Made> {
    const values = await draw(resource, given);
    return insertRow<Made>(database, resource, { viewer: system, values: { ...values, ...given } });
  }

  /** Undefined when every row that the constraints allow is there already. */
  async function draw(resource: Resource, given: Values = {}): Promise<Values | undefined> {
    const keys = await requiredKeys(resource, given);
    const secret = resource === users ? { password: await password } : {};
    const next = drawers.get(resource) ?? distinctRows(resource, []);
    drawers.set(resource, next);
    return next((stream) => ({
      ...sampleOf(resource).values(stream),
      ...secret,
      ...keys,
      ...given,
    }));
  }

  async function drawFilled(resource: Resource, filled: readonly string[]): Promise<Values> {
    const isFilled = (values: Values) => filled.every((name) => values[name] !== null);
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const values = await draw(resource);
      if (values !== undefined && isFilled(values)) return values;
    }
    throw new Error(`There is no room for another row of ${resource.name}.`);
  }

  async function requiredKeys({ relations }: Resource, given: Values): Promise<Values> {
    const keys: Record<string, unknown> = {};
    for (const relation of Object.values(relations)) {
      if (!isRequired(relation) || Object.hasOwn(given, relation.key)) continue;
      keys[relation.key] = (await make.row(relation.to())).id;
    }
    return keys;
  }

  async function linksOf({ relations }: Resource): Promise<Values> {
    const links: Record<string, unknown> = {};
    for (const relation of Object.values(relations)) {
      if (isWritable(relation)) links[relation.ids] = [(await make.row(relation.to())).id];
    }
    return links;
  }
}

function sampleOf(resource: Resource): Sample {
  const sample = Object.values<Sample>(samples).find((each) => each.resource === resource);
  if (sample === undefined) throw new Error(`There is no sample of ${resource.name}.`);
  return sample;
}
