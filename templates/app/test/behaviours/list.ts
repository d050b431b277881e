import { describe, expect, it } from 'vitest';
import type { Row } from '../factory.ts';
import type { Client } from '../client.ts';
import type { Subject } from './subject.ts';

const wrongNumbers = ['-1', '1001', 'Infinity', '1e2', '0x10', '%2B5', '%D9%A5', '', '1.5'];

export function testList({ api, resource, path }: Subject): void {
  const idsOf = async (client: Client, query: string) => {
    const response = await client.get(`${path}?${query}`);
    expect(response.statusCode).toBe(200);
    return response.json().items.map(({ id }: Row) => id);
  };

  describe('list', () => {
    it('answers with a page and the total', async () => {
      const admin = await api.signIn('admin');
      const rows = await api.rows(resource, 3);
      const response = await admin.get(path);
      const { items, total, limit, offset } = response.json();
      expect(response.statusCode).toBe(200);
      expect({ total, limit, offset }).toEqual({ total: items.length, limit: 50, offset: 0 });
      expect(response.headers['x-total-count']).toBe(String(total));
      const ids = items.map(({ id }: Row) => id);
      expect(ids).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
    });

    it('answers the same without the slash at the end', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 1);
      const response = await admin.get(path.slice(0, -1));
      expect(response.json()).toEqual((await admin.get(path)).json());
    });

    it('pages by limit and offset', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 4);
      const all = await idsOf(admin, 'limit=1000');
      expect(await idsOf(admin, 'limit=2')).toEqual(all.slice(0, 2));
      expect(await idsOf(admin, 'limit=2&offset=1')).toEqual(all.slice(1, 3));
      expect(await idsOf(admin, `offset=${all.length}`)).toEqual([]);
    });

    it('counts, or does not', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 2);
      const all = await idsOf(admin, 'limit=1000');
      const counted = (await admin.get(`${path}?limit=0`)).json();
      expect(counted).toMatchObject({ items: [], total: all.length });
      expect((await admin.get(`${path}?offset=500`)).json().total).toBe(all.length);
      expect((await admin.get(`${path}?count=none`)).json().total).toBeNull();
    });

    it('counts anew when something was written', async () => {
      const admin = await api.signIn('admin');
      const total = async () => (await admin.get(`${path}?limit=1`)).json().total;
      await api.rows(resource, 1);
      const before = await total();
      expect(await total()).toBe(before);
      const added = await api.rows(resource, 1);
      expect(await total()).toBe(before + added.length);
    });

    it('walks from page to page by cursors', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 4);
      const walk = async (query: string): Promise<readonly unknown[]> => {
        const { items, next_cursor: cursor } = (await admin.get(`${path}?limit=2${query}`)).json();
        const ids = items.map(({ id }: Row) => id);
        return cursor === undefined ? ids : [...ids, ...(await walk(`&cursor=${cursor}`))];
      };
      expect(await walk('')).toEqual(await idsOf(admin, 'limit=1000'));
    });

    it('refuses cursors that it did not hand out', async () => {
      const admin = await api.signIn('admin');
      expect((await admin.get(`${path}?cursor=nonsense`)).statusCode).toBe(422);
    });

    it.each(['limit', 'offset'])('refuses a %s that is no plain number in range', async (name) => {
      const admin = await api.signIn('admin');
      const wrong =
        name === 'limit' ? wrongNumbers : wrongNumbers.filter((text) => text !== '1001');
      for (const text of wrong) {
        const { statusCode } = await admin.get(`${path}?${name}=${text}`);
        expect([text, statusCode]).toEqual([text, 422]);
      }
      expect((await admin.get(`${path}?${name}=1&${name}=2`)).statusCode).toBe(422);
      expect((await admin.get(`${path}?${name}[]=1`)).statusCode).toBe(422);
    });

    it('refuses parameters that it does not know', async () => {
      const admin = await api.signIn('admin');
      for (const query of [
        'nobody_knows_this=1',
        'id__nonsense=1',
        'order_by=nonsense',
        'fields=nonsense',
      ]) {
        const response = await admin.get(`${path}?${query}`);
        expect([query, response.statusCode]).toEqual([query, 422]);
      }
    });

    it('answers with the fields that are asked for', async () => {
      const admin = await api.signIn('admin');
      await api.rows(resource, 2);
      const { items } = (await admin.get(`${path}?fields=id`)).json();
      for (const item of items) expect(Object.keys(item)).toEqual(['id']);
    });
  });
}
