import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltApp, builtApp } from './support/built-app.ts';
import { type Answer, clientOf } from './support/client.ts';
import { mailedToken, mailedTokens } from './support/mailbox.ts';
import { type Server, startServer, testSecret } from './support/server.ts';
import { isDeep } from './support/trials.ts';

const password = 'correct horse battery';
const email = (name: string) => `${name}@example.test`;
const person = (name: string) => ({ name, email: email(name), password });

/** The cheapest hashes: these tests are about who wins, not about how long it takes. */
const quick = { NODE_ENV: 'test', AUTH_BCRYPT_COST: '4' };

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let app: BuiltApp;

  beforeAll(async () => {
    app = await builtApp('minimal', engine);
  });

  const start = (env: Readonly<Record<string, string>>) =>
    startServer({
      cwd: app.folder,
      env: { ...app.env, ...env },
      command: [process.execPath, 'dist/server.js', '--migrate'],
    });

  describe.each([1, 3])('%i at once', (count) => {
    const servers: Server[] = [];
    const name = (text: string) => `${text}${count}`;

    beforeAll(async () => {
      for (let index = 0; index < count; index += 1) servers.push(await start(quick));
    });
    afterAll(async () => {
      for (const server of servers) await server.stop();
    });

    const post = (path: string, json: unknown, at = 0) =>
      clientOf(servers[at % count]?.url ?? '').call('POST', path, json);

    /** A hundred requests at the same time, spread over the servers in turn. */
    const hundred = (path: string, json: (index: number) => unknown) =>
      Promise.all(Array.from({ length: 100 }, (_, index) => post(path, json(index), index)));

    async function logIn(user: string, chosen = password) {
      return post('/auth/token', { username: email(user), password: chosen });
    }

    test('an address is registered once', async () => {
      const answers = await hundred('/auth/register', () => person(name('ann')));
      expect(countsOf(answers)).toEqual({ 201: 1, 400: 99 });
    });

    test('a refresh token has one successor', async () => {
      await post('/auth/register', person(name('ben')));
      const { refresh_token } = (await logIn(name('ben'))).body;
      const answers = await hundred('/auth/refresh', () => ({ refresh_token }));
      expect(countsOf(answers)).toEqual({ 200: 100 });
      expect(new Set(answers.map(({ body }) => body['refresh_token'])).size).toBe(1);
    });

    test('a reset token is used once, and no earlier login survives', async () => {
      const user = name('cem');
      await post('/auth/register', person(user));
      const before = await logIn(user);
      await post('/auth/forgot-password', { email: email(user) });
      const token = await mailedToken(join(app.folder, 'var/mail'), email(user));
      const [answers, meanwhile] = await Promise.all([
        hundred('/auth/reset-password', (index) => ({ token, password: `new password ${index}` })),
        hundred('/auth/token', () => ({ username: email(user), password })),
      ]);
      expect(countsOf(answers)).toEqual({ 200: 1, 400: 99 });
      const winner = answers.findIndex(({ status }) => status === 200);
      expect((await logIn(user, `new password ${winner}`)).status).toBe(200);
      expect((await logIn(user)).status).toBe(401);

      const former = [before, ...meanwhile].filter(({ status }) => status === 200);
      for (const { body } of former) {
        const refreshed = await post('/auth/refresh', { refresh_token: body['refresh_token'] });
        expect(refreshed.status).toBe(401);
      }
    });

    test('a new address is confirmed once', async () => {
      const user = name('dee');
      await post('/auth/register', person(user));
      const client = clientOf(servers[0]?.url ?? '');
      await client.login(email(user), password);
      await client.call('POST', '/auth/change-email', {
        current_password: password,
        email: email(`${user}-new`),
      });
      const token = await mailedToken(join(app.folder, 'var/mail'), email(`${user}-new`));
      const answers = await hundred('/auth/change-email/confirm', () => ({ token }));
      expect(countsOf(answers)).toEqual({ 200: 1, 400: 99 });
      expect((await logIn(`${user}-new`)).status).toBe(200);
    });

    test('a new address that twenty users want goes to one of them', async () => {
      const wanted = email(name('wanted'));
      const users = Array.from({ length: 20 }, (_, index) => name(`gus${index}-`));
      const confirmed = await Promise.all(
        users.map(async (user, index) => {
          await post('/auth/register', person(user));
          const client = clientOf(servers[index % count]?.url ?? '');
          await client.login(email(user), password);
          const change = { current_password: password, email: wanted };
          return client.call('POST', '/auth/change-email', change);
        }),
      );
      expect(countsOf(confirmed)).toEqual({ 200: 20 });
      const tokens = await mailedTokens(join(app.folder, 'var/mail'), wanted, 20);
      const answers = await hundred('/auth/change-email/confirm', (index) => ({
        token: tokens[index % 20],
      }));
      expect(countsOf(answers)).toEqual({ 200: 1, 400: 99 });
      expect((await logIn(name('wanted'))).status).toBe(200);
    });
  });

  test.each([
    ['one server', 1],
    ['three servers', 3],
  ])('125 guesses at once, from as many addresses, count as ten at %s', async (_, count) => {
    const limited = { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' };
    const servers: Server[] = [];
    while (servers.length < count) servers.push(await start(limited));
    const user = `eve${count}`;
    await clientOf(servers[0]?.url ?? '').call('POST', '/auth/register', person(user));
    const answers = await Promise.all(
      Array.from({ length: 125 }, (_guess, index) =>
        guessFrom(`198.51.100.${index}`, servers[index % count]?.url ?? '', user),
      ),
    );
    for (const server of servers) await server.stop();
    expect(countsOf(answers)).toEqual({ 401: 10, 429: 115 });
  });

  describe('one server', () => {
    let server: Server;

    beforeAll(async () => {
      server = await start({ ...quick, LOG_LEVEL: 'info', RATE_LIMITS: 'on' });
      await clientOf(server.url).call('POST', '/auth/register', person('fay'));
    });
    afterAll(() => server.stop());

    test('accepts none of a thousand altered or forged tokens', async () => {
      const { access_token } = await clientOf(server.url).login(email('fay'), password);
      const good = String(access_token);
      const bad = alteredTokens(good);
      expect(bad.length).toBeGreaterThanOrEqual(1000);
      expect(await statusWith(server.url, good)).toBe(200);
      expect(await statusWith(server.url, resigned(good, {}))).toBe(200);
      for (const token of bad) {
        expect([token, await statusWith(server.url, token)]).toEqual([token, 401]);
      }
    });

    test('logs where each event comes from and whose account it is about', async () => {
      const client = clientOf(server.url);
      const { refresh_token } = await client.login(email('fay'), password);
      await client.call('POST', '/auth/refresh', { refresh_token });
      await client.call('POST', '/auth/token', { username: email('fay'), password: 'wrong' });
      await client.call('POST', '/auth/forgot-password', { email: email('fay') });
      const change = { current_password: password, password: `${password} staple` };
      await client.call('POST', '/auth/change-password', change);
      for (let count = 0; count < 12; count += 1)
        await guessFrom('198.51.100.1', server.url, 'eve');
      await client.login(email('fay'), change.password);
      await client.call('POST', '/auth/logout');

      // The log is flushed from time to time, and at the end.
      await server.stop();
      const lines = server.output().split('\n').filter(Boolean);
      const logged = lines.map((line): Record<string, unknown> => Object(JSON.parse(line)));
      const security = logged.filter(({ event }) => events.has(String(event)));
      expect(new Set(security.map(({ event }) => event))).toEqual(events);
      for (const line of security) {
        expect(line).toMatchObject({ id: expect.any(String), ip: '127.0.0.1' });
        expect(line['user'] ?? line['account']).toBeDefined();
      }
      expect(server.output()).not.toContain(password);
      expect(server.output()).not.toContain(email('fay'));
    });
  });

  // While a machine does other work, medians vary by more than the difference tested here.
  test.runIf(isDeep)(
    'response times do not tell whether an account exists, whatever its hash costs',
    async () => {
      const cheap = { ...quick, AUTH_BCRYPT_COST: '6' };
      const dear = { ...quick, AUTH_BCRYPT_COST: '8' };
      for (const [name, env] of [
        ['cheap', cheap],
        ['dear', dear],
      ] as const) {
        const server = await start(env);
        await clientOf(server.url).call('POST', '/auth/register', person(name));
        await server.stop();
      }
      const server = await start({ ...quick, AUTH_BCRYPT_COST: '7' });
      const { call } = clientOf(server.url);
      await call('POST', '/auth/register', person('usual'));
      const logIn = (name: string) =>
        call('POST', '/auth/token', { username: email(name), password: 'wrong' });
      const forget = (name: string) =>
        call('POST', '/auth/forgot-password', { email: email(name) });
      const signedIn = clientOf(server.url);
      await call('POST', '/auth/register', person('mover'));
      await signedIn.login(email('mover'), password);
      const move = (name: string) =>
        signedIn.call('POST', '/auth/change-email', {
          current_password: password,
          email: email(name),
        });
      try {
        for (const known of ['cheap', 'dear', 'usual']) {
          expect(await compareTimes(logIn, [known, 'nobody'])).toBe('alike');
        }
        expect(await compareTimes(forget, ['usual', 'nobody'])).toBe('alike');
        expect((await move('usual')).status).toBe(200);
        expect(await compareTimes(move, ['usual', 'nobody'])).toBe('alike');
      } finally {
        await server.stop();
      }
    },
  );
});

