import { describe, expect, it } from 'vitest';
import {
  blamed,
  isEmpty,
  isWritten,
  misfits,
  only,
  sentConstraint,
  strangeId,
  strangeKeys,
  unwritable,
  visible,
  type Subject,
} from './subject.ts';

export function testUpdate({ api, resource, path, update }: Subject): void {
  const isChangeable = (name: string) => isWritten(name, update);
  const wrong = misfits(update);
  const lost = strangeKeys(resource, update);
  const emptied = only(
    Object.fromEntries(Object.keys(resource.fields).map((name) => [name, null])),
    (name) => isChangeable(name) && resource.fields[name]?.nullable === true,
  );
  const colliding = sentConstraint(resource, update) ?? [];

  describe('update', () => {
    it('changes what is sent and leaves the rest', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      const before = (await admin.patch(path + row.id, {})).json();
      const change = only(await api.body(resource), isChangeable);
      const response = await admin.patch(path + row.id, change);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({
        ...before,
        ...visible(resource, change),
        ...only(response.json(), (name) => name === 'updated_at'),
      });
    });

    it('changes nothing when nothing is sent', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      const first = await admin.patch(path + row.id, {});
      const second = await admin.patch(path + row.id, {});
      expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
      expect(second.json()).toEqual(first.json());
    });

    it('takes null for no value', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      const response = await admin.patch(path + row.id, emptied);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject(visible(resource, emptied));
    });

    it('names every value of a wrong type', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      const response = await admin.patch(path + row.id, wrong);
      expect(response.statusCode).toBe(isEmpty(wrong) ? 200 : 422);
      expect(blamed(response)).toEqual(Object.keys(wrong).toSorted());
    });

    it('refuses fields that cannot be changed', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      const names = [...unwritable(resource, update), 'nobody_knows_this'];
      const extra = Object.fromEntries(names.map((name) => [name, null]));
      const response = await admin.patch(path + row.id, extra);
      expect(response.statusCode).toBe(422);
      expect(blamed(response)).toEqual(names.toSorted());
    });

    it('refuses keys that point nowhere', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      const response = await admin.patch(path + row.id, lost);
      expect(response.statusCode).toBe(isEmpty(lost) ? 200 : 422);
    });

    it('refuses what has to be unique and is taken', async () => {
      const admin = await api.signIn('admin');
      const taken = await api.body(resource, colliding);
      await api.row(resource, taken);
      const change = only(taken, (name) => colliding.includes(name));
      for (const { id } of await api.rows(resource, 1)) {
        const { statusCode } = await admin.patch(path + id, change);
        expect(statusCode).toBe(isEmpty(change) ? 200 : 409);
      }
    });

    it('changes only the version that the client has seen', async () => {
      const admin = await api.signIn('admin');
      const row = await api.row(resource);
      const { etag } = (await admin.patch(path + row.id, {})).headers;
      const current = await admin.patch(path + row.id, {}, { 'if-match': String(etag) });
      const stale = await admin.patch(path + row.id, {}, { 'if-match': '"another"' });
      expect([current.statusCode, stale.statusCode]).toEqual([200, 412]);
    });

    it('does not find a row that is not there', async () => {
      const admin = await api.signIn('admin');
      expect((await admin.patch(`${path}${strangeId(resource)}`, {})).statusCode).toBe(404);
    });
  });
}
