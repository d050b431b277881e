import type { App, Enum } from '../../model/app.ts';
import { hasAccounts, hasSecretLink, hasPasswords } from '../../model/app-features.ts';
import { listKeyMakers } from '../../model/fields.ts';
import { comment } from '../helpers.ts';
import { code, tsValue } from '../typescript.ts';
import { packageManagerWords } from './package-manager.ts';
import { valueDescriptions } from './field-type.ts';

/** What `src/config.ts` contains of the app: its name and the settings that depend on it. */
export function configView(app: App) {
  const { name, description, title, database } = app;
  const mailFrom = `${title} <no-reply@localhost>`;
  const risks = hasPasswords(app)
    ? { secrets: 'passwords', unlimited: 'passwords can be guessed at any speed' }
    : {
        secrets: 'tokens',
        unlimited: 'nothing keeps one client from taking all the time there is',
      };
  return { name, description, mailFrom, ...risks, ...databases[database](name) };
}

/** What `scripts/copy.ts` prints: the usual place of the former engine's database. */
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
      /** From another container. */
      composeUrl: urlAt('database:5432'),
      databaseScheme: 'postgres',
      databaseExpected: 'an address like `postgres://user:password@host:5432/database`',
    };
  },
};

/** What `src/database/text-keys.ts` prints: what makes the keys of the models. */
export function textKeysView(app: App) {
  const makers = listKeyMakers(app);
  const [cuid, ulid, nanoid] = (['cuid', 'ulid', 'nanoid'] as const).map((it) => makers.has(it));
  return { cuid, ulid, nanoid, isTimed: cuid || ulid };
}

/** What `src/routes.ts` prints: accounts, and the models with an address of their own. */
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

/** What `src/enums.ts` prints. */
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

/** What `src/plugins/logging.ts` prints: which values of what is logged are secret. */
export function loggingView(app: App) {
  const secret = ['password', 'body.password', 'headers.authorization', 'headers.cookie'];
  return {
    redacted: code(tsValue(hasSecretLink(app) ? [...secret, 'headers["link-token"]'] : secret)),
  };
}

/** What `package.json` prints. */
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

/** What runs a file of TypeScript. */
const node = 'node scripts/typescript.js';
