import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInitialMigration, schemaSql } from '../../../src/evolve/initial.ts';
import { makeMigration } from '../../../src/evolve/make-migration.ts';
import { type Migration, printMigration } from '../../../src/evolve/migration.ts';
import type { App } from '../../../src/model/app.ts';
import { carryIds } from '../../../src/model/carry.ts';
import { latestTablesVersion } from '../../../src/schema/internal-tables.ts';
import { appOf } from '../../evolve/support/app-of.ts';
import type { Engine } from '../../../src/types/field-type.ts';

export interface History {
  /** The app of the last schema. */
  readonly app: App;
  readonly migrations: readonly Migration[];
}

/** The migrations of a project whose schema was each of these in turn; made by a release with tables of that layout. */
export function historyOf(
  engine: Engine,
  [first = '', ...others]: readonly string[],
  layout = latestTablesVersion,
): History {
  const app = { ...appOf(first, engine), layout };
  return others.reduce(evolved, { app, migrations: [makeInitialMigration(app, first)] });
}

/** The history with one more migration. */
export function evolved({ app, migrations }: History, schema: string): History {
  const next = carryIds(app, appOf(schema, app.database));
  const step = makeMigration(app, next, {
    sequence: migrations.length + 1,
    parent: migrations.at(-1)?.id ?? '',
    schemaText: schema,
  });
  if (step === undefined) throw new Error(`nothing to migrate:\n${schema}`);
  return { app: next, migrations: [...migrations, step.migration] };
}

/** Writes the folder `migrations/` from scratch. */
export async function writeHistory(folder: string, { app, migrations }: History): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The program beside them stays.
  const others = (await readdir(folder)).filter((name) => !name.startsWith('migrate.'));
  for (const name of others) await rm(join(folder, name), { recursive: true });
  for (const { id, files } of migrations) {
    await mkdir(join(folder, id), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, id, name), String(text));
    }
  }
  await writeFile(join(folder, 'schema.sql'), schemaSql(app));
}

/** The same history with another last script, as if the generator had written that. */
export function miswritten({ app, migrations }: History, change: (sql: string) => string): History {
  const last = migrations.at(-1);
  if (last === undefined) throw new Error('no migration');
  const { 'meta.json': text, ...texts } = last.files;
  const facts = JSON.parse(text);
  const wrong = printMigration(facts, { ...texts, 'up.sql': change(texts['up.sql']) });
  return { app, migrations: [...migrations.slice(0, -1), wrong] };
}