const events = new Set([
  'register',
  'login_ok',
  'login_failed',
  'throttled',
  'refresh',
  'reset_requested',
  'password_changed',
  'logout',
]);

function countsOf(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function guessFrom(address: string, url: string, user: string): Promise<Answer> {
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ username: email(user), password: `guess of ${address}` }),
  });
  await response.text();
  return { status: response.status, body: {} };
}

async function statusWith(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/auth/me`, { headers });
  await response.text();
  return response.status;
}

/**
 * Of 200 answers to each of two, in turn: their medians are within 5 %, or a busy machine hides them so well that chance
 * orders them (Mann and Whitney's test, three standard deviations).
 */
async function compareTimes(
  ask: (subject: string) => Promise<unknown>,
  [left, right]: readonly [string, string],
): Promise<string> {
  const times: Record<'left' | 'right', number[]> = { left: [], right: [] };
  for (let count = 0; count < 200; count += 1) {
    // Work that a server does after an answer slows down both alike.
    const order = Math.random() < 0.5 ? (['left', 'right'] as const) : (['right', 'left'] as const);
    for (const side of order) {
      const begin = performance.now();
      await ask(side === 'left' ? left : right);
      times[side].push(performance.now() - begin);
    }
  }
  const ratio = median(times.left) / median(times.right);
  const deviations = rankDeviations(times.left, times.right);
  if (Math.abs(ratio - 1) < 0.05 || Math.abs(deviations) < 3) return 'alike';
  return `${left} takes ${ratio.toFixed(2)} times as long as ${right} (${deviations.toFixed(1)} standard deviations)`;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** By how many standard deviations the sum of ranks of `left` differs from what chance would give. */
function rankDeviations(left: readonly number[], right: readonly number[]): number {
  const wins = left.reduce((sum, one) => sum + right.filter((other) => one > other).length, 0);
  const pairs = left.length * right.length;
  return (wins - pairs / 2) / Math.sqrt((pairs * (left.length + right.length + 1)) / 12);
}

test('an answer that takes half as long again is noticed', async () => {
  const times = { slow: 6, fast: 4 };
  const wait = (subject: string) => sleep(subject === 'slow' ? times.slow : times.fast);
  expect(await compareTimes(wait, ['slow', 'fast'])).toContain('times as long');
});

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Header and payload of our choice, signed. */
function signed(header: unknown, payload: unknown, key = testSecret, hash = 'sha256'): string {
  const body = `${base64(header)}.${base64(payload)}`;
  return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`;
}

