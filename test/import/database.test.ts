import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sample } from 'fast-check';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { tablesSql } from '../../src/evolve/initial.ts';
import type { App } from '../../src/model/app.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { engines } from '../../src/types/field-type.ts';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { commandLine } from '../cli/in-process.ts';
import { legalSchema } from '../support/legal/schema.ts';
import { freshDatabase } from '../support/postgres.ts';
import { root } from '../support/root.ts';
import { scratchFolder } from '../support/scratch.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { django, library } from './databases.ts';
import { appOf, importedFrom } from './import-database.ts';
import { asItIs, ownSchemas, ownWithOtherKeys } from './own-schemas.ts';

const seed = searchSeed();
const count = trials({ quick: 8, full: 40, deep: 1000 });

/** The statements, with the lines of a table in any order. */
const statementsOf = (app: App) =>
  tablesSql(app)
    .split(/;\n/)
    .map((statement) => statement.replaceAll(/^--.*\n|[,;]$/gm, '').trim())
    .map((statement) => statement.split('\n').toSorted().join('\n'))
    .toSorted();

describe.each(engines)('a database on %s', (engine) => {
  test.each([...ownSchemas.map((path) => [path, asItIs] as const), ...ownWithOtherKeys])(
    'of our own becomes a schema that makes the same tables: %s, %o',
    async (path, revise) => {
      const file = join(root, path);
      const written = await readFile(file, 'utf8');
      const app = appOf(revise(withDatabase({ text: written, file }, engine).text));
      const { text, notes } = await importedFrom(engine, tablesSql(app));
      expect(notes.notes.filter(({ kind }) => kind !== 'access')).toEqual([]);
      expect(statementsOf(appOf(text))).toEqual(statementsOf(app));
    },
  );
});

test.each(engines)(
  'the tables of any schema, once imported, become a valid schema, on %s',
  async (engine) => {
    for (const { text } of sample(legalSchema(engine), { seed, numRuns: count })) {
      const { schema } = parseSchema(text);
      if (schema === undefined) continue;
      const { text: again } = await importedFrom(engine, tablesSql(buildApp(schema)));
      // Where accounts are deleted with another row, `check` warns about it afterwards as well.
      const flaws = parseSchema(again).problems.filter(({ code }) => code !== 'SCF310');
      expect(flaws, `SEED=${seed}\n${text}\n${again}`).toEqual([]);
    }
  },
);

describe('scaffold import db', () => {
  test('reads a file, and writes both files', async () => {
    const cwd = await scratchFolder('import-db');
    const file = new DatabaseSync(join(cwd, 'library.db'));
    file.exec(library);
    file.close();
    const run = (source: string) => commandLine(['import', 'db', source, '--force'], { cwd });
    expect(await run('library.db')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 models'),
    });
    expect(await run('nowhere.db')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('SCF652'),
    });
  });

  test('reads a server, and keeps its password to itself', async () => {
    const cwd = await scratchFolder('import-server');
    const url = await freshDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(django);
    await client.end();
    const run = (source: string) => commandLine(['import', 'db', source], { cwd });
    expect(await run(url)).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'schema.yaml'), 'utf8')).toContain('ShopOrder');
    const { stderr } = await run('postgres://reader:secret@127.0.0.1:1/shop');
    expect(stderr).toContain('SCF652');
    expect(stderr).not.toContain('secret');
  });
});
