import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseSync } from '../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { installBoth } from './support/install.ts';
import { type OwnedProject, ownedProject } from './support/owned-project.ts';
import { freshDatabase } from './support/postgres.ts';
import { startServer } from './support/server.ts';
import { valuesOf } from './support/sqlite-values.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { oneChecker } from './support/type-check.ts';
import { isDeep, searchSeed, trials } from './support/trials.ts';
import { startYear, type Year } from './support/year/year.ts';

const feed = `import type { FastifyInstance } from 'fastify';
import { isPopular } from './posts/queries.ts';
import type { Post } from './posts/schema.ts';

/** A plain text feed of ours. */
export async function feedRoutes(app: FastifyInstance): Promise<void> {
  app.get('/feed.txt', { schema: { hide: true } }, async () => {
    const posts = app.database.selectFrom('posts').select(['title', 'views']);
    const rows = await posts.orderBy('id').execute();
    return rows.map((row) => row.title).join('\\n');
  });
}

export function headline(post: Post): string {
  return isPopular(post) ? \`★ \${post.title}\` : post.title;
}
`;

const popular = `
/** Posts that many people read. */
export function isPopular(post: Post): boolean {
  return post.views > 1000 && post.title.length > 0;
}
`;

/** One project, edited and regenerated as people do for some weeks, with rows in its tables all the time. */
describe('weeks of a blog', () => {
  let project: OwnedProject;
  let titles: readonly unknown[] = [];

  const regenerate = (...flags: readonly string[]) => project.scaffold('regenerate', ...flags);
  const schema = (...edits: readonly (readonly [string, string])[]) =>
    project.edit('schema.yaml', ...edits);

  beforeAll(async () => {
    project = await ownedProject('--example', 'blog');
    await project.npm('db:migrate');
    await project.npm('db:seed', '--', '--count', '30');
    titles = sqliteColumn('SELECT title FROM posts ORDER BY id');
    expect(titles).toHaveLength(30);
  });

  test('the owner makes it their own', async () => {
    await project.write('src/feed.ts', feed);
    await project.edit(
      'src/app.ts',
      ['import { addRoutes }', "import { feedRoutes } from './feed.ts';\nimport { addRoutes }"],
      ['addRoutes);\n', 'addRoutes);\n  await app.register(feedRoutes);\n'],
    );
    const queries = await project.read('src/posts/queries.ts');
    await project.write('src/posts/queries.ts', queries + popular);
    await project.edit(
      'src/posts/routes.ts',
      [
        '    const row = await createPost(',
        "    request.log.info({ by: values.author_id }, 'a post is written');\n    const row = await createPost(",
      ],
      [
        "  app.get('/:id'",
        "  app.addHook('onSend', async (_, reply) => void reply.header('x-blog', 'ours'));\n\n  app.get('/:id'",
      ],
    );
    await project.remove('test/tags.test.ts');
    const { code, stdout } = await regenerate();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'The project is in step with its schema. Nothing was written.\nYour code was not type-checked: `npx scaffold check` does that.',
    });
  });

  test('a field and a model are added', async () => {
    await schema(
      ['      body: text\n', '      body: text\n      subtitle: string(..200)?\n'],
      [
        '  Tag:\n',
        '  Series:\n    fields: { name: string(1..80) }\n    relations:\n      posts: Post[]\n  Tag:\n',
      ],
    );
    expect(await regenerate()).toMatchObject({ code: 0 });
    expect(existsSync(join(project.folder, 'src/series/routes.ts'))).toBe(true);
    expect(existsSync(join(project.folder, 'test/tags.test.ts'))).toBe(false);
    await project.npm('db:migrate');
  });

  test('a field is renamed: scaffold asks, and every use of it takes the new name', async () => {
    await schema(['title: string', 'heading: string']);
    const asked = await regenerate();
    expect(asked.code).toBe(7);
    expect(asked.stderr).toContain('--rename Post.title=heading');
    expect(await regenerate('--rename', 'Post.title=heading', '--codemod')).toMatchObject({
      code: 0,
    });
    expect(await project.read('src/feed.ts')).toBe(feed.replaceAll('title', 'heading'));
    await project.npm('db:migrate');
    expect(sqliteColumn('SELECT heading FROM posts ORDER BY id')).toEqual(titles);
  });

  test('a rule that both changed is a conflict, and nothing else waits for it', async () => {
    const [rule, ours] = ["role('editor')),", "role('editor', 'admin')), // Operators, too."];
    await project.edit('src/posts/policy.ts', [rule, ours]);
    await schema(
      ['update: [owner, editor]', 'update: [editor]'],
      ['website: url?', 'website: url?\n      city: string(..80)?'],
    );
    expect(await regenerate()).toMatchObject({ code: 4 });
    expect(await project.read('src/users/schema.ts')).toContain('city');
    expect((await project.scaffold('check')).code).toBe(4);
    expect(await project.scaffold('resolve', '--ours')).toMatchObject({ code: 0 });
    expect(await project.read('src/posts/policy.ts')).toContain(ours);
  });

  test('a loss is agreed to by name; everything else keeps its rows', async () => {
    await schema(
      ['      meta: json?\n', '      language: { type: string(2..2), backfill: en }\n'],
      ['[draft, published, archived]', '[draft, { value: live, was: published }, archived]'],
    );
    const before = await project.read('.scaffold/lock.json');
    const asked = await regenerate();
    expect(asked.code).toBe(7);
    expect(asked.stderr).toContain('--accept SCF412:Post.meta');
    expect(await project.read('.scaffold/lock.json')).toBe(before);
    expect(await regenerate('--accept', 'SCF412:Post.meta')).toMatchObject({ code: 0 });
    await project.npm('db:migrate');
    expect(sqliteColumn('SELECT heading FROM posts ORDER BY id')).toEqual(titles);
    expect(sqliteColumn('SELECT DISTINCT language FROM posts')).toEqual(['en']);
    expect(await project.scaffold('check')).toMatchObject({ code: 0 });
  });

  test('a model is renamed: its files move with what is in them', async () => {
    await schema(
      ['  Post:\n', '  Article:\n    was: Post\n'],
      ['to: Post,', 'to: Article,'],
      ['posts: Post[]', "articles: { to: 'Article[]', was: posts }"],
    );
    expect(await regenerate('--codemod')).toMatchObject({ code: 0 });
    expect(existsSync(join(project.folder, 'src/posts'))).toBe(false);
    const routes = await project.read('src/articles/routes.ts');
    expect(routes.match(/app\.post\('\/',/g)).toHaveLength(1);
    expect(routes).toContain("'a post is written'");
    await project.npm('db:migrate');
    expect(sqliteColumn('SELECT heading FROM articles ORDER BY id')).toEqual(titles);
  });

  test('a formatter of another taste changes everything; a run is undone', async () => {
    await project.write('.prettierrc.json', '{ "semi": false, "useTabs": true, "printWidth": 70 }');
    await project.tool('prettier', '--write', 'src', 'test');
    const before = await project.read('src/articles/schema.ts');
    await schema(['subtitle:', 'pinned: bool = false\n      subtitle:']);
    expect(await regenerate()).toMatchObject({ code: 0 });
    await project.tool('prettier', '--check', 'src/articles', 'src/database');
    expect(await project.read('src/articles/schema.ts')).not.toBe(before);
    expect(await regenerate('--undo')).toMatchObject({ code: 0 });
    expect(await project.read('src/articles/schema.ts')).toBe(before);
  });

  test('it moves to PostgreSQL, with every row', async () => {
    const url = await freshDatabase();
    await schema(['database: sqlite', 'database: postgres']);
    expect(await regenerate()).toMatchObject({ code: 0 });
    const settings = await project.read('.env');
    await project.write('.env', settings.replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${url}`));
    await installBoth(project.folder);
    await project.npm('db:copy');
    expect(await postgresColumn(url, 'SELECT heading FROM articles ORDER BY id')).toEqual(titles);

    await schema(
      ['heading: string', 'headline: string'],
      ['subtitle:', 'lead: text?\n      subtitle:'],
    );
    const renamed = await regenerate('--rename', 'Article.heading=headline', '--codemod');
    expect(renamed).toMatchObject({ code: 0 });
    await project.npm('db:migrate');
    expect(await postgresColumn(url, 'SELECT headline FROM articles ORDER BY id')).toEqual(titles);
  });

  test('in the end every edit is there, and the project is sound', async () => {
    expect(await project.scaffold('check')).toMatchObject({ code: 0 });
    await project.tool('tsc', '--noEmit', ...oneChecker);
    expect(await project.read('src/articles/policy.ts')).toContain('// Operators, too.');
    expect(await project.read('src/articles/queries.ts')).toContain('Posts that many people read.');
    expect((await answerOf('/feed.txt')).split('\n')).toEqual(titles);
  });

  function sqliteColumn(sql: string): readonly unknown[] {
    return columnOf(join(project.folder, 'var/blog.db'), sql);
  }

  async function answerOf(path: string): Promise<string> {
    const url = /^DATABASE_URL=(.*)$/m.exec(await project.read('.env'))?.[1] ?? '';
    const loader = ['--import', '@oxc-node/core/register'];
    const command = [process.execPath, ...loader, 'src/server.ts'] as const;
    const server = await startServer({ cwd: project.folder, env: { DATABASE_URL: url }, command });
    const response = await fetch(server.url + path);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain');
    await server.stop();
    return text;
  }
});

const weeks = trials({ quick: 4, full: 4, deep: 52 });
const all = Array.from({ length: weeks }, (_, index) => index + 1);

/** The weeks in which something happens so many times in all. */
const spread = (times: number) =>
  new Set(Array.from({ length: times }, (_, index) => Math.ceil((weeks * (index + 1)) / times)));
const upgrades = spread(Math.ceil(weeks / 13));
const collisions = spread(Math.max(1, Math.floor(weeks / 10)));
const rollbacks = 2;

describe.each(isDeep ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))(
  'a year of two owners, on %s',
  (engine) => {
    const seed = searchSeed();
    let year: Year;
    let titles: readonly unknown[] = [];
    let rolledBack = 0;
    const sums = { gitConflicts: 0, announced: 0, failed: 0, requests: 0 };

    const column = (sql: string) =>
      engine === 'sqlite'
        ? columnOf(year.url.replace('file:', ''), sql)
        : postgresColumn(year.url, sql);

    beforeAll(async () => {
      say(`year: SEED=${seed}, ${weeks} weeks on ${engine}`);
      const url =
        engine === 'sqlite'
          ? `file:${join(await scratchFolder('year'), 'year.db')}`
          : await freshDatabase();
      year = await startYear({ engine, url }, seed);
      titles = await column('SELECT title FROM posts ORDER BY id');
      expect(titles).toHaveLength(40);
    });

    afterAll(async () => {
      await year.end();
    });

    test.each(all)('week %i', async (number) => {
      await live(number).catch((error: unknown) => {
        say(`week ${number} failed: ${String(error)}`);
        throw error;
      });
    });

    async function live(number: number): Promise<void> {
      const week = await year.week(number);
      const { works, gitConflicts, manual, announced, requests, lostMarks } = week;
      const { earlier, failures, isAddition } = week;
      say(
        `week ${number}: ${works.join(' | ')}; git ${gitConflicts.length}; ${requests} requests, ${failures.length} failed${announced ? ' (announced)' : ''}`,
      );
      sums.gitConflicts += gitConflicts.length;
      sums.requests += requests;
      sums.failed += failures.length;
      if (announced) sums.announced += 1;
      expect({ works, manual, lostMarks }).toEqual({ works, manual: [], lostMarks: [] });
      expect({ works, earlier }).toEqual({ works, earlier: [] });
      if (!announced) expect({ works, failures }).toEqual({ works, failures: [] });

      if (isAddition && rolledBack < rollbacks && number * (rollbacks + 1) >= weeks * rolledBack) {
        expect(await year.rollBack()).toEqual([]);
        rolledBack += 1;
      }
      if (upgrades.has(number)) {
        const quarter = [...upgrades].indexOf(number);
        const { files, isWhole } = await year.upgrade(quarter);
        expect(files).toBeGreaterThan(0);
        expect(isWhole).toBe(true);
      }
      if (collisions.has(number)) {
        const side = number % 2 === 0 ? 'theirs' : 'ours';
        expect(await year.collide(number, side)).toEqual(['src/tags/policy.ts']);
      }
      expect(await column('SELECT title FROM posts ORDER BY id')).toEqual(titles);
    }

    test('in the end no row is lost, and the project is sound', async () => {
      const kept = await year.kept();
      const ids = new Set((await column('SELECT id FROM comments')).map(Number));
      expect(kept.filter((id) => !ids.has(Number(id)))).toEqual([]);
      expect(rolledBack).toBe(rollbacks);
      await year.project.tool('tsc', '--noEmit', ...oneChecker);
      await year.project.tool('oxlint', '--deny-warnings');
      if (isDeep) await year.project.npm('test');
      say(`year on ${engine}: ${JSON.stringify({ ...sums, comments: ids.size, rolledBack })}`);
    });
  },
);

function columnOf(file: string, sql: string): readonly unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const values = valuesOf(database, sql).flat();
  database.close();
  return values;
}

async function postgresColumn(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  await client.end();
  return rows.map(([value]) => value);
}
