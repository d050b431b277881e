import type { Turn } from '../conversation.ts';

const password = 'correct horse battery';
const register = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@example.test`,
  password,
});

/** Made beforehand by `npm run user:create`, because nobody can register with a role. */
export const staff = [
  { role: 'admin', name: 'Root', email: 'root@example.test', password, fields: [] },
  { role: 'editor', name: 'Eve', email: 'eve@example.test', password, fields: [] },
] as const;

/** Registration, logins, the current user. Leaves the logins `ann`, `bob`, `eve` and `root`. */
export const accounts: readonly Turn[] = [
  {
    says: 'a stranger registers',
    send: 'POST /auth/register',
    json: register('Ann'),
    status: 201,
    keep: 'annUser',
  },
  {
    says: 'with extension fields and an untidy address',
    send: 'POST /auth/register',
    json: {
      ...register('Bob'),
      email: '  BOB@Example.Test ',
      bio: 'Builds.',
      website: 'https://bob.example.test',
    },
    status: 201,
    keep: 'bobUser',
  },
  {
    says: 'an address is taken once',
    send: 'POST /auth/register',
    json: register('Ann'),
    status: 400,
  },
  {
    says: 'every wrong field is named',
    send: 'POST /auth/register',
    json: { email: 'no', password: 'short' },
    status: 422,
  },
  {
    says: 'a role cannot be registered',
    send: 'POST /auth/register',
    json: { ...register('Mallory'), role: 'admin' },
    status: 422,
  },
  {
    says: 'a password over 72 bytes',
    send: 'POST /auth/register',
    json: { ...register('Mallory'), password: 'ü'.repeat(37) },
    status: 422,
  },
  {
    says: 'malformed JSON',
    send: 'POST /auth/register',
    raw: '{"name": ',
    headers: { 'content-type': 'application/json' },
    status: 422,
  },
  {
    says: 'a body of another type',
    send: 'POST /auth/register',
    raw: '<a/>',
    headers: { 'content-type': 'text/xml' },
    status: 415,
  },
  {
    says: 'a login as JSON',
    send: 'POST /auth/token',
    json: { username: 'ann@example.test', password },
    status: 200,
    keep: 'ann',
  },
  {
    says: 'a login as an OAuth form',
    send: 'POST /auth/token',
    form: { grant_type: 'password', username: 'BOB@example.test', password },
    status: 200,
    keep: 'bob',
  },
  {
    says: 'the editor logs in',
    send: 'POST /auth/token',
    form: { username: 'eve@example.test', password },
    status: 200,
    keep: 'eve',
  },
  {
    says: 'the admin logs in',
    send: 'POST /auth/token',
    form: { username: 'root@example.test', password },
    status: 200,
    keep: 'root',
  },
  {
    says: 'a wrong password',
    send: 'POST /auth/token',
    json: { username: 'ann@example.test', password: 'wrong horse' },
    status: 401,
  },
  {
    says: 'an unknown address',
    send: 'POST /auth/token',
    json: { username: 'zoe@example.test', password },
    status: 401,
  },
  {
    says: 'a login without a password',
    send: 'POST /auth/token',
    json: { username: 'ann@example.test' },
    status: 422,
  },
  {
    says: 'a refresh',
    send: 'POST /auth/refresh',
    json: { refresh_token: '{ann.refresh_token}' },
    status: 200,
    keep: 'ann',
  },
  {
    says: 'a refresh with nonsense',
    send: 'POST /auth/refresh',
    json: { refresh_token: 'a.b.c' },
    status: 401,
  },
  {
    says: 'a refresh with an access token',
    send: 'POST /auth/refresh',
    json: { refresh_token: '{ann.access_token}' },
    status: 401,
  },
  { says: 'a refresh with nothing', send: 'POST /auth/refresh', json: {}, status: 422 },
  { says: 'who am I', send: 'GET /auth/me', as: 'ann', status: 200 },
  { says: 'nobody', send: 'GET /auth/me', status: 401 },
  {
    says: 'a bad token',
    send: 'GET /auth/me',
    headers: { authorization: 'Bearer nonsense' },
    status: 401,
  },
  {
    says: 'a refresh token is no access token',
    send: 'GET /auth/me',
    headers: { authorization: 'Bearer {ann.refresh_token}' },
    status: 401,
  },
  {
    says: 'the scheme in any case',
    send: 'GET /auth/me',
    headers: { authorization: 'bEARER {ann.access_token}' },
    status: 200,
  },
  {
    says: 'I change',
    send: 'PATCH /auth/me',
    as: 'ann',
    json: { bio: 'Writes – a lot. 🙂' },
    status: 200,
  },
  { says: 'I change back', send: 'PATCH /auth/me', as: 'ann', json: { bio: null }, status: 200 },
  {
    says: 'I do not change my role',
    send: 'PATCH /auth/me',
    as: 'ann',
    json: { role: 'admin' },
    status: 422,
  },
  {
    says: 'a forgotten password',
    send: 'POST /auth/forgot-password',
    json: { email: 'ann@example.test' },
    status: 200,
  },
  {
    says: 'a forgotten password of nobody',
    send: 'POST /auth/forgot-password',
    json: { email: 'zoe@example.test' },
    status: 200,
  },
  {
    says: 'an invented reset token',
    send: 'POST /auth/forgot-password/validate',
    json: { token: 'x'.repeat(43) },
    status: 400,
  },
  {
    says: 'a reset with it',
    send: 'POST /auth/reset-password',
    json: { token: 'x'.repeat(43), password },
    status: 400,
  },
  {
    says: 'a reset to a short password',
    send: 'POST /auth/reset-password',
    json: { token: 'x'.repeat(43), password: 'x' },
    status: 422,
  },
  { says: 'users are not for users', send: 'GET /api/users/', as: 'ann', status: 403 },
  { says: 'users are not for strangers', send: 'GET /api/users/', status: 401 },
  { says: 'users are for admins', send: 'GET /api/users/?order_by=email', as: 'root', status: 200 },
  { says: 'myself', send: 'GET /api/users/{annUser.id}', as: 'ann', status: 200 },
  { says: 'somebody else', send: 'GET /api/users/{bobUser.id}', as: 'ann', status: 404 },
  {
    says: 'a password by the back door',
    send: 'PATCH /api/users/{annUser.id}',
    as: 'ann',
    json: { role: 'admin' },
    status: 422,
  },
];

/** At the end, because it ends logins. */
export const farewells: readonly Turn[] = [
  {
    says: 'a second login',
    send: 'POST /auth/token',
    form: { username: 'bob@example.test', password },
    status: 200,
    keep: 'elsewhere',
  },
  {
    says: 'a wrong current password',
    send: 'POST /auth/change-password',
    as: 'bob',
    json: { current_password: 'wrong', password: 'another long one' },
    status: 401,
  },
  {
    says: 'a change of password',
    send: 'POST /auth/change-password',
    as: 'bob',
    json: { current_password: password, password: 'another long one' },
    status: 204,
  },
  {
    says: 'the old password',
    send: 'POST /auth/token',
    json: { username: 'bob@example.test', password },
    status: 401,
  },
  {
    says: 'the new password',
    send: 'POST /auth/token',
    json: { username: 'bob@example.test', password: 'another long one' },
    status: 200,
  },
  {
    says: 'the other login is over',
    send: 'POST /auth/refresh',
    json: { refresh_token: '{elsewhere.refresh_token}' },
    status: 401,
  },
  { says: 'a logout', send: 'POST /auth/logout', as: 'ann', status: 204 },
  { says: 'after it', send: 'GET /auth/me', as: 'ann', status: 401 },
  {
    says: 'a refresh after it',
    send: 'POST /auth/refresh',
    json: { refresh_token: '{ann.refresh_token}' },
    status: 401,
  },
];
