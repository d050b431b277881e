import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evolved, historyOf } from './support/history.ts';
import { openAny } from './support/open-any.ts';

const schema = (fields: string) =>
  `models: { Post: { timestamps: false, fields: { title: string, ${fields} } } }`;

describe.each(['sqlite', 'postgres'] as const)(
  'a migration of data in TypeScript, on %s',
  (engine) => {
    const place = engine === 'sqlite' ? ['?', '?'] : ['$1', '$2'];
    const fill = `
    export const up = async (connection) => {
      for (const { id, title } of await connection.all('select id, title from posts order by id')) {
        const slug = String(title).toLowerCase().replaceAll(' ', '-');
        await connection.run('update posts set slug = ${place[0]} where id = ${place[1]}', slug, id);
      }
    };`;
    const [first, added] = [schema('size: bigint?'), schema('size: bigint?, slug: string?')];
    const required = schema('size: bigint?, slug: { type: string, unique: true }');

    /** The field is added, filled in by code and made required, in one run. */
    async function openPosts(code: string) {
      const start = historyOf(engine, [first]);
      const project = await openAny(engine, start);
      await project.run(`INSERT INTO posts (title) VALUES ('First Post'), ('Second Post')`);
      const next = evolved(start, added);
      const own = {
        id: '0003_fill_slugs',
        files: {
          'up.sql': '-- then src/database/data/0003_fill_slugs.ts\n',
          'schema.yaml': added,
          'meta.json': JSON.stringify({
            id: '0003_fill_slugs',
            parent: next.migrations.at(-1)?.id,
          }),
        },
      };
      await project.put(evolved({ ...next, migrations: [...next.migrations, own] }, required));
      const folder = join(project.folder, '../src/database/data');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '0003_fill_slugs.ts'), code);
      return project;
    }

    test('runs in order between those in SQL', async () => {
      const project = await openPosts(fill);
      await project.up();
      expect(await project.rows('SELECT slug FROM posts ORDER BY id')).toEqual([
        ['first-post'],
        ['second-post'],
      ]);
    });

    test('reads and writes whole numbers that JavaScript would round', async () => {
      const copy = `
      await connection.run('update posts set size = 9007199254740993 where id = 1');
      const [{ size }] = await connection.all('select size from posts where id = 1');
      await connection.run('update posts set size = ${place[0]} where id = 2', size);`;
      const project = await openPosts(fill.replace('=> {', (start) => start + copy));
      await project.up();
      expect(await project.rows('SELECT CAST(size AS text) FROM posts ORDER BY id')).toEqual([
        ['9007199254740993'],
        ['9007199254740993'],
      ]);
    });

    test('is undone as a whole when it throws, and later ones wait', async () => {
      const project = await openPosts(
        fill.replace('const slug =', `if (id > 1) throw new Error('not this one');\nconst slug =`),
      );
      await expect(project.up()).rejects.toThrow(
        /^Migration 0003_fill_slugs failed and was undone.*: not this one/,
      );
      expect(await project.rows('SELECT slug FROM posts ORDER BY id')).toEqual([[null], [null]]);
      expect(await project.rows('SELECT count(*) FROM schema_migrations')).toEqual([
        [engine === 'sqlite' ? 2 : '2'],
      ]);
    });

    test.each(['commit', 'END', '/* so */ rollback'])(
      'may not end its transaction: %s',
      async (sql) => {
        const own = `await connection.run("update posts set title = 'changed'");
        await connection.run('${sql}');`;
        const project = await openPosts(fill.replace('=> {', (start) => start + own));
        await expect(project.up()).rejects.toThrow(/0003_fill_slugs.ts runs `\w+`.*remove that/);
        expect(await project.rows(`SELECT count(*) FROM posts WHERE title = 'changed'`)).toEqual([
          [engine === 'sqlite' ? 0 : '0'],
        ]);
        expect(await project.rows('SELECT count(*) FROM schema_migrations')).toEqual([
          [engine === 'sqlite' ? 2 : '2'],
        ]);
      },
    );

    test('has to export the function `up`', async () => {
      const project = await openPosts('export const down = 1;');
      await expect(project.up()).rejects.toThrow('0003_fill_slugs.ts exports no function `up`');
    });
  },
);
