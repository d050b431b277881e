import { convertCatalogue } from '../../src/import/convert/convert.ts';
import { askWith } from '../../src/import/database/answers.ts';
import { readPostgres } from '../../src/import/database/read-postgres.ts';
import { readSqlite } from '../../src/import/database/read-sqlite.ts';
import { type Notebook, makeNotebook } from '../../src/import/notes.ts';
import { writeSchema } from '../../src/import/write-schema.ts';
import type { App } from '../../src/model/app.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { openDatabase } from '../evolve/database.ts';
import type { Engine } from '../../src/types/field-type.ts';

const readers = { sqlite: readSqlite, postgres: readPostgres };

interface Imported {
  readonly text: string;
  readonly notes: Notebook;
}

/** What the tables that the statements make are imported as. */
export async function importedFrom(engine: Engine, sql: string): Promise<Imported> {
  const database = await openDatabase(engine);
  try {
    await database.run(sql);
    const notes = makeNotebook();
    const draft = convertCatalogue(await readers[engine](askWith(database.rows)), notes);
    return { text: writeSchema(draft, 'imported'), notes };
  } finally {
    await database.close();
  }
}

export function appOf(text: string): App {
  const { schema, problems } = parseSchema(text);
  if (schema) return buildApp(schema);
  throw new Error(`${JSON.stringify(problems, null, 1)}\n${text}`);
}

export const whatBecame = ({ notes }: Notebook) =>
  notes.filter(({ kind }) => kind !== 'access').map(({ what, became }) => `${what} -> ${became}`);
