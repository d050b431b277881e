import { describe, expect, test } from 'vitest';
import { isSum } from '../../src/evolve/heads/is-sum.ts';
import { type HistoryAndSchema, joinHeads } from '../../src/evolve/heads/join-heads.ts';
import { makeInitialMigration } from '../../src/evolve/initial.ts';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import { listParentEdits, readMigrations } from '../../src/evolve/heads/stored-migrations.ts';
import { listMissingMigrationWarnings } from '../../src/evolve/heads/split-heads.ts';
import type { App } from '../../src/model/app.ts';
import { carryIds } from '../../src/model/carry.ts';
import { parseRename } from '../../src/model/rename.ts';
import { appOf, wholeSchema } from './support/app-of.ts';

const blog =
  'models: { Post: { fields: { title: string, body: text } }, Tag: { fields: { label: string } } }';
const root = stored(makeInitialMigration(appOf(blog), wholeSchema(blog)));
const withField = (model: string, field: string) =>
  blog.replace(`${model}: { fields: {`, `${model}: { fields: { ${field},`);
const views = withField('Post', 'views: int = 0');
const colour = withField('Tag', 'colour: string?');
const rank = withField('Post', 'rank: int = 1');
const both = (one: string, other: string) =>
  one.replace('Post: { fields: {', `Post: { fields: { ${other},`);

