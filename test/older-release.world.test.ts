import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emittedRunner } from './emitted-migrations/support/emitted-runner.ts';
import { evolved, historyOf, writeHistory } from './emitted-migrations/support/history.ts';
import { schemaSql } from '../src/evolve/initial.ts';
import { accounts, farewells, staff } from './support/blog/accounts.ts';
import { edges, lists } from './support/blog/lists.ts';
import { rows } from './support/blog/rows.ts';
import { builtApp } from './support/built-app.ts';
import { converse } from './support/conversation.ts';
import { must, run } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { startServer } from './support/server.ts';

const turns = [...accounts, ...rows, ...lists, ...edges, ...farewells];

/** What a release may add: fields, a model, links and an index. */
function withAdditions(schema: string): string {
  const added = schema
    .replace(
      '\n  Tag:\n',
      '\n  Series:\n    fields: { name: string }\n    relations: { posts: "Post[]" }\n  Tag:\n',
    )
    .replace(
      '      body: text',
      '      body: text\n      summary: text?\n      reads: int = 0\n      code: uuid?',
    )
    .replace('      - [status, -published_at]', '      - [status, -published_at]\n      - [title]');
  for (const part of ['Series:', 'summary:', '- [title]']) expect(added).toContain(part);
  return added;
}

describe.each(['sqlite', 'postgres'] as const)(
  'the image of the previous release, on %s',
  (engine) => {
    test('serves a database that the next one has added to, and hands over to it', async () => {
      const { folder, env } = await builtApp('blog', engine);
      const production = { ...env, NODE_ENV: 'production' };
      const command = (...args: readonly string[]) =>
        run(process.execPath, ['dist/cli.js', ...args], { cwd: folder, env: production });
      await must(process.execPath, ['dist/cli.js', 'migrate'], { cwd: folder, env: production });

      const text = await readFile(join(folder, 'schema.yaml'), 'utf8');
      const schema = text.slice(text.indexOf('api:'));
      const next = evolved(historyOf(engine, [schema]), withAdditions(schema));
      const { migrate, listDrift } = await emittedRunner(engine);
      const migrations = await scratchFolder('next-release');
      await writeHistory(migrations, next);
      const url =
        engine === 'sqlite' ? `file:${join(folder, 'var/test.db')}` : `${env['DATABASE_URL']}`;
      const upgrade = () => migrate(url, { folder: migrations });
      expect(await upgrade()).toEqual([next.migrations.at(-1)?.id]);

      for (const { name, email, role, password, fields } of staff) {
        const given = Object.entries({ name, email, role, password });
        const options = given.flatMap(([key, value]) => [`--${key}`, value]);
        expect(await command('create-user', ...options, ...fields)).toMatchObject({ code: 0 });
      }
      const start = [process.execPath, 'dist/server.js', '--migrate'] as const;
      const server = await startServer({ cwd: folder, env, command: start });
      const replies = await converse(server.url, { turns, generated: [] });
      expect(replies.map(({ status }) => status)).toEqual(turns.map(({ status }) => status));
      expect(await server.stop()).toBe(0);
      expect((await command('rollback')).stderr).toContain('was applied by newer code');

      expect(await upgrade()).toEqual([]);
      expect(await listDrift(url, schemaSql(next.app))).toEqual([]);
    });
  },
);
