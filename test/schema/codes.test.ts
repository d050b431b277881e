import { describe, expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import { schemaExplanations } from '../support/explanations.ts';

/** Raised by size alone: `limits.test.ts` shows it. */
const withoutExample = ['SCF112'];

const explained = schemaExplanations.filter(([code]) => !withoutExample.includes(code));

describe.each(explained)('%s', (code, { title, explanation, bad, good }) => {
  test('is raised by its bad example, and by nothing else in it', () => {
    const raised = parseSchema(whole(bad)).problems.map((problem) => problem.code);
    expect([...new Set(raised)]).toEqual([code]);
  });

  test('is not raised by its good example, which is a legal schema', () => {
    expect(parseSchema(whole(good)).problems).toEqual([]);
  });

  test('is explained in sentences', () => {
    expect(title).toMatch(/^[A-Z`].*[^.]$/);
    expect(explanation).toMatch(/^[A-Z`].*\.$/s);
  });
});

/** Examples leave out the first lines where they do not matter. */
function whole(example: string): string {
  return example.includes('version:') ? example : `version: 1\napp: { name: blog }\n${example}\n`;
}