describe('two branches', () => {
  test('that changed different tables follow one another, and a migration records the result', () => {
    const text = both(colour, 'views: int = 0');
    const { newMigration, ...join } = joinHeads(fork({ ours: views, theirs: colour, text }));
    expect(join.edits.map(({ path, content }) => [path, JSON.parse(content)])).toEqual([
      [
        'migrations/0002_add_tag_colour/meta.json',
        expect.objectContaining({ parent: '0002_add_post_views' }),
      ],
    ]);
    expect(newMigration?.migration.id).toBe('0003_join_branches');
    expect(newMigration?.migration.files['up.sql']).toBe(
      '-- 0003_join_branches, for SQLite.\n-- Two branches of migrations meet here. This migration changes nothing.\n',
    );
    expect(JSON.parse(newMigration?.migration.files['meta.json'] ?? '')).toMatchObject({
      parent: '0002_add_tag_colour',
    });
  });

  test('that each added a field to the same table follow one another', () => {
    const text = both(views, 'rank: int = 1');
    const { newMigration, ...join } = joinHeads(fork({ ours: views, theirs: rank, text }));
    expect(join.edits).toHaveLength(1);
    expect(newMigration?.changes).toEqual([]);
    expect(fieldsOf(join.before)).toEqual(expect.arrayContaining(['posts.views', 'posts.rank']));

    // With an older record, too.
    const joined = readMigrations([stored(newMigration?.migration ?? { id: '', files: {} })]);
    const histories = fork({ ours: views, theirs: rank, text });
    const migrations = histories.migrations.map((it) =>
      it.id === '0002_add_post_rank' ? { ...it, parent: '0002_add_post_views' } : it,
    );
    const again = joinHeads({ ...histories, migrations: [...migrations, ...joined] });
    expect(again).toMatchObject({ head: '0003_join_branches', sequence: 4, edits: [] });
    expect(again.newMigration).toBeUndefined();
    expect(fieldsOf(again.before)).toEqual(expect.arrayContaining(['posts.views', 'posts.rank']));
  });

  test('know of each other’s renames, by what the names mean afterwards', () => {
    const ours = blog.replace('title', 'heading');
    const text = ours.replace('label', 'caption');
    const { before } = joinHeads(
      fork({
        ours,
        theirs: blog.replace('label', 'caption'),
        text,
        ourRenames: ['Post.title=heading'],
        theirRenames: ['Tag.label=caption'],
      }),
    );
    const ids = before.models.flatMap(({ fields }) => fields.map(({ id }) => id));
    expect(ids).toEqual(expect.arrayContaining(['field:Post.title', 'field:Tag.label']));
  });

  const title = blog.replace('title: string', 'title: string(..50)');
  test.each([
    [
      'one of which rebuilt a table that the other changed',
      views,
      title,
      views.replace('title: string', 'title: string(..50)'),
    ],
    ['that added the same', views, views.replace('int = 0', 'int = 1'), views],
    [
      'and a schema that changes more than both',
      views,
      colour,
      both(colour, 'views: int = 0, rank: int?'),
    ],
  ])('%s: need a decision', (_, ours, theirs, text) => {
    expect(() => joinHeads(fork({ ours, theirs, text, theirName: 'theirs' }))).toThrow(
      /`migrations\/0002_theirs` cannot follow `migrations\/0002_\w+` as it is/,
    );
  });

  test('one of which was edited by hand need a decision when both changed the same table', () => {
    const histories = fork({ ours: views, theirs: rank, text: both(views, 'rank: int = 1') });
    const migrations = readMigrations(
      histories.migrations.map(({ id, texts }) =>
        id === '0002_add_post_rank'
          ? { id, texts: { ...texts, 'up.sql': `${texts['up.sql']}-- mine` } }
          : { id, texts },
      ),
    );
    expect(() => joinHeads({ ...histories, migrations })).toThrow('cannot follow');
  });

  test('of which one is chosen to be written again go on from the other', () => {
    const histories = fork({ ours: views, theirs: views, text: views, theirName: 'hits' });
    const join = (id: string) => joinHeads({ ...histories, accepted: [`SCF514:${id}`] });
    const here = join('0002_hits');
    const chosen = 'SCF514:0002_hits';
    expect(here).toMatchObject({ head: '0002_add_post_views', before: histories.before, chosen });
    expect(here.removed.toSorted()).toEqual(filesOf('0002_hits'));
    const there = join('0002_add_post_views');
    expect(there).toMatchObject({ head: '0002_hits', sequence: 3, edits: [] });
    expect(there.removed.toSorted()).toEqual(filesOf('0002_add_post_views'));
  });

  test('of which one was made on top of the other result in what that one has', () => {
    const before = branch(views);
    const text = both(views, 'rank: int = 1');
    const options = { sequence: 3, parent: before.folder.id, schemaText: wholeSchema(text) };
    const next = makeMigration(before.app, carryIds(before.app, appOf(text)), options);
    if (next === undefined) throw new Error('nothing to migrate');
    const join = joinHeads({
      ...request(before.app, text),
      migrations: readMigrations([root, before.folder, stored(next.migration)]),
      recorded: [root.id, before.folder.id],
    });
    expect(join).toMatchObject({ head: next.migration.id, sequence: 4, edits: [] });
    expect(join.newMigration).toBeUndefined();
    expect(fieldsOf(join.before)).toEqual(expect.arrayContaining(['posts.views', 'posts.rank']));
  });
});

test('one branch goes on from its end, also when that is a migration of the owner', () => {
  const mine = {
    id: '0002_view_of_posts',
    texts: { 'up.sql': 'CREATE VIEW p AS SELECT * FROM posts;' },
  };
  const before = appOf(blog);
  const join = joinHeads({
    ...request(before, blog),
    migrations: readMigrations([root, mine]),
    recorded: [root.id],
  });
  expect(join).toEqual({
    before,
    head: mine.id,
    sequence: 3,
    edits: [],
    removed: [],
  });
});

