import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchSeed, trials } from '../support/trials.ts';
import { emittedGarden, type Garden } from './emitted-garden.ts';
import { beds, labels, plants, users } from './garden.ts';
import {
  type Comparison,
  expectedIds,
  fieldTypes,
  type Key,
  mayCompare,
  maySelect,
  seesKeeper,
  shownOf,
  type Viewer,
} from './oracle.ts';

/** Runs of a page; a walk takes many requests. */
const numRuns = trials({ quick: 100, full: 400, deep: 5000 });
let sqlite: Garden;
let postgres: Garden;

beforeAll(async () => {
  sqlite = await emittedGarden('sqlite');
  postgres = await emittedGarden('postgres');
});

afterAll(async () => {
  await sqlite.close();
  await postgres.close();
});

const paths = Object.keys(fieldTypes);
const texts = [
  'name',
  'notes',
  'contact',
  'page',
  'keeper.name',
  'keeper.email',
  'bed.name',
  'labels.word',
];
const equality = ['eq', 'ne', 'in', 'nin'];
const ordered = [...equality, 'lt', 'lte', 'gt', 'gte', 'between'];
const searches = ['contains', 'icontains', 'startswith', 'istartswith', 'endswith', 'iendswith'];
const selections = [
  '',
  '*',
  'name',
  'price,weight',
  '*,bed.*,labels.*,keeper.*',
  'labels.word,bed.name',
];

const viewer = fc.constantFrom<Viewer | null>(
  null,
  { id: 1, role: 'user' },
  { id: 3, role: 'user' },
  { id: 3, role: 'warden' },
  { id: 2, role: 'admin' },
);
const path = fc.constantFrom(...paths);
const terms = fc.uniqueArray(path.chain(comparisonOn), {
  maxLength: 3,
  selector: ({ path: name, operator }) => `${name} ${operator}`,
});
const orderable = fc.constantFrom(...paths.filter((name) => !name.startsWith('labels')));
const keys: fc.Arbitrary<readonly Key[]> = fc.uniqueArray(
  fc.record({ path: orderable, descending: fc.boolean() }),
  { maxLength: 4, selector: (key) => key.path },
);

test('a page holds what was asked for, byte for byte the same on both engines', async () => {
  const request = fc.record({
    terms,
    keys,
    viewer,
    limit: fc.constantFrom(0, 1, 7, 50, 200),
    offset: fc.constantFrom(0, 1, 13, 1000),
    fields: fc.constantFrom(...selections),
    asJson: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ limit, offset, fields, ...asked }) => {
      const query = queryOf(asked, { limit, offset, ...(fields && { fields }) });
      if (!mayAsk(asked, fields)) {
        await expectRefusal(query, asked.viewer);
        return;
      }
      const body = await sqlite.list(query, asked.viewer);
      const expected = expectedIds(asked.terms, asked.keys, asked.viewer);
      expect(pageIn(body)).toEqual({
        ids: expected.slice(offset, offset + limit),
        total: expected.length,
      });
      expect(await postgres.list(query, asked.viewer)).toBe(body);
    }),
    { numRuns, seed: searchSeed() },
  );
});

test('cursors lead through every row once and in order', async () => {
  const request = fc.record({ terms, keys, viewer, limit: fc.integer({ min: 1, max: 20 }) });
  await fc.assert(
    fc.asyncProperty(request, async ({ limit, ...asked }) => {
      const query = queryOf({ ...asked, asJson: true }, { limit, count: 'none', fields: 'id' });
      if (!mayAsk(asked, '')) {
        await expectRefusal(query, asked.viewer);
        return;
      }
      const expected = expectedIds(asked.terms, asked.keys, asked.viewer);
      expect(await walk(sqlite, query, asked.viewer)).toEqual(expected);
      expect(await walk(postgres, query, asked.viewer)).toEqual(expected);
    }),
    { numRuns: numRuns / 4, seed: searchSeed() },
  );
});

