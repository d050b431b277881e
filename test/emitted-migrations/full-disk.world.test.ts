import { mkdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { freshDatabase } from '../support/postgres.ts';
import { say } from '../support/say.ts';
import { scratchFolder } from '../support/scratch.ts';
import { valuesOf } from '../support/sqlite-values.ts';
import { mountTinyDisk } from '../support/tiny-disk.ts';
import { emittedRunner } from './support/emitted-runner.ts';
import { evolved, historyOf, writeHistory } from './support/history.ts';

const probe = mountTinyDisk(1);
probe?.remove();
if (probe === undefined) say('This process may not mount a file system: full disks are not tested');

const schema = (fields: string) =>
  `models: { Item: { timestamps: false, fields: { title: "string(..1500)", ${fields} } } }\n`;
const first = (engine: 'sqlite' | 'postgres') => historyOf(engine, [schema('qty: int')]);

/** The user that a server runs as when root has started it: see `postgres-cluster.ts`. */
const nobody = 65_534;

/** Changes that write a lot: an index of long values, and a column that is filled for every row. */
const changes = {
  'an index': schema('qty: int').replace(
    'title: "string(..1500)"',
    'title: { type: string, max: 1500, index: true }',
  ),
  'a column of its own in each row': schema('qty: int, code: uuid = uuid'),
};

const cases = Object.entries(changes).flatMap(([what, next]) =>
  [0, 1_000_000].map((room) => [what, room, next] as const),
);

async function folderOf(name: string) {
  const place = await scratchFolder(name);
  const folder = join(place, 'migrations');
  await mkdir(folder);
  return folder;
}

describe.skipIf(probe === undefined)('a disk that is full', () => {
  test.each(cases)(
    'SQLite: %s cannot be made with %i bytes left, and nothing has changed',
    async (_, room, next) => {
      const disk = mountTinyDisk(24);
      onTestFinished(() => disk?.remove());
      const place = disk?.folder ?? '';
      const runner = await emittedRunner('sqlite');
      const folder = await folderOf('full-sqlite');
      const url = `file:${join(place, 'app.db')}`;
      const start = first('sqlite');
      await writeHistory(folder, start);
      await runner.migrate(url, { folder });
      const database = new DatabaseSync(join(place, 'app.db'));
      onTestFinished(() => database.close());
      database.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
        INSERT INTO items (title, qty) SELECT n || hex(zeroblob(500)), n FROM n;
        PRAGMA wal_checkpoint(TRUNCATE);`);
      const everything = () =>
        valuesOf(database, 'SELECT * FROM items, (SELECT group_concat(sql) FROM sqlite_schema)');
      const before = everything();
      await fill(join(place, 'ballast'), room);
      await writeHistory(folder, evolved(start, next));
      await expect(runner.migrate(url, { folder })).rejects.toThrow(
        /^Migration 0002_\w+ failed and was undone, the database is as it was: .*disk/,
      );
      expect(everything()).toEqual(before);
      expect(valuesOf(database, 'PRAGMA integrity_check')).toEqual([['ok']]);
      await rm(join(place, 'ballast'));
      await expect(runner.migrate(url, { folder })).resolves.toHaveLength(1);
    },
  );

  test.each(cases)(
    'PostgreSQL: %s cannot be made with %i bytes left, and nothing is lost',
    async (_, room, next) => {
      const disk = mountTinyDisk(32, nobody);
      const address = await freshDatabase();
      const admin = new Client({ connectionString: address });
      await admin.connect();
      await admin.query(`CREATE TABLESPACE tiny LOCATION '${disk?.folder}'`);
      await admin.query('CREATE DATABASE tiny TABLESPACE tiny');
      onTestFinished(async () => {
        await admin.query('DROP DATABASE tiny WITH (FORCE)');
        await admin.query('DROP TABLESPACE tiny');
        await admin.end();
        disk?.remove();
      });
      const url = new URL('/tiny', address).href;
      const runner = await emittedRunner('postgres');
      const folder = await folderOf('full-postgres');
      const start = first('postgres');
      await writeHistory(folder, start);
      await runner.migrate(url, { folder });
      const client = new Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      onTestFinished(() => client.end());
      await client.query(
        `INSERT INTO items (title, qty) SELECT string_agg(md5(m || ' ' || n), ''), n FROM generate_series(1, 2000) AS n, generate_series(1, 30) AS m GROUP BY n`,
      );
      const rows = async () =>
        (await client.query('SELECT title, qty FROM items ORDER BY id')).rows;
      const before = await rows();
      await fill(join(disk?.folder ?? '', 'ballast'), room);
      await writeHistory(folder, evolved(start, next));
      await expect(runner.migrate(url, { folder })).rejects.toThrow(
        /^Migration 0002_\w+ failed.*the disk of the database server is full/s,
      );
      expect(await rows()).toEqual(before);
      await rm(join(disk?.folder ?? '', 'ballast'));
      // The code from before the migration still works.
      await client.query(`UPDATE items SET qty = qty WHERE qty = 1`);
      await expect(runner.migrate(url, { folder })).resolves.toHaveLength(1);
      expect(await rows()).toEqual(before);
    },
  );
});

/** Fills the disk, and leaves so many bytes free. */
async function fill(file: string, room: number): Promise<void> {
  const part = Buffer.alloc(4096);
  await writeFile(file, '');
  while (
    await writeFile(file, part, { flag: 'a' }).then(
      () => true,
      () => false,
    )
  );
  await truncate(file, (await stat(file)).size - room);
}
