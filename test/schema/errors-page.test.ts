import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fieldTypes, scalarNames } from '../../src/types/all.ts';
import { codesIn, explanations } from '../support/explanations.ts';
import { root } from '../support/root.ts';

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, code = '']) => code);

test('every code has one section, in order, that can be read', () => {
  expect(headings).toEqual([...explanations.keys()]);
  expect(headings).toEqual([...new Set(headings)]);
  const families = headings.map((code) => code.replace(/\d\d$/, ''));
  expect(families).toEqual(families.toSorted());
});

test('every code that is raised is explained, and no other', () => {
  expect(headings.toSorted()).toEqual([...codesIn('src', 'bin')].toSorted());
});

test('the types are those that exist', () => {
  const types = scalarNames.map((name) => `\`${fieldTypes[name].reference.written}\``);
  expect(explanations.get('SCF201')?.explanation).toContain(`Types are ${types.join(', ')} and`);
});
