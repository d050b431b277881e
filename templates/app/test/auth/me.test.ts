import { describe, expect, it } from 'vitest';
import { startTestApp, type SignedIn } from '../app.ts';
import { pointers } from '../client.ts';
import { testPassword } from '../factory.ts';

const api = await startTestApp();
const password = 'another good password';

const refresh = ({ refreshToken }: SignedIn) =>
  api.nobody.post('/auth/refresh', { refresh_token: refreshToken });

describe('the current user', () => {
  it('is whose token it is', async () => {
    const client = await api.signIn();
    const response = await client.get('/auth/me');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id: client.user.id, email: client.user.email });
    expect(client.user).toMatchObject(response.json());
    expect(response.json()).not.toHaveProperty('password');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('changes what they say about themselves', async () => {
    const client = await api.signIn();
    const response = await client.patch('/auth/me', { name: 'Ada' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id: client.user.id, name: 'Ada' });
  });

  it('does not make themselves an admin', async () => {
    const client = await api.signIn();
    const response = await client.patch('/auth/me', { role: 'admin' });
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/role']);
  });
});

describe('change password', () => {
  it('sets the new password and ends the other logins', async () => {
    const here = await api.signIn();
    const there = await api.logIn(here.user);
    const change = { current_password: testPassword, password };
    expect((await here.post('/auth/change-password', change)).statusCode).toBe(204);
    expect((await refresh(there)).statusCode).toBe(401);
    expect((await refresh(here)).statusCode).toBe(200);
    const credentials = { username: here.user.email, password };
    expect((await api.nobody.post('/auth/token', credentials)).statusCode).toBe(200);
  });

  it('asks for the current password', async () => {
    const client = await api.signIn();
    const change = { current_password: 'not the password', password };
    expect((await client.post('/auth/change-password', change)).statusCode).toBe(401);
    expect((await client.get('/auth/me')).statusCode).toBe(200);
  });

  it('refuses a password that will not do', async () => {
    const client = await api.signIn();
    const change = { current_password: testPassword, password: 'short' };
    const response = await client.post('/auth/change-password', change);
    expect(response.statusCode).toBe(422);
    expect(pointers(response)).toEqual(['#/password']);
  });
});