const hs256 = { alg: 'HS256', typ: 'JWT' };

/** With other claims, signed by the key itself. */
function resigned(token: string, claims: Readonly<Record<string, unknown>>): string {
  return signed(hs256, { ...claimsIn(token), ...claims });
}

function claimsIn(token: string): Record<string, unknown> {
  return Object(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
}

function alteredTokens(good: string): readonly string[] {
  const claims = claimsIn(good);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const body = `${header}.${payload}`;
  const oneCharacter = [...good].flatMap((character, index) =>
    ['A', 'B', '-', '']
      .filter((other) => other !== character)
      .map((other) => `${good.slice(0, index)}${other}${good.slice(index + 1)}`),
  );
  const stray = ['=', '==', '.', '*', '%00', '.a', 'A'].map((text) => good + text);
  const parts = [payload, body, `${body}.`, `.${payload}.${signature}`, `${header}..${signature}`];
  const keys = ['', 'secret', 'changeme', 'a'.repeat(32), testSecret.trim().slice(1)];
  const forged = keys.flatMap((key) => [signed(hs256, claims, key)]);
  const headers = [
    ...['none', 'None', 'NONE', 'nOnE', 'HS384', 'HS512', 'RS256', 'ES256', 'hs256', ''].map(
      (alg) => ({ alg, typ: 'JWT' }),
    ),
    { ...hs256, kid: '../../dev/null' },
    { ...hs256, jwk: { kty: 'oct', k: base64('mine') } },
    { ...hs256, jku: 'https://thief.example/keys' },
    { ...hs256, x5u: 'https://thief.example/cert' },
    { ...hs256, crit: ['b64'], b64: false },
    { ...hs256, crit: ['exp'] },
    { typ: 'JWT' },
    {},
    [],
    'not json',
  ];
  const withHeaders = headers.flatMap((each) => [
    signed(each, claims),
    signed(each, claims, ''),
    `${base64(each)}.${payload}.`,
    `${base64(each)}.${payload}.${signature}`,
  ]);
  const otherHashes = ['sha384', 'sha512'].map((hash) => signed(hs256, claims, testSecret, hash));
  const now = Math.floor(Date.now() / 1000);
  const impossible = [null, true, '', 'x', '\0', -1, 0, 1.5, 2 ** 31, 2 ** 53, 1e300, [], [1], {}];
  const names = ['type', 'uid', 'sid', 'exp', 'tv', 'jti', 'iat', 'sub'];
  // A time of issue in the past, an end in the future, and names and ids that nobody reads are possible.
  const possible = (name: string, value: unknown) =>
    (name === 'iat' && typeof value === 'number' && Number.isInteger(value) && value <= now) ||
    (name === 'exp' && typeof value === 'number' && Number.isInteger(value) && value > now) ||
    (name === 'tv' && value === claims['tv']) ||
    (['jti', 'sub'].includes(name) && typeof value === 'string' && value !== '\0');
  const wrongClaims = names.flatMap((name) => [
    resigned(good, { [name]: undefined }),
    ...impossible
      .filter((value) => !possible(name, value))
      .map((value) => resigned(good, { [name]: value })),
  ]);
  const wrongPayloads = ['[]', '"text"', 'null', '7', '{', `${JSON.stringify(claims)}x`].map(
    (text) => signed(hs256, text),
  );
  const beyondNumbers = ['1e999', '-1e999'].map((number) =>
    signed(hs256, JSON.stringify(claims).replace(/"exp":\d+/, `"exp":${number}`)),
  );
  return [
    ...oneCharacter,
    ...stray,
    ...parts,
    ...forged,
    ...withHeaders,
    ...otherHashes,
    ...wrongClaims,
    ...wrongPayloads,
    ...beyondNumbers,
    resigned(good, { exp: now - 1 }),
    resigned(good, { iat: now + 3600 }),
    resigned(good, { type: 'refresh' }),
  ];
}
