import * as oauth from 'oauth4webapi';
import { ResourceOwnerPassword } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtApp } from './support/built-app.ts';
import { type Server, startServer } from './support/server.ts';

const ann = { username: 'ann@example.test', password: 'correct horse battery' };
let server: Server;

beforeAll(async () => {
  const { folder, env } = await builtApp('minimal', 'sqlite');
  server = await startServer({
    cwd: folder,
    env,
    command: [process.execPath, 'dist/server.js', '--migrate'],
  });
  const response = await fetch(`${server.url}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ann', email: ann.username, password: ann.password }),
  });
  expect(response.status).toBe(201);
});

afterAll(() => server.stop());

describe.each(['body', 'header'] as const)(
  'simple-oauth2, its client named in the %s',
  (authorizationMethod) => {
    const client = () =>
      new ResourceOwnerPassword({
        client: { id: 'app', secret: 'none' },
        auth: { tokenHost: server.url, tokenPath: '/auth/token', refreshPath: '/auth/refresh' },
        options: { authorizationMethod },
      });

    test('logs in, calls a protected route and refreshes', async () => {
      const token = await client().getToken(ann);
      expect(token.expired()).toBe(false);
      expect(await nameBehind(token.token['access_token'])).toBe('Ann');
      const next = await token.refresh();
      expect(next.token['refresh_token']).not.toBe(token.token['refresh_token']);
      expect(await nameBehind(next.token['access_token'])).toBe('Ann');
    });

    test('understands a refusal', async () => {
      const refused = client().getToken({ ...ann, password: 'wrong horse' });
      await expect(refused).rejects.toMatchObject({
        data: { payload: { error: 'invalid_grant' } },
      });
    });
  },
);

describe('oauth4webapi, which accepts nothing but the letter of the RFCs', () => {
  const client: oauth.Client = { client_id: 'app' };
  const insecure = { [oauth.allowInsecureRequests]: true };
  const logIn = async (password: string) => {
    const issuer = tokensFrom('/auth/token');
    const form = new URLSearchParams({ ...ann, password });
    const response = await oauth.genericTokenEndpointRequest(
      issuer,
      client,
      oauth.None(),
      'password',
      form,
      insecure,
    );
    return oauth.processGenericTokenEndpointResponse(issuer, client, response);
  };

  test('logs in, calls a protected route and refreshes', async () => {
    const first = await logIn(ann.password);
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    const me = new URL('/auth/me', server.url);
    const reply = await oauth.protectedResourceRequest(
      first.access_token,
      'GET',
      me,
      undefined,
      undefined,
      insecure,
    );
    expect(reply.status).toBe(200);

    const issuer = tokensFrom('/auth/refresh');
    const request = oauth.refreshTokenGrantRequest(
      issuer,
      client,
      oauth.None(),
      first.refresh_token ?? '',
      insecure,
    );
    const second = await oauth.processRefreshTokenResponse(issuer, client, await request);
    expect(await nameBehind(second.access_token)).toBe('Ann');
  });

  test('understands a refusal', async () => {
    const refusal: unknown = await logIn('wrong horse').catch((error: unknown) => error);
    if (!(refusal instanceof oauth.WWWAuthenticateChallengeError)) throw refusal;
    expect(refusal.cause).toMatchObject([{ scheme: 'bearer' }]);
    expect(await refusal.response.json()).toMatchObject({ error: 'invalid_grant' });
  });
});

async function nameBehind(token: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${String(token)}` };
  const body: unknown = await (await fetch(`${server.url}/auth/me`, { headers })).json();
  return typeof body === 'object' && body !== null && 'name' in body ? body.name : body;
}

function tokensFrom(path: string): oauth.AuthorizationServer {
  return { issuer: server.url, token_endpoint: server.url + path };
}
