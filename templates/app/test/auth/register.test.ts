import { describe, expect, it } from 'vitest';
import { Registration } from '../../src/auth/schema.ts';
import { startTestApp } from '../app.ts';
import { pointers } from '../client.ts';

const api = await startTestApp();

describe('register', () => {
  it('makes an account that can log in', async () => {
    const body = await api.make.registration();
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ name: body.name, email: body.email, role: 'user' });
    expect(response.body).not.toContain(String(body.password));
    expect(response.json()).not.toHaveProperty('password');

    const credentials = { username: body.email, password: body.password };
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(200);
  });

  it('writes addresses in one way', async () => {
    const body = await api.make.registration();
    const email = ` ${String(body.email).toUpperCase()} `;
    const response = await api.nobody.post('/auth/register', { ...body, email });
    expect(response.json().email).toBe(body.email);
  });

  it('refuses an address that is taken', async () => {
    const { email } = await api.make.user();
    const body = { ...(await api.make.registration()), email: email.toUpperCase() };
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(400);
    expect(response.json().code).toBe('email_taken');
  });

  it('makes one account of many requests for the same address', async () => {
    const { email } = await api.make.registration();
    const bodies = await Promise.all(Array.from({ length: 20 }, () => api.make.registration()));
    const responses = await Promise.all(
      bodies.map((body) => api.nobody.post('/auth/register', { ...body, email })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 400)]);
  });

  it('names every field that is missing', async () => {
    const response = await api.nobody.post('/auth/register', {});
    expect(response.statusCode).toBe(422);
    const required = (Registration.required ?? []).map((name) => `#/${name}`);
    expect(pointers(response)).toEqual(required.toSorted());
  });

  it.each([
    ['shorter than 8 characters', 'ää ää ä'],
    ['longer than 72 bytes', 'ä'.repeat(37)],
  ])('refuses a password %s', async (_, password) => {
    const response = await api.nobody.post('/auth/register', {
      ...(await api.make.registration()),
      password,
    });
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/password']);
  });

  it('gives no roles', async () => {
    const body = { ...(await api.make.registration()), role: 'admin' };
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/role']);
  });
});
