import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { convertCatalogue } from '../../../src/import/convert/convert.ts';
import { readDatabase } from '../../../src/import/database/connect.ts';
import { makeNotebook } from '../../../src/import/notes.ts';
import { writeSchema } from '../../../src/import/write-schema.ts';
import { schemaSql } from '../../../src/evolve/initial.ts';
import { DatabaseSync } from '../../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { valuesOf } from '../../support/sqlite-values.ts';
import { emittedRunner } from './emitted-runner.ts';
import { evolved, type History, historyOf, writeHistory } from './history.ts';
import type { Engine } from '../../../src/types/field-type.ts';

/** A database of another program, and a project that is made from it. */
export async function openLegacy(engine: Engine, sql: string, change = (schema: string) => schema) {
  const place = await scratchFolder(`baseline-${engine}`);
  const folder = join(place, 'migrations');
  const url = engine === 'sqlite' ? `file:${join(place, 'app.db')}` : await freshDatabase();
  const database = await connect(engine, url);
  await database.run(sql);
  const draft = convertCatalogue(await readDatabase(url, place), makeNotebook());
  const schema = change(bodyOf(writeSchema(draft, 'imported')));
  const runner = await emittedRunner(engine);
  let history = historyOf(engine, [schema]);
  const put = async (next: History) => writeHistory(folder, (history = next));
  await put(history);
  return {
    ...database,
    folder,
    url,
    schema,
    put,
    file: join(folder, '0001_initial/baseline.sql'),
    look: () => runner.baseline(url, { folder }),
    take: () => runner.baseline(url, { folder, apply: true }),
    migrate: () => runner.migrate(url, { folder }),
    drift: () => runner.listDrift(url, schemaSql(history.app)),
    /** The project's next schema. */
    evolve: (text: string) => put(evolved(history, text)),
  };
}

async function connect(engine: Engine, url: string) {
  if (engine === 'sqlite') {
    const file = new DatabaseSync(url.slice('file:'.length));
    onTestFinished(() => void file.close());
    return {
      run: async (sql: string) => void file.exec(sql),
      rows: async (sql: string) => valuesOf(file, sql),
    };
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return {
    run: async (sql: string) => void (await client.query(sql)),
    rows: async (text: string) => (await client.query({ text, rowMode: 'array' })).rows,
  };
}

/** The schema without its head. */
function bodyOf(schema: string): string {
  return schema.replace(/^(?:# .*|version: .*|app: .*|database: .*)\n/gm, '');
}
