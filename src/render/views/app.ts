import type { App, Enum } from '../../model/app.ts';
import { code, tsValue } from '../typescript.ts';

/** What `src/config.ts` says of the app: its name and the settings that depend on it. */
export interface ConfigView {
  readonly name: string;
  readonly description: string;
  readonly databaseUrl: string;
  readonly databaseScheme: string;
  readonly databaseExpected: string;
  /** Whether the engine serves several connections at once. */
  readonly hasPool: boolean;
  readonly mailFrom: string;
}

export function configView({ name, description, title, database }: App): ConfigView {
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