test('a row holds what its reader may see, and nothing else', async () => {
  const visitors = [null, ...['user', 'warden', 'admin'].flatMap((role) => [{ id: 1, role }])];
  for (const visitor of visitors) {
    const body = await sqlite.list('limit=1000', visitor);
    expect(await postgres.list('limit=1000', visitor)).toBe(body);
    const guarded = new Set(['height', 'price', 'label_ids']);
    for (const item of itemsIn(body)) {
      const shown = Object.keys(item).filter((name) => guarded.has(name));
      expect(shown.toSorted()).toEqual(shownOf(plantOf(item), visitor).toSorted());
    }
  }
});

test('a plant shows only what users embed of a keeper whom one may not see', async () => {
  const query = 'limit=1000&fields=keeper.*';
  for (const visitor of [null, { id: 2, role: 'user' }, { id: 2, role: 'admin' }]) {
    const body = await sqlite.list(query, visitor);
    expect(await postgres.list(query, visitor)).toBe(body);
    for (const { keeper, ...item } of itemsIn(body)) {
      const plant = plantOf(item);
      const { id, name } = users.find((user) => user.id === plant.keeper_id) ?? {};
      if (seesKeeper(plant, visitor)) expect(keeper).toHaveProperty('email');
      else expect(keeper).toEqual({ id, name });
    }
  }
});

test.each(['keeper.name', 'keeper.email'])('compares %s only if visible', async (name) => {
  const held = { path: name, operator: 'icontains', values: ['b'] };
  const order = { path: name, descending: true };
  for (const visitor of [null, { id: 2, role: 'user' }, { id: 2, role: 'admin' }]) {
    const filtered = await sqlite.list(`${name}__icontains=b&limit=1000`, visitor);
    expect(pageIn(filtered).ids).toEqual(expectedIds([held], [], visitor));
    const inOrder = await sqlite.list(`order_by=-${name}&limit=1000`, visitor);
    expect(pageIn(inOrder).ids).toEqual(expectedIds([], [order], visitor));
  }
});

test('what one may not see cannot be found from the other side either', async () => {
  const ann = { id: 1, role: 'user' };
  for (const query of ['plants.name=Rose', 'fields=plants.name', 'plants.height__gte=0']) {
    await expectRefusal(query, null, 'labels');
  }
  await expectRefusal('plants.height__gte=0', ann, 'labels');
  await expectRefusal('plants.price__gte=0', ann, 'labels');
  const body = await sqlite.list('fields=plants.price&limit=1', ann, 'labels');
  expect(await postgres.list('fields=plants.price&limit=1', ann, 'labels')).toBe(body);
  for (const label of itemsIn(body)) {
    for (const plant of [label['plants']].flat()) {
      const isTheirs = plantOf(Object(plant)).keeper_id === ann.id;
      expect(Object.hasOwn(Object(plant), 'price')).toBe(isTheirs);
    }
  }
});

/** Whether the viewer may see everything that a request compares and shows. */
function mayAsk(asked: Omit<Asked, 'asJson'> & { readonly viewer: Viewer | null }, fields: string) {
  const compared = [...asked.terms, ...asked.keys].map((it) => it.path);
  return (
    compared.every((name) => mayCompare(name, asked.viewer)) &&
    fields.split(',').every((name) => maySelect(name, asked.viewer))
  );
}

async function expectRefusal(
  query: string,
  asking: Viewer | null,
  of?: 'plants' | 'labels',
): Promise<void> {
  const refused = { status: 422, code: 'validation_error' };
  await expect(sqlite.list(query, asking, of)).rejects.toMatchObject(refused);
  await expect(postgres.list(query, asking, of)).rejects.toMatchObject(refused);
}

type Item = Readonly<Record<string, unknown>>;

