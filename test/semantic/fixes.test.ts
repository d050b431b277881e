import { describe, expect, test } from 'vitest';
import { listFixes } from '../../src/merge/typescript/list-fixes.ts';
import { applyEdits } from '../../src/merge/typescript/rename-edits.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  title: ['heading'],
  'd.title': ['d.heading'],
  draft: ['idea'],
  Post: ['Article'],
  posts: ['articles'],
  findPost: ['findArticle'],
  body: ['text', 'content'],
  word: ['term'],
};

const queries = {
  specifier: '../articles/queries.ts',
  exports: (name: string) => name === 'findArticle',
};

/** The complaint is about the place after `¦`. */
function fixed(marked: string, message = '', code = 'TS2339'): string[] {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const ways = listFixes(
    { path: 'src/feed.ts', text },
    { offset, code, message },
    {
      respell: (word) => names[word] ?? [],
      tablesWith: (word) => (word === 'title' ? ['posts'] : []),
      findImported: (path) => (path === './queries.ts' ? queries : undefined),
    },
  );
  return ways.map((edits) => applyEdits(text, edits));
}

describe('one place', () => {
  test.each([
    ['a property', 'const a = post.¦title;', 'const a = post.heading;'],
    ['an index', `const a = post[¦'title'];`, `const a = post['heading'];`],
    ['a key', 'const a = { ¦title: 1 };', 'const a = { heading: 1 };'],
    ['a key and a variable in one', 'const a = { ¦title };', 'const a = { heading: title };'],
    ['a key with its variable', 'const a = { ¦title: heading };', 'const a = { heading };'],
    ['a pattern', 'const { ¦title } = post;', 'const { heading: title } = post;'],
    [
      'a pattern with another name',
      'const { ¦title: it } = post;',
      'const { heading: it } = post;',
    ],
    [
      'a pattern with the new name',
      'const { ¦title: heading } = post;',
      'const { heading } = post;',
    ],
    ['a default', `const { ¦title = '' } = post;`, `const { heading: title = '' } = post;`],
    ['an indexed type', `type A = Row[¦'title'];`, `type A = Row['heading'];`],
    ['a type', 'const a: ¦Post = b;', 'const a: Article = b;'],
    ['double quotes', 'where(¦"title")', 'where("heading")'],
  ])('%s', (_, text, expected) => expect(fixed(text)).toEqual([expected]));

  test('a variable that is gone', () => {
    expect(fixed('const a = { ¦posts };', 'Cannot find name', 'TS18004')).toEqual([
      'const a = { posts: articles };',
    ]);
  });

  test('two new names give two fixes', () => {
    expect(fixed('post.¦body;')).toEqual(['post.text;', 'post.content;']);
  });

  test.each([
    ['a word that nobody renamed', 'post.¦slug;'],
    ['a text for people', `say(¦'Your title, please!');`],
    ['a comment', '¦f(); // title'],
    ['a module of others', `import { title } from ¦'posts';`],
    ['a name of the owner’s own', `count().as(¦'posts');`],
    ['a name of the owner’s own in a text', `pick(¦'a.id as title');`],
  ])('nothing for %s', (_, text) => expect(fixed(text)).toEqual([]));
});

const query = (rest: string) => `db.selectFrom('posts as p')${rest}.execute();`;

