import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Migration, printMigration } from '../../../src/evolve/migration.ts';
import { schemaSql } from '../../../src/evolve/initial.ts';
import { appOf } from '../../evolve/support/app-of.ts';
import { introspectPostgres } from '../../evolve/support/introspect-postgres.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { emittedRunner } from '../support/emitted-runner.ts';
import type { WritableStore } from '../support/with-hand-written.ts';

let count = 0;

/** How an owner may have edited a migration. */
type Edit = (sql: string) => string;

/** A schema of its own in one database, whose migrations are in a folder and are applied by the runner of a project. */
export async function openEmitted(url: string, edit: Edit = (sql) => sql): Promise<WritableStore> {
  count += 1;
  // A name that needs quotes: the runner has to find the tables there, too.
  const schema = `"Emitted ${count}"`;
  const folder = await scratchFolder('emitted-chain');
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
  await client.query('SET client_min_messages = error');
  const runner = await emittedRunner('postgres');
  const place = `${url}?options=${encodeURIComponent(`-c search_path=${schema.replaceAll(' ', '\\ ')}`)}`;
  const applied = ['0000_made_otherwise'];
  await put(folder, applied.join(), { 'up.sql': '-- The chain makes the tables.\n' });
  await runner.migrate(place, { folder });

  const up = async (migration: Migration) => {
    const [name, parent] = [numbered(applied.length, migration), applied.at(-1) ?? null];
    const { 'meta.json': meta, ...texts } = migration.files;
    const mine = printMigration(
      { ...JSON.parse(meta), id: name, parent },
      { ...texts, 'up.sql': edit(texts['up.sql']) },
    );
    await put(folder, name, mine.files);
    await writeFile(join(folder, 'schema.sql'), schemaSql(appOf(texts['schema.yaml'], 'postgres')));
    try {
      await runner.migrate(place, { folder });
      applied.push(name);
    } catch (error) {
      await rm(join(folder, name), { recursive: true });
      throw error;
    }
  };
  const applyOwn = async (sql: string) => {
    // It may belong to a step that was refused or taken back.
    await rm(join(folder, 'schema.sql'), { force: true });
    // Its name makes it follow the last one.
    const name = `${applied.at(-1)}_`;
    await put(folder, name, { 'up.sql': sql });
    try {
      await runner.migrate(place, { folder });
      applied.push(name);
    } catch (error) {
      await rm(join(folder, name), { recursive: true });
      throw error;
    }
  };
  const down = async () => {
    await runner.rollback(place, { folder });
    await rm(join(folder, applied.pop() ?? ''), { recursive: true });
  };
  return {
    run: async (sql) => void (await client.query(sql)),
    values: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows,
    rows: async (query) => (await client.query<Record<string, unknown>>(query)).rows,
    apply: (migration, way) => (way === 'down.sql' ? down() : up(migration)),
    applyOwn,
    introspect: () => introspectPostgres(client, schema),
    close: async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** A chain may make two changes with the same name. */
function numbered(sequence: number, { id }: Migration): string {
  return `${String(sequence).padStart(4, '0')}${id.slice(id.indexOf('_'))}`;
}

async function put(folder: string, id: string, files: Readonly<Record<string, string>>) {
  await mkdir(join(folder, id), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, id, name), String(text));
  }
}