function itemsIn(body: string): readonly Item[] {
  const { items }: { readonly items: readonly Item[] } = JSON.parse(body);
  expect(items).not.toEqual([]);
  return items;
}

function plantOf({ id }: Item) {
  const plant = plants.find((it) => it.id === id);
  if (plant === undefined) throw new Error(`There is no plant ${String(id)}.`);
  return plant;
}

async function walk(garden: Garden, query: string, asking: Viewer | null): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor = ''; ;) {
    const body = await garden.list(`${query}${cursor}`, asking);
    ids.push(...pageIn(body).ids);
    const { next_cursor: next }: { readonly next_cursor?: string } = JSON.parse(body);
    if (next === undefined) return ids;
    cursor = `&cursor=${next}`;
  }
}

interface Asked {
  readonly terms: readonly Comparison[];
  readonly keys: readonly Key[];
  readonly asJson: boolean;
}

function queryOf({ terms: asked, keys: order, asJson }: Asked, more: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(more)) query.set(name, String(value));
  if (order.length > 0) {
    query.set('order_by', order.map((key) => `${key.descending ? '-' : ''}${key.path}`).join());
  }
  const isPlain = asked.every(({ values }) =>
    values.every((value) => !String(value).includes(',')),
  );
  if (isPlain && !asJson) {
    for (const { path: name, operator, values } of asked)
      query.set(`${name}__${operator}`, values.join());
  } else if (asked.length > 0) {
    const rules = asked.map(({ path: name, operator, values }) => [
      name,
      operator,
      isList(operator) ? values : values[0],
    ]);
    query.set('filter', JSON.stringify(['&', rules]));
  }
  return query.toString();
}

function isList(operator: string): boolean {
  return ['in', 'nin', 'between'].includes(operator);
}

function pageIn(body: string): { readonly ids: readonly number[]; readonly total: number | null } {
  const page: {
    readonly items: readonly { readonly id: number }[];
    readonly total: number | null;
  } = JSON.parse(body);
  return { ids: page.items.map(({ id }) => id), total: page.total };
}

function comparisonOn(name: string): fc.Arbitrary<Comparison> {
  const held = heldAt(name);
  const isText = texts.includes(name);
  const legal = ['rare', 'code', 'shade'].includes(name) ? equality : ordered;
  const operator = fc.constantFrom('isnull', ...legal, ...(isText ? searches : []));
  return operator.chain((word) => {
    const values = searches.includes(word) ? fc.tuple(partOf(held)) : operands(word, held);
    return values.map((list) => ({ path: name, operator: word, values: list }));
  });
}

function operands(operator: string, held: readonly unknown[]): fc.Arbitrary<readonly unknown[]> {
  const value = fc.constantFrom(...held);
  if (operator === 'isnull') return fc.tuple(fc.boolean());
  if (operator === 'between') return fc.tuple(value, value);
  return isList(operator) ? fc.array(value, { minLength: 1, maxLength: 4 }) : fc.tuple(value);
}

/** A piece of an existing text, in capital or small letters. */
function partOf(held: readonly unknown[]): fc.Arbitrary<string> {
  return fc
    .record({
      text: fc.constantFrom(...held),
      from: fc.nat(4),
      length: fc.nat(4),
      isUpper: fc.boolean(),
    })
    .map(({ text, from, length, isUpper }) => {
      const part = [...String(text)].slice(from, from + length).join('');
      return isUpper ? part.toUpperCase() : part;
    });
}

/** The values at the end of a path, to compare with. */
function heldAt(name: string): readonly unknown[] {
  const [relation, field] = name.split('.');
  const tables = { keeper: users, bed: beds, labels };
  const rows: readonly object[] =
    relation === 'keeper' || relation === 'bed' || relation === 'labels'
      ? tables[relation]
      : plants;
  const key = field ?? name;
  const all = rows.map((row) => Object.entries(row).find(([it]) => it === key)?.[1]);
  return [...new Set(all)].filter((value) => value !== null);
}
