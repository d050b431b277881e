import { describe, expect, test } from 'vitest';
import { listAmbiguities } from '../../src/evolve/changes/candidates.ts';
import { listChanges } from '../../src/evolve/changes/list-changes.ts';
import { checksum } from '../../src/evolve/migration.ts';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import { carryIds } from '../../src/model/carry.ts';
import { type CarriedIds, restoreIds } from '../../src/model/carried-ids.ts';
import { snapshotShape, snapshotApp } from '../../src/model/snapshot.ts';
import { blog, magazine } from './magazine.ts';
import { appOf } from './support/app-of.ts';

const options = { sequence: 2, parent: '0001_initial', schemaText: magazine };

interface Meta {
  readonly ids: CarriedIds;
  readonly checksums: unknown;
}

describe.each(['sqlite', 'postgres'] as const)('a migration on %s', (engine) => {
  const before = appOf(blog, engine);
  const after = carryIds(before, appOf(magazine, engine));

  test('holds the checksums of its files, and all that is needed to restore its app', () => {
    const files = makeMigration(before, after, options)?.migration.files;
    const meta: Meta = JSON.parse(files?.['meta.json'] ?? '');
    expect(meta.checksums).toEqual({
      'schema.yaml': checksum(magazine),
      'up.sql': checksum(files?.['up.sql'] ?? ''),
    });
    expect(restoreIds(appOf(magazine, engine), meta.ids)).toEqual(after);
  });

  test('takes the name that it is given', () => {
    const named = makeMigration(before, after, { ...options, name: 'Blog → längeres, part 1' });
    expect(named?.migration.id).toBe('0002_blog_langeres_part_1');
  });

  test('spells the words of a name as its table does', () => {
    const more = appOf(`${blog}\n  HTTPRequest: { fields: { path: string } }\n`, engine);
    const { id } = makeMigration(before, carryIds(before, more), options)?.migration ?? {};
    expect(id).toBe('0002_add_http_request');
  });

  test('is the same whenever it is made, also from a stored snapshot', () => {
    const remembered = snapshotShape.parse(JSON.parse(JSON.stringify(snapshotApp(before))));
    expect(makeMigration(remembered, after, options)).toEqual(
      makeMigration(before, after, options),
    );
  });

  test.each([
    ['nothing changes', blog],
    ['a description is new', blog.replace('Post:', 'Post:\n    description: An article.')],
    ['access changes', blog.replace('Post:', 'Post:\n    access: { read: public }')],
    ['a field is hidden', blog.replace('body: text', 'body: text hidden')],
    ['an order changes', blog.replace('Post:', 'Post:\n    order_by: title')],
    ['a type changes to another with the same column', blog.replace('body: text', 'body: string')],
    [
      'a name changes and the table does not',
      blog
        .replace('  Post:', '  Article:\n    was: Post\n    table: posts')
        .replace('"Tag[]"', '"Tag[]"'),
    ],
  ])('is not made when %s', (what, text) => {
    const next = carryIds(before, appOf(text, engine));
    const isJoinRenamed = what.startsWith('a name');
    expect(makeMigration(before, next, options)?.changes.map(({ kind }) => kind)).toEqual(
      isJoinRenamed ? ['rename_model'] : undefined,
    );
  });
});

test('a JSON default is the same in whatever order its keys are written', () => {
  const before = appOf(withDefault('{ b: [1, { d: 2, c: 3 }], a: 4 }'));
  const remembered = snapshotShape.parse(JSON.parse(JSON.stringify(snapshotApp(before))));
  const after = appOf(withDefault('{ a: 4, b: [1, { c: 3, d: 2 }] }'));
  expect(makeMigration(remembered, after, options)).toBeUndefined();
  expect(makeMigration(remembered, before, options)).toBeUndefined();
});

test('a default that another type only spells differently is not a change', () => {
  const before = appOf('models: { Note: { fields: { size: int = 7 } } }');
  const after = appOf('models: { Note: { fields: { size: bigint = 7 } } }');
  expect(listChanges(before, after).map(({ kind }) => kind)).toEqual(['change_type']);
});

function withDefault(value: string): string {
  return `models: { Note: { fields: { it: { type: json, default: ${value} } } } }`;
}

test('whether something gone became something new and similar is asked, likeliest answer first', () => {
  const was = `
enums: { Mood: [good, bad] }
models:
  Post: { fields: { title: string, body: text, rank: int, mood: Mood } , relations: { author: User } }
  Tag: { fields: { label: string, colour: string } }
`;
  const is = `
enums: { Mood: [good, sad] }
models:
  Post: { fields: { text: text, titel: string, day: date, mood: Mood }, relations: { writer: User } }
  Topic: { fields: { label: string, colour: string } }
  Page: { fields: { text: text, more: int } }
`;
  const before = appOf(was);
  const after = carryIds(before, appOf(is));
  expect(listAmbiguities(listChanges(before, after))).toEqual([
    { target: 'Tag', code: 'SCF411', renames: [{ target: 'Topic', to: 'Topic' }] },
    {
      target: 'Post.title',
      code: 'SCF412',
      renames: [
        { target: 'Post.titel', to: 'titel' },
        { target: 'Post.text', to: 'text' },
      ],
    },
    {
      target: 'Post.body',
      code: 'SCF412',
      renames: [
        { target: 'Post.text', to: 'text' },
        { target: 'Post.titel', to: 'titel' },
      ],
    },
    { target: 'Post.author', code: 'SCF412', renames: [{ target: 'Post.writer', to: 'writer' }] },
    { target: 'Mood.bad', code: 'SCF415', renames: [{ target: 'Mood.sad', to: 'sad' }] },
  ]);
});

test('a relation may have been renamed when the model that it leads to was', () => {
  const was = 'models: { Post: { fields: { a: text } }, Note: { relations: { post: Post } } }';
  const is =
    'models: { Page: { was: Post, fields: { a: text } }, Note: { relations: { page: Page } } }';
  const before = appOf(was);
  expect(listAmbiguities(listChanges(before, carryIds(before, appOf(is))))).toEqual([
    { target: 'Note.post', code: 'SCF412', renames: [{ target: 'Note.page', to: 'page' }] },
  ]);
});
