import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faults, memberFaults } from '../access/faults.ts';
import { drawnRules } from '../support/drawn-rules.ts';
import { emit } from '../support/emit.ts';
import { root } from '../support/root.ts';
import { plantedFaults } from './planted-faults.ts';
import { plantedRules, schema } from './planted-rules.ts';

/** Checks that each text that a planted mistake replaces is there: a run of the tests that plant them takes an hour. */

const textsOf = (text: string) => new Map(emit(text).map(({ path, content }) => [path, content]));
const textOf = (path: string) => readFileSync(join(root, 'fixtures', path), 'utf8');

const cases = [
  ...(['sqlite', 'postgres'] as const).map((engine) => {
    const planted = plantedFaults.filter((fault) => (fault.engine ?? engine) === engine);
    return {
      name: `a blog on ${engine}`,
      text: textOf(`apps/blog/${engine}/schema.yaml`),
      planted,
    };
  }),
  { name: 'a project of rules', text: `database: sqlite\n${schema}`, planted: plantedRules },
];

test.each(cases)('$name has a place for each mistake', ({ text, planted }) => {
  const texts = textsOf(text);
  const lost = planted.filter(({ file, find }) => texts.get(file)?.split(find).length !== 2);
  expect(lost.map(({ name }) => name)).toEqual([]);
});

const ofRules = [
  ['drawn rules', drawnRules(1, 10).text, faults],
  ['tenants', textOf('access/members.yaml'), memberFaults],
] as const;

test.each(ofRules)('a project of %s has a place for each fault', (_, text, planted) => {
  const texts = textsOf(`${text}database: sqlite\n`);
  const lost = planted.filter(([, file, right]) => texts.get(file)?.includes(right) !== true);
  expect(lost.map(([name]) => name)).toEqual([]);
});
