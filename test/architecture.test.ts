import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  circles,
  controlShare,
  importedRules,
  impurities,
  longFiles,
  repeatedNames,
  sideDoors,
  upwardImports,
} from './support/architecture.ts';
import { root } from './support/root.ts';
import { parseSource, readSources } from './support/source.ts';

const sources = readSources();

test('all of src/ was read', () => {
  expect(sources.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'cli.ts',
      'errors.ts',
      'model/app.ts',
      'schema/parse.ts',
      'render/render.ts',
    ]),
  );
});

describe('imports only go down', () => {
  test('in src/', () => expect(upwardImports(sources)).toEqual([]));

  test.each([
    ['model/build.ts', `import { renderApp } from '../render/render.ts';`],
    ['schema/parse.ts', `import type { App } from '../model/app.ts';`],
    ['render/render.ts', `export { initialMigration } from '../evolve/initial.ts';`],
    ['commands/new.ts', `const cli = await import('../cli.ts');`],
    ['model/build.ts', `import { one } from '../attic/one.ts';`],
  ])('%s may not say %s', (path, text) => {
    expect(upwardImports([parseSource(path, text)])).toHaveLength(1);
  });
});

describe('each library has one door', () => {
  test('in src/', () => expect(sideDoors(sources)).toEqual([]));

  test.each([
    ['render/break-lines.ts', `import Handlebars from 'handlebars';`],
    ['commands/new.ts', `const { execa } = await import('execa');`],
    ['model/name.ts', `import { camelCase } from 'lodash/fp';`],
  ])('%s may not say %s', (path, text) => {
    expect(sideDoors([parseSource(path, text)])).toHaveLength(1);
  });
});

describe('the floors up to merge are pure', () => {
  test('in src/', () => expect(impurities(sources)).toEqual([]));

  test.each([
    ['model/build.ts', `import { readFileSync } from 'node:fs';`],
    ['model/build.ts', `export const home = () => process.env.HOME;`],
    ['schema/parse.ts', `export const today = () => new Date();`],
    ['schema/parse.ts', `export const now = () => Date.now();`],
    ['evolve/initial.ts', `export const id = () => Math.random();`],
    [
      'render/render.ts',
      `export const sort = (names: string[]) => names.sort((a, b) => a.localeCompare(b));`,
    ],
  ])('%s may not say %s', (path, text) => {
    expect(impurities([parseSource(path, text)])).toHaveLength(1);
  });

  test('a date that is given is not a clock', () => {
    const source = parseSource(
      'schema/parse.ts',
      `export const year = (text: string) => new Date(text);`,
    );
    expect(impurities([source])).toEqual([]);
  });
});

describe('no file imports itself, not even through others', () => {
  test('in src/', () => expect(circles(sources)).toEqual([]));

  test('a circle of three is found', () => {
    const three = [
      parseSource('model/egg.ts', `import { hen } from './hen.ts';`),
      parseSource('model/hen.ts', `import type { Chick } from './chick.ts';`),
      parseSource('model/chick.ts', `export { egg } from './egg.ts';`),
    ];
    expect(circles(three)).toEqual(['model/egg.ts → model/hen.ts → model/chick.ts → model/egg.ts']);
  });
});

describe('only the list of rules imports a rule of the language', () => {
  test('in src/', () => expect(importedRules(sources)).toEqual([]));

  test.each([
    ['schema/rules/owners.ts', `import { addressFlaw } from './addresses.ts';`],
    ['model/build.ts', `import type { Claim } from '../schema/rules/collisions.ts';`],
  ])('%s may not say %s', (path, text) => {
    expect(importedRules([parseSource(path, text)])).toHaveLength(1);
  });
});

describe('no file is longer than 250 lines', () => {
  test('in src/', () => expect(longFiles(sources)).toEqual([]));
  test('in runner/', () => expect(longFiles(readSources('runner'))).toEqual([]));

  test('one of 251 is found', () => {
    expect(longFiles([parseSource('model/scroll.ts', 'export {};\n'.repeat(251))])).toHaveLength(1);
  });
});

describe('a name at the top of a module has one meaning', () => {
  test('in src/', () => expect(repeatedNames(sources)).toEqual([]));

  test.each([
    ['export interface Egg { readonly shell: string }', 'export const salt = 2, Egg = 1;'],
    ['type Egg = string;', 'class Egg {}'],
    ['const Egg = 1;', 'function Egg() {}'],
    ['export { white as Egg } from "./white.ts";', 'const { yolk: [Egg = 1] } = { yolk: [2] };'],
  ])('%s and %s are found', (hen, pan) => {
    const two = [parseSource('merge/hen.ts', hen), parseSource('render/pan.ts', pan)];
    expect(repeatedNames(two)).toEqual(['Egg is declared by merge/hen.ts and render/pan.ts']);
  });

  test('names inside functions may repeat', () => {
    const two = ['merge/hen.ts', 'render/pan.ts'].map((path, at) =>
      parseSource(path, `function cook${at}() { const egg = 1; return egg; }`),
    );
    expect(repeatedNames(two)).toEqual([]);
  });
});

describe('templates hold no logic: at most one line in 13 has a part of a block', () => {
  const folder = join(root, 'templates');
  const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.hbs'))
    .map((path) => readFileSync(join(folder, path), 'utf8'));

  test('in templates/', () => {
    expect(templates.length).toBeGreaterThan(10);
    expect(controlShare(templates)).toBeLessThanOrEqual(1 / 13);
  });

  test('a template of blocks is found', () => {
    expect(controlShare(['{{#each fields}}\n{{#if name}}\n{{name}}\n{{/if}}\n{{/each}}\n'])).toBe(
      0.8,
    );
    expect(controlShare(['id,\nname{{#if secret}}, secret{{else}}, key{{/if}},\n'])).toBe(0.5);
  });
});

describe('pages for contributors name files that exist', () => {
  // Below the root, or below a folder of templates; `duration.ts` is the example of a file to add.
  const roots = ['.', ...readdirSync(join(root, 'templates')).map((name) => `templates/${name}`)];
  const isThere = (path: string) => roots.some((folder) => existsSync(join(root, folder, path)));

  test.each(['AGENTS.md', 'docs/architecture.md'])('%s', (page) => {
    const paths = pathsIn(readFileSync(join(root, page), 'utf8'));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !isThere(path))).toEqual(
      page === 'AGENTS.md' ? [] : ['src/types/duration.ts'],
    );
  });
});

/** Quoted paths of a page, without those that stand for many files. */
function pathsIn(page: string): readonly string[] {
  const quoted = [
    ...page.matchAll(/`((?:src|templates|test|fixtures|runner|bench|docs)\/[^`\s]*)`/g),
  ];
  return quoted.map(([, path = '']) => path).filter((path) => !/[<*…]/.test(path));
}
