import { describe, expect, it } from 'vitest';
import { visibleFields } from '../../src/lib/path.ts';
import { strangeId, type Subject } from './subject.ts';

export function testRead({ api, resource, path }: Subject): void {
  describe('read', () => {
    it('answers with the row, or with 304 to who has it already', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      const response = await admin.get(path + id);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ id });

      const etag = String(response.headers.etag);
      for (const known of [etag, `W/${etag}`]) {
        const again = await admin.get(path + id, { 'if-none-match': known });
        expect([again.statusCode, again.body]).toEqual([304, '']);
      }
    });

    it('answers with the fields that are asked for', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      expect((await admin.get(`${path}${id}?fields=id`)).json()).toEqual({ id });
      const all = (await admin.get(`${path}${id}?fields=*`)).json();
      expect(Object.keys(all)).toEqual(expect.arrayContaining([...visibleFields(resource)]));
    });

    it('never shows what is hidden', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      const hidden = Object.keys(resource.fields).filter((name) => resource.fields[name]?.hidden);
      const row = (await admin.get(path + id)).json();
      expect(Object.keys(row).filter((name) => hidden.includes(name))).toEqual([]);
      for (const name of hidden) {
        expect((await admin.get(`${path}${id}?fields=${name}`)).statusCode).toBe(422);
      }
    });

    it('does not know ids of no row, nor other spellings of an id', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      for (const other of [strangeId(resource), `0${id}`, `${id}.0`, `%20${id}`, '1e3', 'x']) {
        expect([other, (await admin.get(`${path}${other}`)).statusCode]).toEqual([other, 404]);
      }
    });

    it('says which methods there are', async () => {
      const admin = await api.signIn('admin');
      const { id } = await api.row(resource);
      const response = await admin.put(path + id, {});
      expect(response.statusCode).toBe(405);
      expect(response.headers.allow).toContain('GET');
    });
  });
}
