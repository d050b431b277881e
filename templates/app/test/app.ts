import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeEach } from 'vitest';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openConnection } from '../src/database/client.ts';
import type { Role } from '../src/enums.ts';
import type { Message } from '../src/mail/mailer.ts';
import type { User } from '../src/users/schema.ts';
import { clients, type Client } from './client.ts';
import { makeDatabase } from './database.ts';
import { factory, testPassword, type Factory } from './factory.ts';

export interface SignedIn extends Client {
  readonly user: User;
  readonly token: string;
  readonly refreshToken: string;
}

export interface TestApp {
  readonly app: FastifyInstance;
  /** Makes rows: `api.make.…({ … })`. */
  readonly make: Factory;
  /** The mail that was sent since the test began. */
  readonly mails: Message[];
  /** What the link in the last mail to an address holds. */
  mailedToken(address: string): Promise<string>;
  /** Calls without a token. */
  readonly nobody: Client;
  /** A new user, logged in. */
  signIn(role?: Role): Promise<SignedIn>;
  logIn(user: User): Promise<SignedIn>;
}

/** A server on a database of its own, closed when the tests of the file are done. Each test finds its tables empty. */
export async function startTestApp(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const database = await makeDatabase();
  const config = loadConfig({ ...defaults, DATABASE_URL: database.url, ...settings });
  const connection = openConnection(config);
  const mails: Message[] = [];
  const app = await buildApp({
    config,
    connection,
    mailer: { send: async (message) => void mails.push(message) },
  });
  const client = clients(app);
  const make = factory(app);

  beforeEach(async () => {
    await database.empty();
    mails.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await connection.close();
    await database.remove();
  });

  const logIn = async (user: User): Promise<SignedIn> => {
    const credentials = { username: user.email, password: testPassword };
    const pair = (await client().post('/auth/token', credentials)).json();
    const { access_token: token, refresh_token: refreshToken } = pair;
    return { ...client(token), user, token, refreshToken };
  };
  return {
    app,
    make,
    mails,
    async mailedToken(address) {
      await app.outbox.deliver();
      const { text = '' } = mails.findLast(({ to }) => to === address) ?? {};
      return /token=([\w-]{43})/.exec(text)?.[1] ?? '';
    },
    nobody: client(),
    signIn: async (role = 'user') => logIn(await make.user({ role })),
    logIn,
  };
}

const defaults = {
  NODE_ENV: 'test',
  AUTH_SECRET_KEY: randomBytes(48).toString('base64'),
  AUTH_BCRYPT_COST: '4',
  RATE_LIMITS: 'off',
  DOCS: 'on',
};
