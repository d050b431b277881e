import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { traceOrigins } from '../../src/project/origins.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { products, schemaOfProduct } from '../support/products.ts';
import { blogProject } from './blog-project.ts';
import { commandLine } from './in-process.ts';

let cwd = '';
beforeAll(async () => {
  const project = await blogProject();
  cwd = project.folder;
  await project.edit('src/tags/policy.ts', '\n', '\n// Ours.\n');
  await project.edit('schema.yaml', 'string(1..40)', 'string(1..50)');
  await writeFile(join(cwd, 'src/own.ts'), 'export const own = 1;\n');
});

test.each([
  [
    'src/tags/schema.ts:10',
    [
      'From `Tag.name` of the schema.',
      expect.stringMatching(/^schema\.yaml:\d+ has `Tag\.name`\.$/),
    ],
  ],
  ['src/tags/policy.ts:2', ['Yours: you added it.']],
  ['src/tags/policy.ts', ['From `Tag` of the schema. You edited it: line 2.']],
  [
    'src/lib/list/page.ts:1',
    ['The same whatever the schema says.', 'Template: `templates/app/src/lib/list/page.ts`.'],
  ],
  ['migrations/0001_initial/up.sql:3', ['A migration: written once, then never changed.']],
  ['src/own.ts:1', ['Yours: scaffold did not make this file.']],
  ['schema.yaml:4', ['Yours: the schema.']],
])('why %s', async (place, sentences) => {
  const { code, stdout, stderr } = await commandLine(['why', place], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual(expect.arrayContaining([place, ...sentences]));
});

test.each(products)(
  'the policies of %s have origins though rules name other parts of the schema',
  (name) => {
    const { schema } = parseSchema(schemaOfProduct(name));
    if (schema === undefined) throw new Error('The schema is refused.');
    const origins = traceOrigins(buildApp(schema), (id) => id.endsWith('policy.ts'));
    expect([...origins.values()].flat().flat()).not.toEqual([]);
  },
);

test('the line shown of the schema is the one that says it', async () => {
  const { stdout } = await commandLine(['why', 'src/tags/schema.ts:10', '--json'], { cwd });
  const [{ element, file, line }] = JSON.parse(stdout).why.places;
  const text = readFileSync(join(cwd, file), 'utf8').split('\n')[line - 1];
  expect([element, text?.trim()]).toEqual(['Tag.name', 'name: string(1..50) unique']);
});

test.each([
  ['src/nothing.ts', 'SCF003'],
  ['src/own.ts:99', 'SCF003'],
  ['../elsewhere.ts', 'SCF503'],
])('there is no %s', async (place, expected) => {
  const { code, stderr } = await commandLine(['why', place], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain(expected);
});
