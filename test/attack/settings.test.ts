import { describe, expect, test } from 'vitest';
import {
  ConfigError,
  loadConfig,
  productionRisks,
} from '../../fixtures/apps/blog/postgres/src/config.ts';

type Environment = Readonly<Record<string, string>>;

/** The settings of somebody who thought of everything. */
const careful: Environment = {
  NODE_ENV: 'production',
  AUTH_SECRET_KEY: 'kQ3vN8sL1xW6tY9bR4mZ7cF2hJ5gP0dA',
  DATABASE_URL: 'postgres://blog@db.internal/blog',
  PUBLIC_URL: 'https://api.example.com',
  SMTP_URL: 'smtps://user:password@smtp.example.com',
  TRUST_PROXY: '10.0.0.0/8,fd00::/8,192.0.2.1',
};

const without = (name: string): Environment =>
  Object.fromEntries(Object.entries(careful).filter(([key]) => key !== name));

describe('a server in production', () => {
  test('has no risks when everything is set', () => {
    expect(productionRisks(loadConfig(careful))).toEqual([]);
  });

  test.each<readonly [Environment, string]>([
    [without('SMTP_URL'), 'SMTP_URL'],
    [without('PUBLIC_URL'), 'PUBLIC_URL'],
    [{ ...careful, PUBLIC_URL: 'http://api.example.com' }, 'PUBLIC_URL is not https'],
    [{ ...careful, PUBLIC_URL: 'https://localhost:3000' }, 'PUBLIC_URL'],
    [{ ...careful, DOCS: 'on' }, 'DOCS'],
    [{ ...careful, RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
    [without('TRUST_PROXY'), 'TRUST_PROXY'],
  ])('names what is missing or unwise: %o', (environment, name) => {
    expect(productionRisks(loadConfig(environment))).toEqual([expect.stringContaining(name)]);
  });

  test('names all risks at once', () => {
    const { NODE_ENV = '', AUTH_SECRET_KEY = '' } = careful;
    const bare = loadConfig({ NODE_ENV, AUTH_SECRET_KEY });
    const names = productionRisks(bare).map((risk) => risk.split(' ', 1)[0]);
    expect(names).toEqual(['SMTP_URL', 'PUBLIC_URL', 'TRUST_PROXY']);
  });
});

describe('a server does not start', () => {
  test.each<readonly [string, string]>([
    ['AUTH_SECRET_KEY', ''],
    ['AUTH_SECRET_KEY', 'too short'],
    ['AUTH_SECRET_KEY', 'a'.repeat(64)],
    ['AUTH_SECRET_KEY', ' '.repeat(64)],
    ['AUTH_SECRET_KEY', 'abcdefgh'.repeat(8)],
    ['AUTH_SECRET_KEY', 'replace-this-with-a-secret-of-your-own'],
    ['AUTH_ALGORITHM', 'none'],
    ['AUTH_ALGORITHM', 'RS256'],
    ['AUTH_BCRYPT_COST', '4'],
    ['AUTH_PASSWORD_MIN_LENGTH', '1'],
    ['AUTH_ACCESS_TOKEN_EXPIRE_MINUTES', '525600'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'https://www.example.com/path'],
    ['TRUST_PROXY', '*'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['SMTP_URL', 'https://smtp.example.com'],
    ['DATABASE_URL', 'mysql://db/blog'],
    ['RATE_LIMITS', 'no'],
    ['DRAIN_MS', '-1'],
  ])('with %s=%s, and does not show the value', (name, value) => {
    const [problem = '', ...others] = problemsOf({ ...careful, [name]: value });
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name} `));
    if (value.length > 8) expect(problem).not.toContain(value);
  });

  test('without naming everything that is wrong', () => {
    const wrong = { PORT: 'x', AUTH_ALGORITHM: 'none', CORS_ORIGINS: '*', AUTH_SECRET_KEY: 'x' };
    expect(problemsOf({ ...careful, ...wrong })).toHaveLength(4);
  });
});

function problemsOf(environment: Environment): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n  ').slice(1);
    throw error;
  }
}
