import type { TypeName as FieldType } from '../../src/database/values.ts';
import { describe, expect, it } from 'vitest';
import { operatorsOf, type Operator } from '../../src/lib/list/operators.ts';
import { visibleFields } from '../../src/lib/path.ts';
import type { Resource } from '../../src/lib/resource.ts';
import { compareDecimals } from '../../src/database/values.ts';
import type { Client } from '../client.ts';
import type { Row } from '../factory.ts';
import type { Subject } from './subject.ts';

/** Every field filters and orders as its type does: the rows are compared here once more, in plain code. */
export function testQuery({ api, resource, path }: Subject): void {
  const list = async (client: Client, parameters: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ limit: '1000', ...parameters });
    const response = await client.get(`${path}?${query}`);
    expect([String(query), response.statusCode]).toEqual([String(query), 200]);
    const items: readonly Row[] = response.json().items;
    return items;
  };

  describe('filters and order', () => {
    it('filters by equality', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 3);
      const rows = await list(admin, {});
      for (const [name, row] of combinations(resource, 'eq', rows)) {
        const value = row[name];
        const same = rows.filter((each) => each[name] === value);
        expect([name, await list(admin, { [`${name}__eq`]: String(value) })]).toEqual([name, same]);
      }
    });

    it('filters by null', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 3);
      const rows = await list(admin, {});
      for (const name of visibleFields(resource)) {
        const nulls = rows.filter((row) => row[name] === null);
        expect([name, await list(admin, { [`${name}__isnull`]: 'true' })]).toEqual([name, nulls]);
      }
    });

    it('compares by the order of the type', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 3);
      const rows = await list(admin, {});
      for (const [name, row] of combinations(resource, 'lt', rows)) {
        const compare = orderOf(resource, name);
        const filled = rows.filter((each) => each[name] !== null);
        const less = filled.filter((each) => compare(each[name], row[name]) < 0);
        const rest = filled.filter((each) => compare(each[name], row[name]) >= 0);
        const value = String(row[name]);
        expect([name, await list(admin, { [`${name}__lt`]: value })]).toEqual([name, less]);
        expect([name, await list(admin, { [`${name}__gte`]: value })]).toEqual([name, rest]);
      }
    });

    it('searches in texts, in any case', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 3);
      const rows = await list(admin, {});
      for (const [name, row] of combinations(resource, 'icontains', rows)) {
        const part = [...String(row[name])].slice(1, 4).join('').toLowerCase();
        const filled = rows.filter((each) => each[name] !== null);
        const found = filled.filter((each) => String(each[name]).toLowerCase().includes(part));
        const shown = await list(admin, { [`${name}__icontains`]: part.toUpperCase() });
        expect([name, part, shown]).toEqual([name, part, found]);
      }
    });

    it('orders by every field, nulls last', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 3);
      const rows = await list(admin, {});
      for (const name of visibleFields(resource).filter((each) => isOrdered(resource, each))) {
        const values = rows.map((row) => row[name]).filter((value) => value !== null);
        const sorted = values.toSorted(orderOf(resource, name));
        const nulls = rows.filter((row) => row[name] === null).map(() => null);
        const ascending = (await list(admin, { order_by: name })).map((row) => row[name]);
        const descending = (await list(admin, { order_by: `-${name}` })).map((row) => row[name]);
        expect([name, ascending]).toEqual([name, [...sorted, ...nulls]]);
        expect([name, descending]).toEqual([name, [...sorted.toReversed(), ...nulls]]);
      }
    });

    it('does not know what is hidden', async () => {
      const admin = await api.signIn('admin');
      const hidden = Object.keys(resource.fields).filter((name) => resource.fields[name]?.hidden);
      for (const name of hidden) {
        expect((await admin.get(`${path}?${name}__isnull=true`)).statusCode).toBe(422);
        expect((await admin.get(`${path}?order_by=${name}`)).statusCode).toBe(422);
      }
    });
  });
}

/** Each field that knows the operator, with each row that has a value there. */
function combinations(resource: Resource, operator: Operator, rows: readonly Row[]) {
  return visibleFields(resource)
    .filter((name) => operatorsOf[typeOf(resource, name)].includes(operator))
    .flatMap((name) => rows.filter((row) => isShort(row[name])).map((row) => [name, row] as const));
}

/** Fit for an address. */
function isShort(value: unknown): boolean {
  return value !== null && String(value).length <= 500;
}

function isOrdered(resource: Resource, name: string): boolean {
  return operatorsOf[typeOf(resource, name)].includes('eq');
}

function orderOf(resource: Resource, name: string): (a: unknown, b: unknown) => number {
  return orders[typeOf(resource, name)] ?? byCodePoint;
}

const byNumber = (a: unknown, b: unknown) => Number(a) - Number(b);
const byDecimal = (a: unknown, b: unknown) => compareDecimals(String(a), String(b));
const byCodePoint = (a: unknown, b: unknown) =>
  Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

const orders: Readonly<Partial<Record<FieldType, (a: unknown, b: unknown) => number>>> = {
  id: byNumber,
  int: byNumber,
  float: byNumber,
  bool: byNumber,
  bigint: byDecimal,
  decimal: byDecimal,
};

function typeOf({ fields }: Resource, name: string): FieldType {
  return fields[name]?.type ?? 'json';
}