describe('a migration that somebody has written', () => {
  const mine = { id: '0003_mine', texts: { 'up.sql': 'CREATE VIEW p AS SELECT * FROM posts;' } };
  const here = branch(views).folder;
  const there = branch(colour).folder;
  const parentOf = (
    folders: Parameters<typeof readMigrations>[0],
    recorded: readonly string[],
    id = mine.id,
  ) => readMigrations(folders, recorded).find((it) => it.id === id)?.parent;

  test('follows the one before it in its own branch, whatever names the other branch has', () => {
    const folders = [root, here, there, mine];
    expect(folders.toSorted((left, right) => (left.id < right.id ? -1 : 1))).toEqual(folders);
    expect(parentOf(folders, [root.id, here.id, mine.id])).toBe(here.id);
    expect(parentOf(folders, [root.id, there.id, mine.id])).toBe(there.id);
    expect(parentOf(folders, [root.id, there.id])).toBe(here.id);
    expect(parentOf(folders, [root.id, here.id])).toBe(there.id);
  });

  test('in the other branch is asked about when it might follow one that only ours has', () => {
    const first = { ...mine, id: '0002_zoom' };
    const next = { id: '0003_next', texts: { 'meta.json': `{"parent":"${first.id}"}` } };
    expect(() => readMigrations([root, here, first, next], [root.id, here.id])).toThrow(
      '`migrations/0002_zoom` came from another branch and does not name the migration that it follows.',
    );
    const placed = { ...first, texts: { ...first.texts, 'meta.json': `{"parent":"${root.id}"}` } };
    expect(parentOf([root, here, placed, next], [root.id, here.id], first.id)).toBe(root.id);
    expect(parentOf([root, here, first], [root.id, here.id], first.id)).toBe(here.id);
  });

  test('names its parent from the next one on', () => {
    const folders = readMigrations([root, here, mine]);
    expect(listParentEdits(folders)).toEqual([
      {
        path: 'migrations/0003_mine/meta.json',
        content: `{\n  "parent": "${here.id}"\n}\n`,
      },
    ]);
  });
});

test('a branch whose migrations the other one squashed goes on from the squashed one', () => {
  const { app, folder } = branch(both(colour, 'views: int = 0'));
  const meta = { ...JSON.parse(folder.texts['meta.json'] ?? ''), parent: null };
  const squashed = {
    id: '0004_add_post_views',
    texts: {
      ...folder.texts,
      'meta.json': JSON.stringify({ ...meta, replaces: [root.id, '0002_add_tag_colour'] }),
    },
  };
  const text = both(withField('Tag', 'colour: string?, size: int?'), 'views: int = 0');
  const ours = branch(withField('Tag', 'size: int?')).app;
  const join = joinHeads({
    ...request(ours, text),
    migrations: readMigrations([squashed], [root.id, '0002_add_tag_size']),
    recorded: [root.id, '0002_add_tag_size'],
  });
  expect(join).toMatchObject({ head: squashed.id, sequence: 5, edits: [] });
  expect(fieldsOf(join.before)).toEqual(fieldsOf(app));
});

test.each([
  [
    'a parent is missing',
    [root, { ...root, id: '0003_x', texts: { 'meta.json': '{"parent":"0002_y"}' } }],
    '`migrations/0003_x` follows `0002_y`, which does not exist.',
  ],
  [
    'a parent was replaced by a migration that joined branches',
    [
      root,
      { id: '0003_y', texts: { 'meta.json': '{"parent":"0001_initial","replaces":["0002_x"]}' } },
      { id: '0003_z', texts: { 'meta.json': '{"parent":"0002_x"}' } },
    ],
    '`migrations/0003_z` follows `0002_x`, which `0003_y` has replaced.',
  ],
  [
    'two name each other as parent',
    [
      root,
      ...['a', 'b'].map((id) => ({
        id,
        texts: { 'meta.json': `{"parent":"${id === 'a' ? 'b' : 'a'}"}` },
      })),
      { id: 'c', texts: { 'meta.json': '{"parent":"a"}' } },
    ],
    '`migrations/b` and `a` each name the other as parent.',
  ],
  [
    'there is another history',
    [root, { id: '0001_other', texts: { 'meta.json': '{"parent":null}' } }],
    '`migrations/0001_other` is not connected to the other migrations.',
  ],
  [
    'a file contains conflict markers',
    [root, { id: '0002_x', texts: { 'meta.json': '<<<<<<< HEAD\n{' } }],
    /contains conflict markers/,
  ],
  [
    'a file is damaged',
    [root, { id: '0002_x', texts: { 'meta.json': '[]' } }],
    '`migrations/0002_x/meta.json` is damaged.',
  ],
])('%s: that is reported, and nothing is guessed', (_, folders, message) => {
  const join = () =>
    joinHeads({
      ...request(appOf(blog), blog),
      migrations: readMigrations(folders),
      recorded: [root.id],
    });
  expect(join).toThrow(message);
});

