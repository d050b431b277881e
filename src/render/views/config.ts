import type { App } from '../../model/app.ts';

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
