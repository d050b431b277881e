import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  blamed,
  isEmpty,
  misfits,
  only,
  repeatedConstraint,
  strangeKeys,
  unwritable,
  visible,
  type Subject,
} from './subject.ts';

export function testCreate({ api, resource, path, create }: Subject): void {
  const required = create?.required ?? [];
  const wrong = misfits(create);
  const lost = strangeKeys(resource, create);
  const colliding = repeatedConstraint(resource, create);

  describe('create', () => {
    it('answers with the new row and its address', async () => {
      const admin = await api.signIn('admin');
      const body = await api.body(resource);
      const response = await admin.post(path, body);
      expect(response.statusCode).toBe(201);
      expect(response.headers.location).toBe(`${path}${response.json().id}`);
      expect(response.json()).toMatchObject(visible(resource, body));
    });

    it('fills in what may be left out', async () => {
      const admin = await api.signIn('admin');
      const body = only(await api.body(resource), (name) => required.includes(name));
      const response = await admin.post(path, body);
      expect(response.statusCode).toBe(201);
      expect(response.json()).toMatchObject(visible(resource, body));
    });

    it('names every field that is missing', async () => {
      const admin = await api.signIn('admin');
      const response = await admin.post(path, {});
      expect(response.statusCode).toBe(required.length === 0 ? 201 : 422);
      expect(blamed(response)).toEqual(required.toSorted());
    });

    it('names every value of a wrong type', async () => {
      const admin = await api.signIn('admin');
      const response = await admin.post(path, { ...(await api.body(resource)), ...wrong });
      expect(response.statusCode).toBe(isEmpty(wrong) ? 201 : 422);
      expect(blamed(response)).toEqual(Object.keys(wrong).toSorted());
    });

    it('refuses fields that are unknown or the server’s', async () => {
      const admin = await api.signIn('admin');
      const names = [...unwritable(resource, create), 'nobody_knows_this'];
      const extra = Object.fromEntries(names.map((name) => [name, null]));
      const response = await admin.post(path, { ...(await api.body(resource)), ...extra });
      expect(response.statusCode).toBe(422);
      expect(blamed(response)).toEqual(names.toSorted());
    });

    it('refuses keys that point nowhere', async () => {
      const admin = await api.signIn('admin');
      const response = await admin.post(path, { ...(await api.body(resource)), ...lost });
      expect(response.statusCode).toBe(isEmpty(lost) ? 201 : 422);
      expect(Object.keys(lost)).toEqual(expect.arrayContaining([...blamed(response)]));
    });

    it('refuses what has to be unique and is taken', async () => {
      // The clock stands still, so that `now` is the same in both.
      vi.setSystemTime(new Date());
      onTestFinished(() => void vi.useRealTimers());
      const admin = await api.signIn('admin');
      const body = await api.body(resource, colliding);
      expect((await admin.post(path, body)).statusCode).toBe(201);
      const twin = await admin.post(path, body);
      expect(twin.statusCode).toBe(colliding === undefined ? 201 : 409);
    });

    it('refuses a body that is no JSON object', async () => {
      const admin = await api.signIn('admin');
      const headers = { 'content-type': 'application/json' };
      for (const payload of ['{', '[]', '"text"', 'null', '']) {
        const response = await admin.send({ method: 'POST', url: path, headers, payload });
        expect([payload, response.statusCode]).toEqual([payload, 422]);
      }
    });
  });
}
