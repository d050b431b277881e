import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainOrigin } from '../../src/commands/why.ts';
import { listChangedLines, lines } from '../../src/merge/text.ts';
import { buildApp } from '../../src/model/build.ts';
import { traceOrigins } from '../../src/project/origins.ts';
import { readProject } from '../../src/project/read-project.ts';
import { renderProject } from '../../src/project/render-project.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { findLine } from '../../src/schema/line-of.ts';
import type { Schema } from '../../src/schema/keys/top.ts';
import { newProject } from '../support/changed-project.ts';
import { root } from '../support/root.ts';

const blog = read('blog');
const minimal = read('minimal');
const app = buildApp(blog.schema);
const files = renderProject(app, []);
const origins = traceOrigins(app, () => true);

/** The last of a list in one project is followed by more in another. */
const bare = (line: string) => line.replace(/,?\n$/, '');

/** The schema with a field or a relation of a model under another name of the same length. */
function renamed(model: string, name: string, to: string): Schema {
  const text = JSON.stringify(blog.schema, (_, value: unknown) => {
    const isModel = typeof value === 'object' && value !== null && 'fields' in value;
    if (!isModel || !('name' in value)) return value;
    if (!JSON.stringify(value.name).includes(`"${model}"`)) return value;
    return JSON.parse(JSON.stringify(value).replaceAll(`"value":"${name}"`, `"value":"${to}"`));
  });
  return JSON.parse(text) as Schema;
}

const members = blog.schema.models.flatMap((model) =>
  [...model.fields, ...model.relations].map(({ name }) => [model.name.value, name.value] as const),
);

test.each(members)('lines that name %s.%s are said to come from it', (model, name) => {
  const other = renderProject(buildApp(renamed(model, name, `${name.slice(0, -1)}q`)), []);
  const texts = new Map(other.map(({ id, content }) => [id, content]));
  let found = 0;
  for (const { id, path, content } of files) {
    const all = lines(content);
    for (const { before } of listChangedLines(all, lines(texts.get(id) ?? ''))) {
      for (let at = before[0]; at < before[0] + before[1]; at++) {
        found += 1;
        const place = `${path}:${at + 1} ${all[at]}`;
        expect(origins.get(id)?.[at], place).toContain(`${model}.${name}`);
      }
    }
  }
  expect(found).toBeGreaterThan(5);
});

test('lines that come from nothing in the schema are in another project as well', () => {
  const others = new Map(
    renderProject(buildApp(minimal.schema), []).map(({ id, content }) => [
      id,
      new Set(lines(content).map(bare)),
    ]),
  );
  let found = 0;
  for (const { id, path, content } of files) {
    const all = origins.get(id) ?? [];
    const texts = lines(content);
    expect(all.length, path).toBe(texts.length);
    for (const [at, text] of texts.entries()) {
      if (all[at]?.length !== 0) continue;
      found += 1;
      expect(others.get(id)?.has(bare(text)), `${path}:${at + 1} ${text}`).toBe(true);
    }
  }
  expect(found).toBeGreaterThan(1000);
});

const policy = files.find(({ path }) => path === 'src/posts/policy.ts')?.content ?? '';
const edited = policy.replace('\n', '\n// Ours.\n');

test('every file of a project has an origin, and an edited line belongs to its owner', async () => {
  const folder = await newProject(blog.text, { 'src/posts/policy.ts': edited });
  const project = await readProject(folder);
  const own = explainOrigin(project, 'src/posts/policy.ts', 2);
  expect(own).toMatchObject({ isYours: true, origin: 'Yours: you added it.', elements: [] });
  const below = explainOrigin(project, 'src/posts/policy.ts', 11);
  expect(below).toMatchObject({ isYours: false, elements: ['Post.access', 'Post.author'] });
  for (const file of Object.keys(project.record.files)) {
    const { origin, isYours } = explainOrigin(project, file);
    expect(origin, file).toMatch(/^[A-Z].*\.$/);
    expect(isYours, file).toBe(file === 'src/posts/policy.ts');
  }
});

test('every part that a line comes from is in the schema, or follows from it', () => {
  const named = new Set([...origins.values()].flat(2));
  const places = [...named].map((element) => [element, findLine(blog.text, element)] as const);
  const texts = blog.text.split('\n');
  const wrong = places.filter(([element, line]) => {
    const key = element.slice(element.lastIndexOf('.') + 1);
    return line !== undefined && !texts[line - 1]?.includes(`${key}:`);
  });
  expect(wrong).toEqual([]);
  const unsaid = places.filter(([, line]) => line === undefined).map(([element]) => element);
  // Users have their own access; what is unique or indexed, a field or a relation may say.
  expect(unsaid.toSorted()).toEqual([
    'Comment.indexes',
    'Tag.unique',
    'User.access',
    'User.unique',
  ]);
  expect(places.length).toBeGreaterThan(30);
});

function read(name: string) {
  const text = readFileSync(join(root, 'fixtures/apps', name, 'schema.yaml'), 'utf8');
  const { schema } = parseSchema(text);
  if (!schema) throw new Error(`${name} is no schema.`);
  return { text, schema };
}
