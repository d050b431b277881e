import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '../../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { type Migration, printMigration } from '../../../src/evolve/migration.ts';
import { schemaSql } from '../../../src/evolve/initial.ts';
import { appOf } from '../../evolve/support/app-of.ts';
import { introspectSqlite } from '../../evolve/support/introspect-sqlite.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { valuesOf } from '../../support/sqlite-values.ts';
import { emittedRunner } from './emitted-runner.ts';
import type { WritableStore } from './with-hand-written.ts';

/**
 * A database for the random chains, which the runner of an emitted project migrates by the files of `migrations/`.
 * `miswrite` plants a bug in what the generator has written.
 */
export async function openEmitted(miswrite = (sql: string) => sql): Promise<WritableStore> {
  const runner = await emittedRunner('sqlite');
  const place = await scratchFolder('chain');
  const folder = join(place, 'migrations');
  const url = `file:${join(place, 'app.db')}`;
  const connection = new DatabaseSync(join(place, 'app.db'));
  const ids: string[] = [];

  /** The first tables are not made by a migration here. */
  const begin = async () => {
    await mkdir(join(folder, '0001_first'), { recursive: true });
    await writeFile(join(folder, '0001_first/up.sql'), 'SELECT 1;\n');
    ids.push(...(await runner.migrate(url, { folder })));
  };
  const up = async (migration: Migration) => {
    if (ids.length === 0) await begin();
    const schema = schemaAfter(migration);
    await write(folder, migration, { parent: ids.at(-1) ?? '', miswrite, schema });
    try {
      ids.push(...(await runner.migrate(url, { folder })));
    } catch (error) {
      await rm(join(folder, migration.id), { recursive: true });
      throw error;
    }
    const differences = await runner.listDrift(url, schema);
    const drift = differences.filter(({ kind }) => kind !== 'extra');
    if (drift.length > 0) throw new Error(`drift: ${JSON.stringify(drift)}`);
  };
  const applyOwn = async (sql: string) => {
    if (ids.length === 0) await begin();
    // It may belong to a step that was refused or taken back.
    await rm(join(folder, 'schema.sql'), { force: true });
    // Its name makes it follow the last one.
    const id = `${ids.at(-1)}_`;
    await mkdir(join(folder, id));
    await writeFile(join(folder, id, 'up.sql'), sql);
    try {
      ids.push(...(await runner.migrate(url, { folder })));
    } catch (error) {
      await rm(join(folder, id), { recursive: true });
      throw error;
    }
  };
  const down = async () => {
    const id = await runner.rollback(url, { folder });
    await rm(join(folder, id), { recursive: true });
    ids.pop();
  };

  return {
    run: async (sql) => void connection.exec(sql),
    values: async (query) => valuesOf(connection, query),
    rows: async (query) => connection.prepare<Record<string, unknown>>(query).all(),
    apply: (migration, way) => (way === 'down.sql' ? down() : up(migration)),
    applyOwn,
    introspect: async () =>
      introspectSqlite(connection).filter(({ table }) => table !== 'schema_migrations'),
    close: async () => {
      connection.close();
      await rm(place, { recursive: true });
    },
  };
}

interface Writing {
  readonly parent: string;
  /** The schema after the migration. */
  readonly schema: string;
  miswrite(sql: string): string;
}

async function write(
  folder: string,
  { id, files }: Migration,
  { parent, miswrite, schema }: Writing,
): Promise<void> {
  const { 'meta.json': meta, 'up.sql': up, ...texts } = files;
  const facts = { ...JSON.parse(meta), parent };
  const written = printMigration(facts, { ...texts, 'up.sql': miswrite(up) });
  await mkdir(join(folder, id), { recursive: true });
  for (const [name, text] of Object.entries(written.files)) {
    await writeFile(join(folder, id, name), String(text));
  }
  await writeFile(join(folder, 'schema.sql'), schema);
}

function schemaAfter({ files }: Migration): string {
  return schemaSql(appOf(files['schema.yaml']));
}
