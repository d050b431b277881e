import { describe, expect, test } from 'vitest';
import { idsField, linkColumn, singularName, spellModel, titleOf } from '../../src/naming/name.ts';
import { plural, singular } from '../../src/naming/plural.ts';

describe('plural', () => {
  test.each([
    ['post', 'posts'],
    ['category', 'categories'],
    ['day', 'days'],
    ['box', 'boxes'],
    ['branch', 'branches'],
    ['wish', 'wishes'],
    ['address', 'addresses'],
    ['status', 'statuses'],
    ['bus', 'buses'],
    ['house', 'houses'],
    ['database', 'databases'],
    ['warehouse', 'warehouses'],
    ['licence', 'licences'],
    ['size', 'sizes'],
    ['person', 'people'],
    ['child', 'children'],
    ['analysis', 'analyses'],
    ['quiz', 'quizzes'],
    ['movie', 'movies'],
    ['cache', 'caches'],
    ['shelf', 'shelves'],
    ['hero', 'heroes'],
    ['photo', 'photos'],
    ['shoe', 'shoes'],
    ['series', 'series'],
    ['news', 'news'],
    ['constructor', 'constructors'],
    ['staff', 'staff'],
  ])('%s becomes %s, and back', (one, many) => {
    expect(plural(one)).toBe(many);
    expect(singular(many)).toBe(one);
  });

  test.each(['settings', 'credentials', 'responses', 'media', 'people', 'corps', 'sms'])(
    '%s is plural already',
    (word) => expect(plural(word)).toBe(word),
  );

  test.each(['menu', 'address', 'status', 'analysis', 'post'])('%s is singular already', (word) => {
    expect(singular(word)).toBe(word);
  });
});

describe('a model’s names', () => {
  test('come in every spelling', () => {
    expect(spellModel('BlogPost')).toEqual({
      type: 'BlogPost',
      typePlural: 'BlogPosts',
      variable: 'blogPost',
      variablePlural: 'blogPosts',
      folder: 'blog-posts',
      human: 'blog post',
      humanPlural: 'blog posts',
      snake: 'blog_post',
      snakePlural: 'blog_posts',
    });
  });

  test.each([
    ['OAuthClient', 'oauth_client', 'oauth_clients'],
    ['GitHubRepo', 'github_repo', 'github_repos'],
    ['MyYouTubeVideo', 'my_youtube_video', 'my_youtube_videos'],
    ['GitHubber', 'git_hubber', 'git_hubbers'],
  ])('know that %s has a brand in it', (name, snake, snakePlural) => {
    expect(spellModel(name)).toMatchObject({ snake, snakePlural });
  });

  test('keep the capitals of an acronym in the type alone', () => {
    expect(spellModel('HTTPServer')).toMatchObject({
      type: 'HTTPServer',
      variable: 'httpServer',
      snakePlural: 'http_servers',
    });
  });

  test('take the plural from the schema in any case style', () => {
    for (const written of ['staff_members', 'StaffMembers', 'staffMembers', 'staff members']) {
      expect(spellModel('Staff', written)).toMatchObject({
        typePlural: 'StaffMembers',
        snakePlural: 'staff_members',
        folder: 'staff-members',
      });
    }
  });

  test('tell one from many where English does not', () => {
    expect(spellModel('Sheep')).toMatchObject({
      variable: 'sheep',
      variablePlural: 'sheepRecords',
      typePlural: 'SheepRecords',
      snakePlural: 'sheep',
      folder: 'sheep',
    });
  });

  test('stay out of the folders of the project', () => {
    expect(spellModel('Plugin').folder).toBe('plugin-records');
    expect(spellModel('Auth', 'AUTH').folder).toBe('auth-records');
    expect(spellModel('Post').folder).toBe('posts');
  });

  test('are legal TypeScript for any word', () => {
    expect(spellModel('Class').variable).toBe('classRecord');
    expect(spellModel('Date').type).toBe('DateRecord');
    expect(spellModel('Thi').variablePlural).toBe('thiRecords');
  });
});

test('a many-to-many is sent under the singular of its name', () => {
  expect(idsField('tags', 'snake')).toBe('tag_ids');
  expect(idsField('hidden_categories', 'snake')).toBe('hidden_category_ids');
  expect(idsField('relatedPosts', 'snake')).toBe('relatedPost_ids');
  expect(idsField('people', 'snake')).toBe('person_ids');
  expect(linkColumn('relatedPosts', 'snake')).toBe('related_post_id');
  expect(idsField('relatedPosts', 'camel')).toBe('relatedPostIds');
  expect(linkColumn('related_posts', 'camel')).toBe('relatedPostId');
});

test('a package name becomes a heading', () => {
  expect(titleOf('blog-api')).toBe('Blog API');
  expect(titleOf('@acme/little.shop')).toBe('Little shop');
});

test.each([
  ['Posts', 'Post'],
  ['BlogPosts', 'BlogPost'],
  ['Categories', 'Category'],
  ['People', 'Person'],
  ['Addresses', 'Address'],
])('%s looks plural: %s', (name, one) => expect(singularName(name)).toBe(one));

test.each(
  'Post Address Status Bus Analysis News Series Data Sheep Gas Lens Canvas Access Class SMS'.split(
    ' ',
  ),
)('%s is a name for one', (name) => expect(singularName(name)).toBe(undefined));
