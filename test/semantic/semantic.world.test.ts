import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { renameUses } from '../../src/commands/regenerate/rename-uses.ts';
import { withOwnerCode } from '../../src/commands/regenerate/semantic/owner-code.ts';
import { collectMisfits } from '../../src/commands/regenerate/semantic/misfits.ts';
import type { TypeProblem } from '../../src/system/project-compiler.ts';
import { root } from '../support/root.ts';
import { say } from '../support/say.ts';
import { installedProject, planned, type Run, textAfter } from '../support/changed-project.ts';

const blog = readFileSync(join(root, 'fixtures/apps/blog/schema.yaml'), 'utf8');
const { signal } = new AbortController();

function renderedText(path: string): string {
  return readFileSync(join(root, 'fixtures/apps/blog/sqlite', path), 'utf8');
}

/** A file of the owner's that uses what the schema is about to change, between lines that stay as they are. */
const feed = `import type { Database } from '../database/client.ts';
import type { PostStatus } from '../enums.ts';
import type { Comment } from '../comments/schema.ts';
import { findTag, listTags as list } from '../tags/queries.ts';
import { tags, type Tag } from '../tags/schema.ts';
import type { CreatePost, Post } from './schema.ts';

const wrong: number = 'It was wrong before.';

export type Card = Pick<Post, 'id' | 'title'>;
export const colours: Record<PostStatus, string> = { draft: 'grey', published: 'green', archived: 'red' };

export async function readFeed(database: Database, tag: Tag) {
  const rows = await database
    .selectFrom('posts')
    .innerJoin('posts_tags', 'posts_tags.post_id', 'posts.id')
    .select(['posts.id', 'posts.title as headline'])
    .where('posts_tags.tag_id', '=', tag.id)
    .where('posts.status', '=', 'draft')
    .orderBy('posts.title')
    .execute();
  return { rows, tags, findTag, list };
}

export function card({ id, title, status }: Post): Card | undefined {
  return status === 'draft' ? undefined : { id, title };
}

export function reply(comment: Comment): CreatePost {
  return { title: \`To \${comment.author_id} 😀\`, slug: 'draft', body: comment.body, status: 'draft' };
}

export const half = (post: Post): number => post.views / 2;
export const stars = (post: Post) => Number(post.rating);
`;

/** The first fits until the feed has the new name; in the second, the variable keeps the old one. */
const digest = `import type { Card } from './feed.ts';
import type { Post } from './schema.ts';

export const empty: Card = { id: 0, title: '' };
export const lengths = (posts: Pick<Post, 'title'>[]) => posts.map(({ title = '' }) => title.length);
`;
const mendedDigest = digest
  .replace('title:', 'heading:')
  .replace("'title'", "'heading'")
  .replace('{ title =', '{ heading: title =');

/** Renamed: a field, a value, a model and a relation; another type; one field fewer. */
const changes = [
  ['      title: string', '      heading: string'],
  ['[draft,', '[idea,'],
  ['= draft', '= idea'],
  ['  Tag:', '  Label:'],
  ['Tag[]', 'Label[]'],
  ['      views: int(0..) = 0 readonly', '      views: string?'],
  ['      rating: decimal(3,2)?\n', ''],
  ['  Comment:\n    owner: author', '  Comment:\n    owner: writer'],
  ['      author: User\n      parent', '      writer: User\n      parent'],
] as const;

const renames = [
  'Tag=Label',
  'Post.title=heading',
  'PostStatus.draft=idea',
  'Comment.author=writer',
];

/** What the codemod makes of the file. */
const fixed = [
  ['findTag, listTags as', 'findLabel, listLabels as'],
  ['../tags/queries.ts', '../labels/queries.ts'],
  ['{ tags, type Tag } from', '{ labels, type Label } from'],
  ['../tags/schema.ts', '../labels/schema.ts'],
  [`'id' | 'title'`, `'id' | 'heading'`],
  [`{ draft: 'grey'`, `{ idea: 'grey'`],
  ['tag: Tag', 'tag: Label'],
  ['posts.title as headline', 'posts.heading as headline'],
  [`'=', 'draft'`, `'=', 'idea'`],
  [`orderBy('posts.title')`, `orderBy('posts.heading')`],
  ['{ rows, tags, findTag,', '{ rows, tags: labels, findTag: findLabel,'],
  ['{ id, title, status }', '{ id, heading: title, status }'],
  [`status === 'draft'`, `status === 'idea'`],
  ['{ id, title }', '{ id, heading: title }'],
  ['{ title: `To ${comment.author_id}', '{ heading: `To ${comment.writer_id}'],
  [`status: 'draft'`, `status: 'idea'`],
] as const;

/** A model renamed, another dropped, and an access rule changed that the owner changes too. */
const articles = [
  ['  Post:', '  Article:'],
  ['      read: public', '      read: editor'],
  [blog.slice(blog.indexOf('  Comment:'), blog.indexOf('  Tag:')), ''],
] as const;

