import { describe, expect, it } from 'vitest';
import { createUserByHand } from '../../src/create-user.ts';
import { pointers, startTestApp } from '../app.ts';

const api = await startTestApp();

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

  it.each(['role', 'email'])('does not change their own %s', async (name) => {
    const admin = await api.signIn('admin');
    const response = await admin.patch('/auth/me', { [name]: 'user@example.test' });
    expect([response.statusCode, pointers(response)]).toEqual([422, [`#/${name}`]]);
  });
});

describe('a user who is made on the command line', () => {
  const { app } = api;

  it('has the role that was asked for', async () => {
    const made = await createUserByHand({ ...(await api.make.registration()), role: 'admin' }, app);
    const admin = await api.logIn(made);
    expect((await admin.get('/auth/me')).json()).toMatchObject({ id: made.id, role: 'admin' });
  });

  it('is checked as the API checks one', async () => {
    const wrong = { email: 'no address' };
    const texts = { ...(await api.make.registration()), ...wrong };
    const errors = Object.keys(wrong).map((name) =>
      expect.objectContaining({ pointer: `#/${name}` }),
    );
    const refused = { status: 422, errors: expect.arrayContaining(errors) };
    await expect(createUserByHand(texts, app)).rejects.toMatchObject(refused);
  });
});