test('both ways out are reported for a migration that was picked without the one before it', () => {
  const picked = { ...root, id: '0003_x', texts: { 'meta.json': '{"parent":"0002_y"}' } };
  const facts = { ...request(appOf(blog), blog), recorded: [root.id] };
  const join = () => joinHeads({ ...facts, migrations: readMigrations([root, picked]) });
  const help = /Restore `migrations\/0002_y`.* remove `migrations\/0003_x`/;
  expect(join).toThrow(expect.objectContaining({ help: expect.stringMatching(help) }));
});

test.each([
  [
    'nothing is in its place: that is reported',
    [root],
    ['`migrations/0002_add_post_views` is gone'],
  ],
  ['one of the owner’s is in its place', [root, { id: '0002_mine', texts: {} }], []],
  [
    'one that joins branches is in its place',
    [root, { id: '0002_a', texts: { 'meta.json': '{"replaces":["0002_add_post_views"]}' } }],
    [],
  ],
])('a migration is gone, and %s', (_, folders, expected) => {
  const { newMigration } = joinHeads(
    fork({ ours: colour, theirs: views, text: both(colour, 'views: int = 0') }),
  );
  const recorded = [root.id, '0002_add_post_views'];
  const warnings =
    newMigration &&
    listMissingMigrationWarnings({ migrations: readMigrations(folders), recorded }, newMigration);
  expect(warnings?.map(({ message }) => message.split(',')[0])).toEqual(expected);
});

test('a table that one branch changed and changed back counts as changed: the other may not change it', () => {
  const before = appOf(blog);
  const sum = carryIds(before, appOf(colour));
  const to = (...texts: readonly string[]) => texts.map((text) => carryIds(before, appOf(text)));
  expect(
    isSum({ was: before, ours: to(views, blog), theirs: [sum], areAdditions: false }, sum),
  ).toBe(true);
  expect(
    isSum({ was: before, ours: to(colour, blog), theirs: [sum], areAdditions: true }, sum),
  ).toBe(false);
});

function filesOf(id: string): readonly string[] {
  const names = ['down.sql', 'meta.json', 'schema.yaml', 'up.sql'];
  return names.map((it) => `migrations/${id}/${it}`);
}

interface Fork {
  readonly ours: string;
  readonly theirs: string;
  /** The merged schema. */
  readonly text: string;
  readonly ourRenames?: readonly string[];
  readonly theirRenames?: readonly string[];
  readonly theirName?: string;
}

function fork({
  ours,
  theirs,
  text,
  ourRenames = [],
  theirRenames = [],
  theirName,
}: Fork): HistoryAndSchema {
  const here = branch(ours, ourRenames);
  const there = branch(theirs, theirRenames, theirName);
  return {
    ...request(here.app, text),
    migrations: readMigrations([root, here.folder, there.folder]),
    recorded: [root.id, here.folder.id],
  };
}

function fieldsOf({ models }: App): readonly string[] {
  return models.flatMap(({ table, fields }) => fields.map(({ name }) => `${table}.${name}`));
}

function branch(text: string, renames: readonly string[] = [], name?: string) {
  const before = appOf(blog);
  const app = carryIds(
    before,
    appOf(text),
    renames.flatMap((it) => parseRename(it) ?? []),
  );
  const options = {
    sequence: 2,
    parent: root.id,
    schemaText: wholeSchema(text),
    ...(name === undefined ? {} : { name }),
  };
  const evolved = makeMigration(before, app, options);
  if (evolved === undefined) throw new Error('nothing to migrate');
  return { app, folder: stored(evolved.migration) };
}

function request(before: App, text: string) {
  return { before, built: appOf(text), accepted: [], schemaText: wholeSchema(text) };
}

function stored({ id, files }: { readonly id: string; readonly files: object }) {
  return {
    id,
    texts: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, String(text)])),
  };
}
