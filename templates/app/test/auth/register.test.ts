import { describe, expect, it } from 'vitest';
import { Registration } from '../../src/auth/schema.ts';
import { users } from '../../src/users/schema.ts';
import { startTestApp } from '../app.ts';
import { blamed, visible } from '../behaviours/subject.ts';

const api = await startTestApp();

describe('register', () => {
  it('makes an account that can log in', async () => {
    const body = await api.body(users);
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ ...visible(users, body), role: 'user' });
    expect(response.body).not.toContain(String(body.password));
    expect(response.json()).not.toHaveProperty('password');

    const credentials = { username: body.email, password: body.password };
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(200);
  });

  it('writes addresses in one way', async () => {
    const body = await api.body(users);
    const email = ` ${String(body.email).toUpperCase()} `;
    const response = await api.nobody.post('/auth/register', { ...body, email });
    expect(response.json().email).toBe(body.email);
  });

  it('refuses an address that is taken', async () => {
    const { email } = await api.user();
    const body = { ...(await api.body(users)), email: email.toUpperCase() };
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(400);
    expect(response.json().code).toBe('email_taken');
  });

  it('makes one account of many requests for the same address', async () => {
    const { email } = await api.body(users);
    const bodies = await Promise.all(Array.from({ length: 20 }, () => api.body(users)));
    const responses = await Promise.all(
      bodies.map((body) => api.nobody.post('/auth/register', { ...body, email })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 400)]);
  });

  it('names every field that is missing', async () => {
    const response = await api.nobody.post('/auth/register', {});
    expect(response.statusCode).toBe(422);
    expect(blamed(response)).toEqual([...(Registration.required ?? [])].toSorted());
  });

  it.each([
    ['shorter than 8 characters', 'ää ää ä'],
    ['longer than 72 bytes', 'ä'.repeat(37)],
  ])('refuses a password %s', async (_, password) => {
    const response = await api.nobody.post('/auth/register', {
      ...(await api.body(users)),
      password,
    });
    expect(response.statusCode).toBe(422);
    expect(blamed(response)).toEqual(['password']);
  });

  it('gives no roles', async () => {
    const body = { ...(await api.body(users)), role: 'admin' };
    const response = await api.nobody.post('/auth/register', body);
    expect(response.statusCode).toBe(422);
    expect(blamed(response)).toEqual(['role']);
  });
});