describe('a selected column keeps its old name in the answer', () => {
  test.each([
    ['where another has the new one', `.select([¦'p.title', 'r.heading'])`],
    ['where another takes the new one', `.select([¦'p.title', 'r.title as heading'])`],
    ['of a whole path', `.select([¦'d.title', 'r.heading'])`],
    ['where another call has it', `.select(¦'p.title').select('r.heading')`],
    ['where an expression has it', `.select(() => [¦'p.title', fn.max('r.id').as('heading')])`],
    ['next to all columns of a table', `.selectAll('r').select(¦'p.title')`],
    ['of a query that others add to', `.select(¦'p.title').$call(more)`],
    ['next to values that cannot be seen', `.select([¦'p.title', ...more])`],
  ])('%s', (_, rest) => {
    const expected = query(rest)
      .replace('¦', '')
      .replace(/([pd]).title'/, `$1.heading as title'`);
    expect(fixed(query(rest))[0]).toBe(expected);
  });

  test('and a new one where nothing else has it', () => {
    expect(fixed(query(`.select([¦'p.title', 'r.id', 'r.heading as name'])`))).toContain(
      query(`.select(['p.heading', 'r.id', 'r.heading as name'])`),
    );
  });
});

describe('a column without its table', () => {
  const joined = `.innerJoin('reviews as r', 'r.post_id', 'p.id')`;
  test.each([
    ['has it in a join', `${joined}.where(¦'title', '=', 'A')`, `'p.heading'`],
    ['has it before a join', `.select([¦'title'])${joined}`, `'p.heading'`],
    ['keeps its order', `${joined}.orderBy(¦'title desc')`, `'p.heading desc'`],
    ['keeps its name', `${joined}.selectAll('r').select(¦'title')`, `'p.heading as title'`],
    [
      'has it in a query inside another',
      `.where((is) => is.exists(is.selectFrom('reviews').where('text', '=', is.ref(¦'title'))))`,
      `'p.heading'`,
    ],
    ['has it under another name', `.select(¦'title as name')${joined}`, `'p.heading as name'`],
    [
      'does not need it in an inner query of one table',
      `${joined}.where((is) => is.exists(is.selectFrom('posts').select(¦'title')))`,
      `'heading'`,
    ],
    ['does not need it with one table', `.orderBy(¦'title')`, `'heading'`],
    [
      'has it for the rows of another query',
      `.innerJoin(inner.as('d'), 'd.id', 'p.id').where(¦'word', '=', 'A')`,
      `'d.term'`,
    ],
    ['does not have it once the rows are read', `${joined}.execute().map(¦'title')`, `'heading'`],
  ])('%s', (_, rest, column) => {
    const expected = query(rest)
      .replace('¦', '')
      .replace(/'(?:title|word)(.*?)'/, column);
    expect(fixed(query(rest))[0]).toBe(expected);
  });

  test('does not have it where a value is set', () => {
    expect(fixed(`db.updateTable('posts').from('reviews').set(¦'title', 'A');`)).toEqual([
      `db.updateTable('posts').from('reviews').set('heading', 'A');`,
    ]);
  });
});

describe('a place inside a larger one', () => {
  test('a comparison with a value', () => {
    const message = `the types '"idea"' and '"draft"' have no overlap`;
    expect(fixed(`if (¦post.status === 'draft') {}`, message)).toEqual([
      `if (post.status === 'idea') {}`,
    ]);
  });

  test('a value after its key', () => {
    expect(fixed(`f({ ¦status: 'draft' });`)).toEqual([`f({ status: 'idea' });`]);
  });

  test('of several words those that the message names come first, then all of them', () => {
    const message = `Type '"title"' is not assignable`;
    expect(fixed(`pick(¦['posts', 'title']);`, message)).toEqual([
      `pick(['posts', 'heading']);`,
      `pick(['articles', 'title']);`,
    ]);
    expect(fixed(`pick(¦['posts.title as name']);`)).toEqual([
      `pick(['articles.title as name']);`,
      `pick(['posts.heading as name']);`,
      `pick(['articles.heading as name']);`,
    ]);
  });

  test('a missing property', () => {
    const message = `Property 'heading' is missing in type '{ title: string; }'`;
    expect(fixed(`¦return { title: 'draft' };`, message)[0]).toBe(`return { heading: 'draft' };`);
  });

  test('never what the statement around it contains', () => {
    expect(fixed(`if (x) { ¦f(); g('draft'); }`)).toEqual([]);
  });
});

describe('imports', () => {
  test('a name and its uses', () => {
    const text = `import { ¦findPost } from 'a';\nexport { findPost };\nf(findPost, { findPost }, it.findPost);`;
    expect(fixed(text)).toEqual([
      `import { findArticle } from 'a';\nexport { findArticle as findPost };\nf(findArticle, { findPost: findArticle }, it.findPost);`,
    ]);
  });

  test.each([
    [
      'another name',
      `import { ¦findPost as find } from 'a';`,
      `import { findArticle as find } from 'a';`,
    ],
    [
      'a meaning of its own elsewhere',
      `import { ¦findPost } from 'a';\nconst f = (findPost: string) => findPost;`,
      `import { findArticle as findPost } from 'a';\nconst f = (findPost: string) => findPost;`,
    ],
    [
      'the new name taken',
      `import { ¦findPost } from 'a';\nconst findArticle = findPost;`,
      `import { findArticle as findPost } from 'a';\nconst findArticle = findPost;`,
    ],
  ])('%s', (_, text, expected) => expect(fixed(text)).toEqual([expected]));

  test('a path, and the names that its file has', () => {
    expect(fixed(`import { findPost, other } from ¦'./queries.ts';\nfindPost();`)).toEqual([
      `import { findArticle, other } from '../articles/queries.ts';\nfindArticle();`,
    ]);
    expect(fixed(`export { findPost } from ¦'./queries.ts';`)).toEqual([
      `export { findArticle as findPost } from '../articles/queries.ts';`,
    ]);
    expect(fixed(`const { a } = await import(¦'./queries.ts');`)).toEqual([
      `const { a } = await import('../articles/queries.ts');`,
    ]);
  });
});
