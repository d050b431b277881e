import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadTemplates } from '../../src/render/templates.ts';
import { root } from '../support/root.ts';

const home = join(root, 'templates');
const templates = readdirSync(home, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.hbs'))
  .map((name) => ({ name, lines: readFileSync(join(home, name), 'utf8').trimEnd().split('\n') }));

test('templates decide nothing: values, each, partials, and an if or unless on a flag', () => {
  const blocks = templates.flatMap(({ name, lines }) =>
    lines.flatMap((line) =>
      [...line.matchAll(/\{\{~?((?:[#^]|else\b)[^}]*)/g)].map(([, words = '']) => ({
        name,
        words,
      })),
    ),
  );
  const allowed = /^(?:#(?:each|if|unless) [\w.]+|else)$/;
  expect(blocks.filter(({ words }) => !allowed.test(words))).toEqual([]);
});

// A line without a tag is as prettier has it in the project.
test('no line with a tag is too long to be read', () => {
  const long = templates.flatMap(({ name, lines }) =>
    lines
      .filter((line) => line.includes('{{') && line.length > 145)
      .map((line) => `${name}: ${line}`),
  );
  expect(long).toEqual([]);
});

test('a line has at most one branch inside, which only adds to it', () => {
  const branched = templates.flatMap(({ name, lines }) =>
    lines
      .filter((line) => /\{\{#.*(?:\{\{else|\{\{#).*\{\{\//.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(branched).toEqual([]);
});

test('a flag that no view sets is an error, not false', () => {
  const { render } = loadTemplates();
  const flags = { cuid: false, ulid: false, nanoid: true };
  const name = 'app/src/database/text-keys.ts.hbs';
  expect(render(name, () => ({ ...flags, isTimed: undefined }))).toContain('newNanoid');
  expect(() => render(name, () => flags)).toThrow(
    `templates/${name}: Error: "isTimed" not defined`,
  );
});
