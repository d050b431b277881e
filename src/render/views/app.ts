import type { App, Enum } from '../../model/app.ts';
import { hasAccounts, hasSecretLink, hasPasswords } from '../../model/app-features.ts';
import { listKeyMakers } from '../../model/fields.ts';
import { titleOf } from '../../naming/name.ts';
import { comment } from '../helpers.ts';
import { code, tsValue } from '../typescript.ts';
import { packageManagerWords } from './package-manager.ts';
import { featuresView } from './features.ts';
import { valueDescriptions } from './field-type.ts';

export function configView(app: App) {
  const { name, description, database } = app;
  const mailFrom = `${titleOf(name)} <no-reply@localhost>`;
  const [credentials, unlimited] = hasPasswords(app)
    ? ['passwords', 'passwords can be guessed at any speed']
    : ['tokens', 'nothing keeps one client from taking all the time there is'];
  return { ...databases[database](name), name, description, mailFrom, credentials, unlimited };
}

/** The view of `scripts/copy.ts`: the default URL of the former database. */
export function copyView({ name, formerDatabase = 'sqlite' }: App) {
  return { formerUrl: databases[formerDatabase](name).databaseUrl };
}

const databases = {
  sqlite(name: string) {
    const databaseName = `${name.replace('/', '-')}.db`;
    const databaseUrl = `file:./var/${databaseName}`;
    return {
      databaseName,
      databaseUrl,
      composeUrl: databaseUrl,
      databaseScheme: 'file:',
      databaseExpected: 'a file like `file:./var/app.db`',
    };
  },
  postgres(name: string) {
    const databaseName = name.replace('/', '-');
    const urlAt = (host: string) => `postgres://postgres:postgres@${host}/${databaseName}`;
    return {
      databaseName,
      databaseUrl: urlAt('127.0.0.1:54320'),
      /** The URL from another container. */
      composeUrl: urlAt('database:5432'),
      databaseScheme: 'postgres',
      databaseExpected: 'an address like `postgres://user:password@host:5432/database`',
    };
  },
};

/** The view of `src/database/text-keys.ts`: functions that make text keys. */
export function textKeysView(app: App) {
  const makers = listKeyMakers(app);
  const [cuid, ulid, nanoid] = (['cuid', 'ulid', 'nanoid'] as const).map((it) =>
    makers.includes(it),
  );
  return { cuid, ulid, nanoid, isTimed: cuid || ulid };
}

/** The view of `src/routes.ts`: the routes of accounts and models. */
export function allRoutesView(app: App) {
  const served = app.models.filter(({ endpoints }) => endpoints.length > 0);
  return {
    resources: [
      ...(hasAccounts(app) ? [{ folder: 'auth', routes: 'authRoutes', prefix: '/auth' }] : []),
      ...served.map(({ names, path }) => ({
        folder: names.folder,
        routes: `${names.variable}Routes`,
        prefix: `${app.apiPrefix}/${path}/`,
      })),
    ],
  };
}

export function enumsView(app: App) {
  return { enums: app.enums.map(enumView) };
}

function enumView({ name, values }: Enum) {
  const note = valueDescriptions(values).join(' ');
  return {
    name,
    note: code(note && `/** ${comment(note)} */`),
    values: code(tsValue(values.map(({ value }) => value))),
  };
}

export function openapiView(app: App) {
  const features = featuresView(app);
  return {
    ...features,
    manyTaking: code(
      features.listFields
        ? '\\`in\\`, \\`nin\\`, \\`between\\`, \\`has_any\\` and \\`has_all\\`'
        : '\\`in\\`, \\`nin\\` and \\`between\\`',
    ),
    authWords: hasPasswords(app)
      ? 'Accounts, tokens and passwords.'
      : 'The user who is signed in, and their tokens.',
  };
}

/** The view of `seeds/run.ts`: its options. */
export function runSeedView(app: App) {
  const passwords = hasPasswords(app);
  return {
    options: code(passwords ? 'count, password' : 'count'),
    usage: `Usage: npm run db:seed -- [--count 100]${passwords ? ' [--password …]' : ''}`,
    given: code(passwords ? 'count, password: hash' : 'count'),
    read: code(passwords ? 'count: Number(count), password' : 'count: Number(count)'),
  };
}

/** The view of `src/plugins/logging.ts`: the names of secret values. */
export function loggingView(app: App) {
  const secret = ['password', 'body.password', 'headers.authorization', 'headers.cookie'];
  return {
    redacted: code(tsValue(hasSecretLink(app) ? [...secret, 'headers["link-token"]'] : secret)),
  };
}

export function packageView(app: App) {
  const { name, description, database, formerDatabase } = app;
  const { run, test } = packageManagerWords(app);
  const isPostgres = database === 'postgres';
  const isCopied = isPostgres && formerDatabase === 'sqlite';
  const program = isPostgres ? `${node} scripts/with-database.ts` : node;
  return {
    name,
    description,
    isCopied,
    usesSqlite: !isPostgres || isCopied,
    check: code(`${run} typecheck && ${run} lint && prettier --check . && ${test}`),
    node,
    program,
    status: isPostgres ? `${program} --existing` : program,
    userScripts: [
      ...(hasAccounts(app)
        ? [{ name: 'user:create', runs: `${program} src/cli.ts create-user` }]
        : []),
      ...(hasAccounts(app) && !hasPasswords(app)
        ? [{ name: 'user:token', runs: `${program} src/cli.ts token` }]
        : []),
    ],
    lastScripts: [
      ...(isPostgres ? [{ name: 'db:start', runs: `${node} scripts/start-database.ts` }] : []),
      ...(isCopied ? [{ name: 'db:copy', runs: `${program} scripts/copy.ts` }] : []),
    ],
  };
}

/** How scripts run a TypeScript file. */
const node = 'node scripts/typescript.js';
