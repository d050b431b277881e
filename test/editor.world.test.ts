import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemFixtures, runProblemFixture } from './problems-fixtures.ts';
import { emit } from './support/emit.ts';
import { root } from './support/root.ts';
import { openYamlEditor, type YamlEditor } from './support/yaml-editor.ts';

const blog = readFileSync(join(root, 'templates/examples/blog.yaml'), 'utf8');
const [modeline = ''] = blog.split('\n');
let editor: YamlEditor;

const path = '.scaffold/schema.v1.json';
const tenantPath = '.scaffold/tenant.json';
const schemaOf = (text: string) => emit(text).find((file) => file.path === path)?.content ?? '';

/** The last step of the page, where words, members and links are. */
const tenant =
  [
    ...readFileSync(join(root, 'docs/access.md'), 'utf8').matchAll(/```yaml\n(version[^]*?)```/g),
  ].at(-1)?.[1] ?? '';

beforeAll(async () => {
  editor = await openYamlEditor({ [path]: schemaOf(blog), [tenantPath]: schemaOf(tenant) });
});

afterAll(() => editor.close());

const inModel = (lines: string) => `${modeline}
version: 1
app: { name: blog }
models:
  Room:
${lines.replaceAll(/^/gm, '    ')}
`;

test('a good schema has no mark', async () => {
  expect(await editor.marks(blog)).toEqual([]);
});

test.each([
  ['keys of a model', inModel('fields: { name: string }\n|'), ['order_by', 'soft_delete']],
  ['types of a field', inModel('fields:\n  size: |'), ['string', 'datetime', 'PostStatus']],
  ['types in the long form', inModel('fields:\n  size:\n    type: |'), ['uuid', 'PostStatus']],
  ['models of a relation', inModel('relations:\n  post: |'), ['Post', 'Post?', 'Tag[]']],
  ['models in the long form', inModel('relations:\n  post:\n    to: |'), ['Post', 'User']],
  [
    'who may',
    inModel('access:\n  read: |'),
    ['public', 'owner', 'link', 'editor', 'admin', 'is author', 'via post'],
  ],
])('offers the %s', async (_, text, expected) => {
  expect(await editor.offers(text)).toEqual(expect.arrayContaining(expected));
});

const inTenant = (lines: string) => inModel(lines).replace(path, tenantPath);
const people = ['public', 'authenticated', 'owner', 'self', 'link', 'user', 'admin']
  .concat(['member', 'colleague', 'signer'])
  .concat(['is author', 'is reviewer', 'via team', 'via document', 'shares Organisation']);

test.each([
  ['an operation', 'access:\n  read: |'],
  ['all operations', 'access:\n  all: |'],
  ['restoring', 'access:\n  restore: |'],
  ['one of several', 'access:\n  update:\n    - owner\n    - |'],
  ['one of several in a line', 'access: { update: [owner, |] }'],
  ['a field', 'fields:\n  size:\n    type: int\n    read: |'],
  ['one of several that write a field', 'fields:\n  size:\n    type: int\n    write:\n      - |'],
  ['a relation', 'relations:\n  team:\n    to: Team\n    write: |'],
])('offers everybody whom the rule of %s can admit', async (_, lines) => {
  expect(await editor.offers(inTenant(lines))).toEqual(expect.arrayContaining(people));
});

test('offers what a key can be required to agree with', async () => {
  const offers = await editor.offers(inTenant('relations:\n  lead:\n    to: User\n    among: |'));
  const expected = ['team', 'team.colleague', 'organisation', 'organisation.member', 'document'];
  expect(offers).toEqual(expect.arrayContaining(expected));
});

test('a schema with every word of rules has no mark', async () => {
  expect(await editor.marks(`${modeline.replace(path, tenantPath)}\n${tenant}`)).toEqual([]);
});

test('marks a type that does not exist, with those that do', async () => {
  const [mark] = await editor.marks(inModel('fields:\n  size: varchar'));
  expect(mark?.message).toContain('Valid values: "string", "text", ');
  expect(mark?.range.start.line).toBe(6);
});

/** Problems that take more than one place of the file, or the meaning of a value: `scaffold check` reports them. */
const shapes = ['SCF101', 'SCF102', 'SCF103', 'SCF105', 'SCF106', 'SCF119', 'SCF201', 'SCF203'];
const unseen = [
  // The server ignores a file without a value.
  'file-empty',
  'file-only-comments',
  // To YAML the key is not a text, and the server skips it.
  'key-null',
  // In braces, the server skips a key without a value.
  'yaml-sentence-inside-braces',
  // A name with a capital letter may be a new enum.
  'type-is-a-model',
  'enums-that-are-types',
  // Merged before it is checked.
  'yaml-merge-key',
];
const marked = problemFixtures
  .filter((name) => !unseen.includes(name))
  .map(runProblemFixture)
  .filter(
    ({ text, problems }) =>
      !text.startsWith('{') && problems.some(({ code }) => shapes.includes(code)),
  );

test.each(marked)('marks $name', async ({ text }) => {
  expect(await editor.marks(`${modeline}\n${text}`)).not.toEqual([]);
});
