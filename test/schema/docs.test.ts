import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modelKeys } from '../../src/schema/keys/model.ts';
import { topKeys } from '../../src/schema/keys/top.ts';
import { fieldKeys } from '../../src/schema/keys/field-keys.ts';
import { relationKeys } from '../../src/schema/keys/relation.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import { scalarNames } from '../../src/types/all.ts';
import { referencePage } from './reference-page.ts';

const page = readFileSync(new URL('../../docs/schema.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

describe('every example of docs/schema.md is a legal schema', () => {
  test.each(examples)('%s', (text) => {
    const whole = text.includes('version:') ? text : `version: 1\napp: { name: blog }\n${text}`;
    expect(parseSchema(whole).problems).toEqual([]);
  });
});

test('its tables are those of the program', async () => {
  expect(page).toBe(await referencePage());
});

test('docs/schema.md mentions every key and type', () => {
  const words = [
    ...Object.keys({ ...topKeys, ...modelKeys, ...fieldKeys, ...relationKeys }),
    ...scalarNames,
  ];
  expect(words.filter((word) => !page.includes(`\`${word}`))).toEqual([]);
});

test('its links lead to headings of its own', () => {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((anchor) => anchor === undefined || !headings.includes(anchor))).toEqual([]);
});
