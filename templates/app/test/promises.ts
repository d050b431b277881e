import { beforeEach, expect, it } from 'vitest';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

interface Row {
  readonly id: number | string;
}

interface List {
  /** `/api/posts/` */
  readonly path: string;
  /** Somebody with no more rights than it takes to see the rows. */
  readonly reader: () => Client | Promise<Client>;
  /** Makes the rows, in this order. */
  readonly rows: Readonly<Record<string, () => Promise<Row>>>;
  /** Whether to leave out other rows, which the tests make besides. */
  readonly only: boolean;
  /** A query, and the names of the rows that it lists. */
  readonly filters: readonly (readonly [query: string, listed: readonly string[]])[];
  /** A field, and the names of the rows in its order; the other way round, nulls are last again. */
  readonly orders: readonly (readonly [string, readonly string[], readonly string[]])[];
}

/** What the lists of every model promise, on the rows of one. */
export function testList({ path, reader, rows, only, filters, orders }: List): void {
  const names = new Map<unknown, string>();

  beforeEach(async () => {
    names.clear();
    for (const [name, make] of Object.entries(rows)) names.set((await make()).id, name);
  });

  const list = async (query: string) => {
    const parameters = new URLSearchParams(query);
    if (only) parameters.set('id__in', [...names.keys()].join());
    const response = await (await reader()).get(`${path}?${parameters}`);
    expect(response.statusCode).toBe(200);
    const page = response.json();
    return { ...page, listed: page.items.map(({ id }: Row) => names.get(id)) };
  };

  it('lists all rows with their total', async () => {
    const page = await list('');
    expect(page).toMatchObject({ total: names.size, limit: 50, offset: 0 });
    expect(page.listed.toSorted()).toEqual(Object.keys(rows).toSorted());
    expect(await list('limit=0')).toMatchObject({ items: [], total: names.size });
  });

  it('shows of each row what reading it shows', async () => {
    const { items } = await list('');
    const client = await reader();
    const read: unknown[] = [];
    for (const item of items) {
      const row = await client.get(`${path}${item.id}`);
      // Not everybody who may list rows may read one.
      read.push(row.statusCode === 200 ? row.json() : item);
    }
    expect(items).toEqual(read);
  });

  it.each(filters)('?%s lists %j', async (query, expected) => {
    const { listed, total } = await list(query);
    expect([listed.toSorted(), total]).toEqual([expected, expected.length]);
  });

  it.each(orders)('orders by %s', async (field, ascending, descending) => {
    expect((await list(`order_by=${field}`)).listed).toEqual(ascending);
    expect((await list(`order_by=-${field}`)).listed).toEqual(descending);
  });

  it('pages by offsets and by cursors, and repeats no row', async () => {
    const { items } = await list('');
    let cursor = '';
    for (const [index, item] of items.entries()) {
      const page = { items: [item], total: items.length, limit: 1, offset: index };
      expect(await list(`limit=1&offset=${index}`)).toMatchObject(page);
      const next = await list(`limit=1${cursor}`);
      expect(next.items).toEqual([item]);
      cursor = `&cursor=${next.next_cursor}`;
    }
    expect(cursor).toBe('&cursor=undefined');
  });

  it.each(['limit=1001', 'offset=-1', 'cursor=x', 'order_by=x', 'fields=x', 'x=1', 'id__x=1'])(
    'refuses ?%s',
    async (query) => {
      const response = await (await reader()).get(`${path}?${query}`);
      expect(response.statusCode).toBe(422);
    },
  );
}

/** What every row promises that can be read: one address, and a version. */
export function testRow(api: TestApp, path: string, make: () => Promise<Row>): void {
  it('has one spelling of its id', async () => {
    const admin = await api.signIn('admin');
    const { id } = await make();
    const none = typeof id === 'number' ? 999_999_999 : '00000000-0000-7000-8000-000000000000';
    for (const other of [none, `0${id}`, `${id}.0`, `%20${id}`, '1e3', 'x']) {
      expect([other, (await admin.get(`${path}${other}`)).statusCode]).toEqual([other, 404]);
    }
  });

  it('is not sent again to those who have it', async () => {
    const admin = await api.signIn('admin');
    const { id } = await make();
    const { etag } = (await admin.get(`${path}${id}`)).headers;
    const again = await admin.get(`${path}${id}`, { 'if-none-match': String(etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
}

/** What every row promises that can be changed: nobody overwrites what they have not seen. */
export function testVersions(api: TestApp, address: () => string): void {
  it('changes only the version that the client has seen', async () => {
    const admin = await api.signIn('admin');
    const { etag } = (await admin.patch(address(), {})).headers;
    const current = await admin.patch(address(), {}, { 'if-match': String(etag) });
    const stale = await admin.patch(address(), {}, { 'if-match': '"another"' });
    expect([current.statusCode, stale.statusCode]).toEqual([200, 412]);
  });
}