function change(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The schema does not say ${from}.`);
    return result.replace(from, to);
  }, text);
}

const oneMore = change(blog, [
  ['      title: string', '      subtitle: string?\n      title: string'],
]);

async function findings(run: Run): Promise<string[]> {
  const { misfits, unchecked } = await withOwnerCode(
    run.project,
    run.regeneration,
    signal,
    (code) => collectMisfits(code, run.regeneration),
  );
  expect(unchecked).toBeUndefined();
  return misfits.map(placeOf);
}

const placeOf = ({ path, line, column, code }: TypeProblem) => `${path}:${line}:${column} ${code}`;

describe('code of the owner that uses what changes', () => {
  let folder = '';
  let run: Run;

  beforeAll(async () => {
    say('type checks of a merged blog');
    const own = { 'src/posts/feed.ts': feed, 'src/posts/digest.ts': digest };
    folder = await installedProject(blog, own);
    run = await planned(folder, change(blog, changes), renames);
  });

  test('is reported with its place in the merged tree', async () => {
    const { misfits } = await withOwnerCode(run.project, run.regeneration, signal, (code) =>
      collectMisfits(code, run.regeneration),
    );
    const renamed = misfits.flatMap((it) => (it.renamed ? [`${it.line} ${it.renamed.to}`] : []));
    expect(renamed).toEqual([
      '5 heading',
      '5 heading',
      '10 heading',
      '11 idea',
      '19 idea',
      '25 heading',
      '26 idea',
      '30 writer_id',
      '30 idea',
    ]);
    expect(misfits.map(placeOf)).toEqual([
      'src/posts/digest.ts:5:43 TS2344',
      'src/posts/digest.ts:5:88 TS18046',
      'src/posts/feed.ts:4:43 TS2307',
      'src/posts/feed.ts:5:32 TS2307',
      'src/posts/feed.ts:10:31 TS2344',
      'src/posts/feed.ts:11:54 TS2353',
      'src/posts/feed.ts:17:13 TS2769',
      'src/posts/feed.ts:19:33 TS2345',
      'src/posts/feed.ts:25:28 TS2339',
      'src/posts/feed.ts:26:10 TS2367',
      'src/posts/feed.ts:30:33 TS2339',
      'src/posts/feed.ts:30:84 TS2322',
      'src/posts/feed.ts:33:45 TS2362',
      'src/posts/feed.ts:33:45 TS18047',
      'src/posts/feed.ts:34:50 TS2339',
    ]);
  });

  test('takes the new names by the codemod; what is not about names is left', async () => {
    const regeneration = await withOwnerCode(run.project, run.regeneration, signal, (code) =>
      renameUses(code, run.regeneration),
    );
    expect(await textAfter({ ...run, regeneration }, 'src/posts/feed.ts')).toBe(
      change(feed, fixed),
    );
    expect(await textAfter({ ...run, regeneration }, 'src/posts/digest.ts')).toBe(mendedDigest);
    const own = regeneration.plan.changes.find(({ path }) => path === 'src/posts/feed.ts');
    expect(own).toMatchObject({ action: 'merge', before: feed, mode: '644', conflicts: [] });
    expect(regeneration.plan.changes).toHaveLength(run.regeneration.plan.changes.length + 2);
    expect(await findings({ ...run, regeneration })).toEqual([
      'src/posts/feed.ts:33:45 TS2362',
      'src/posts/feed.ts:33:45 TS18047',
      'src/posts/feed.ts:34:50 TS2339',
    ]);
  });

  test('is not reported when it fits the change, though some was wrong before', async () => {
    expect(await findings(await planned(folder, oneMore, []))).toEqual([]);
  });
});

/** Windows wrote it, and it will stay where it is while what it imports moves. */
const helpers = [
  `import { findPost } from './queries.ts';`,
  `import { listComments } from '../comments/queries.ts';`,
  `export const helpers = { findPost, listComments };`,
  '',
].join('\r\n');

describe('files that move or are removed', () => {
  const routes = `${renderedText('src/posts/routes.ts')}\nexport { helpers } from './helpers.ts';\n`;
  const own = { 'src/posts/helpers.ts': helpers, 'src/posts/routes.ts': routes };
  let folder = '';

  beforeAll(async () => {
    folder = await installedProject(blog, own);
  });

  test('are missed by what stays, also while a conflict is open; they miss nothing', async () => {
    const policy = renderedText('src/posts/policy.ts');
    const file = join(folder, 'src/posts/policy.ts');
    await writeFile(file, policy.replace('read: everyone', 'read: signedIn'));
    const run = await planned(folder, change(blog, articles), ['Post=Article']);
    const conflict = { path: 'src/articles/policy.ts', action: 'conflict' };
    expect(run.regeneration.plan.changes).toContainEqual(expect.objectContaining(conflict));
    expect(await textAfter(run, 'src/articles/routes.ts')).toContain(
      `export { helpers } from '../posts/helpers.ts';`,
    );
    expect(await findings(run)).toEqual([
      'src/posts/helpers.ts:1:26 TS2307',
      'src/posts/helpers.ts:2:30 TS2307',
    ]);
    await writeFile(file, policy);
  });

  test('are found again by the codemod', async () => {
    const run = await planned(folder, change(blog, articles), ['Post=Article']);
    const regeneration = await withOwnerCode(run.project, run.regeneration, signal, (code) =>
      renameUses(code, run.regeneration),
    );
    expect(await textAfter({ ...run, regeneration }, 'src/posts/helpers.ts')).toBe(
      [
        `import { findArticle } from '../articles/queries.ts';`,
        `import { listComments } from '../comments/queries.ts';`,
        `export const helpers = { findPost: findArticle, listComments };`,
        '',
      ].join('\r\n'),
    );
  });
});
