import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { afterWrite } from '../src/after-write.ts';
import type { AfterWrite } from '../src/lib/rows.ts';
import { startTestApp } from './app.ts';

const api = await startTestApp();
const listener = vi.fn<AfterWrite>();

// A readonly list, to which only this file adds something.
beforeAll(() => {
  Reflect.apply(Array.prototype.push, afterWrite, [listener]);
});
afterAll(() => {
  Reflect.apply(Array.prototype.pop, afterWrite, []);
});

it('is called once for each write, with the row before and after it', async () => {
  const ann = await api.signIn();
  listener.mockClear();
  expect((await ann.patch('/auth/me', { name: 'Ben' })).statusCode).toBe(200);
  expect(listener.mock.calls.map(([, write]) => write)).toMatchObject([
    { operation: 'update', before: { name: ann.user.name }, after: { name: 'Ben' } },
  ]);
});

it('undoes the write when it throws', async () => {
  const ann = await api.signIn();
  listener.mockRejectedValueOnce(new Error('The audit log is full.'));
  expect((await ann.patch('/auth/me', { name: 'Ben' })).statusCode).toBe(500);
  expect((await ann.get('/auth/me')).json().name).toBe(ann.user.name);
});
