import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/root.ts';

const home = join(root, 'templates');
const templates = readdirSync(home, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.hbs'))
  .map((name) => ({ name, lines: readFileSync(join(home, name), 'utf8').trimEnd().split('\n') }));

const isControl = (line: string) => /^\s*\{\{~?(?:[#/^]|else\b)/.test(line);

test('templates read as what they make: at most two lines in 27 are control', () => {
  const rows = templates.map(({ name, lines }) => {
    const control = lines.filter(isControl).length;
    return { name, lines: lines.length, control };
  });
  const lines = sum(rows.map((row) => row.lines));
  const control = sum(rows.map((row) => row.control));
  const listing = rows.map((row) => `${row.control}/${row.lines} ${row.name}`).join('\n');
  process.stdout.write(`control lines in templates: ${control} of ${lines}\n`);
  expect(control / lines, listing).toBeLessThanOrEqual(2 / 27);
});

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
      .filter((line) => line.includes('{{') && line.length > 150)
      .map((line) => `${name}: ${line}`),
  );
  expect(long).toEqual([]);
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
