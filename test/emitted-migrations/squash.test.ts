import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMigrations } from '../../src/evolve/heads/stored-migrations.ts';
import { splitHeads } from '../../src/evolve/heads/split-heads.ts';
import { schemaSql } from '../../src/evolve/initial.ts';
import { latestTablesVersion } from '../../src/schema/internal-tables.ts';
import { squashMigrations } from '../../runner/squash.ts';
import { evolved, type History, historyOf, writeHistory } from './support/history.ts';
import { openAny, openEmpty } from './support/open-any.ts';

const schema = (fields: string) => `models: { Post: { timestamps: false, fields: { ${fields} } } }`;
const steps = [
  'title: string',
  'title: string, size: int?',
  'title: string, size: { type: int, backfill: 7 }',
];

describe.each(['sqlite', 'postgres'] as const)(
  'a history of squashed migrations, on %s',
  (engine) => {
    // Written by the release before this one: the second migration creates the server's tables of this one.
    const histories = steps.map((_, at) =>
      historyOf(engine, steps.slice(0, at + 1).map(schema), latestTablesVersion - 1),
    );
    const [first, second, last] = histories;
    if (first === undefined || second === undefined || last === undefined) throw new Error('three');

    /** Writes the history, with a view of the owner between its second and third migration. */
    async function put(folder: string, history: History): Promise<void> {
      await writeHistory(folder, history);
      if (history === first) return;
      await mkdir(join(folder, '0002_b_own'), { recursive: true });
      await writeFile(
        join(folder, '0002_b_own/up.sql'),
        'CREATE VIEW titles AS SELECT title FROM posts;\n',
      );
      const third = history.migrations[2];
      if (third === undefined) return;
      const file = join(folder, third.id, 'meta.json');
      const meta = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(file, JSON.stringify({ ...meta, parent: '0002_b_own' }));
    }

    test('makes a new database with all that its owner has written, each part in its own way', async () => {
      const project = await openEmpty(engine, first);
      await writeHistory(project.folder, second);
      const alone = engine === 'sqlite' ? '' : '-- step 1 of 1: outside of a transaction\n';
      const concurrently = engine === 'sqlite' ? '' : ' CONCURRENTLY';
      const parts = {
        '0001_own_a': '-- then src/database/data/one.ts\n',
        '0001_own_b': '-- then src/database/data/two.ts\n',
        '0001_own_c': `${alone}CREATE INDEX${concurrently} mine ON posts (title);\n`,
        '0001_own_d': 'CREATE VIEW titles AS SELECT title FROM posts;\n',
      };
      for (const [id, sql] of Object.entries(parts)) {
        await mkdir(join(project.folder, id));
        await writeFile(join(project.folder, id, 'up.sql'), sql);
      }
      const id = second.migrations[1]?.id ?? '';
      const file = join(project.folder, id, 'meta.json');
      const meta = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(file, JSON.stringify({ ...meta, parent: '0001_own_d' }));
      const modules = join(project.folder, '../src/database/data');
      await mkdir(modules, { recursive: true });
      for (const name of ['one', 'two']) {
        await writeFile(
          join(modules, `${name}.ts`),
          `export const up = (connection) => connection.run("insert into posts (title) values ('${name}')");`,
        );
      }
      expect(squashMigrations(project.folder).own).toEqual(Object.keys(parts));
      const reported = await project.up();
      const named = reported.filter((line) => line.includes(', step '));
      expect(named).toHaveLength(engine === 'sqlite' ? 0 : 5);
      expect(await project.rows('SELECT title FROM titles ORDER BY title')).toEqual([
        ['one'],
        ['two'],
      ]);
    });

    test.each([
      ['that has all of the history goes on', last, true],
      ['that lacks only the last migration goes on', second, true],
      ['that is further behind is refused', first, false],
    ])('a database %s', async (_, had, isFine) => {
      const project = await openAny(engine, first);
      await put(project.folder, had);
      await project.up();
      await project.run(
        `INSERT INTO posts (title${had === last ? ', size' : ''}) VALUES ('a'${had === last ? ', 7' : ''})`,
      );
      await put(project.folder, last);
      const ids = last.migrations.map(({ id }) => id);
      const id = ids[2] ?? '';
      expect(squashMigrations(project.folder)).toEqual({
        id,
        removed: [ids[0], ids[1], '0002_b_own'],
        own: ['0002_b_own'],
        edited: [],
      });
      expect(await readdir(project.folder)).toEqual([id, 'schema.sql']);
      if (!isFine) {
        await expect(project.up()).rejects.toThrow(
          /this database has only a part of them. Apply 0002_/,
        );
        return;
      }
      await project.up();
      expect(await project.rows('SELECT title, size FROM posts')).toEqual([['a', 7]]);
      await expect(project.down()).rejects.toThrow(`${id} made the tables`);

      const fresh = await openEmpty(engine, first);
      await writeHistory(fresh.folder, { ...last, migrations: last.migrations.slice(2) });
      for (const name of ['up.sql', 'meta.json', 'schema.yaml']) {
        await writeFile(
          join(fresh.folder, id, name),
          await readFile(join(project.folder, id, name)),
        );
      }
      await fresh.up();
      expect(await fresh.rows('SELECT title FROM titles')).toEqual([]);

      // The generator goes on from there.
      const texts = Object.fromEntries(
        await Promise.all(
          ['up.sql', 'instead.sql', 'meta.json', 'schema.yaml'].map(
            async (name) => [name, await readFile(join(project.folder, id, name), 'utf8')] as const,
          ),
        ),
      );
      const stored = readMigrations([{ id, texts }]);
      const { ours, branches } = splitHeads(stored, ids);
      expect([ours.map((it) => it.id), branches]).toEqual([[id], []]);
      const next = evolved(last, schema('title: string, size: int?, note: text?'));
      const added = next.migrations.at(-1);
      await mkdir(join(project.folder, added?.id ?? ''));
      await writeFile(join(project.folder, 'schema.sql'), schemaSql(next.app));
      for (const [name, text] of Object.entries(added?.files ?? {}))
        await writeFile(join(project.folder, added?.id ?? '', name), String(text));
      await project.up();
      expect(await project.rows('SELECT title, size, note FROM posts')).toEqual([['a', 7, null]]);
    });
  },
);
